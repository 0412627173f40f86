//! Hyperbolic geometry in plain f64: two models of the space, what keeps distances in them, and how to put trees into
//! them.
//!
//! The space has constant curvature -c in any dimension. Points are slices of coordinates: in the [`Ball`] of Poincaré
//! (where the translator's points live), on the [`Hyperboloid`] of Lorentz (where trees with long branches keep their
//! precision) or in the ball of Klein (where geodesics are straight); [`maps`] leads from one to the other.
//! [`spectral`] and [`tree`] make first points for given distances, [`stress`] improves them, [`points`] does both,
//! [`distortion`] and [`ranking`] say how well. [`planar`] looks at points of many dimensions on a plane, [`stored`]
//! reads those of the assets. [`flat`] is Euclid's space, for comparison; [`adam`] is the descent of both.
//!
//! No tensors, no clock, nothing of other crates but random numbers: the same numbers on every machine but for the last
//! digits of `tanh` and `ln`.

pub mod adam;
pub mod ball;
pub mod distances;
pub mod distortion;
pub mod eigen;
pub mod flat;
pub mod lorentz;
pub mod maps;
pub mod planar;
pub mod points;
pub mod ranking;
pub mod spectral;
pub mod stored;
pub mod stress;
pub mod subspace;
pub mod tree;
pub mod vector;

pub use ball::Ball;
pub use distances::Distances;
pub use lorentz::Hyperboloid;
pub use tuppum_random::Random;
