//! Hyperbolic geometry in plain f64: models of the space, measures of how well points keep distances, and embeddings of
//! trees.
//!
//! The space has constant curvature -c in any dimension. Points are slices of coordinates: in Poincaré's [`Ball`]
//! (where the translator's points live) or on Lorentz's [`Hyperboloid`] (where trees with long branches keep their
//! precision). [`spectral`] and [`tree`] compute initial points for given distances, [`stress`] improves them,
//! [`points`] does both, [`distortion`] and [`ranking`] measure the result. [`planar`] projects points of many
//! dimensions onto a plane, [`stored`] reads the points of the assets. [`flat`] is Euclidean space, for comparison;
//! [`adam`] is the optimiser of both.
//!
//! No tensors, no clock, no dependency but random numbers: the same numbers on every machine, except for the last
//! digits of `tanh` and `ln`.

#![warn(missing_docs)]

pub mod adam;
pub mod ball;
pub mod distances;
pub mod distortion;
pub mod eigen;
pub mod flat;
pub mod lorentz;
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
