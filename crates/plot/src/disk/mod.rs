//! Tree on the hyperbolic plane, as a scene: the places of its nodes ([`layout`]), the view ([`view`]), and the
//! resulting picture ([`scene`], with [`edges`] and [`labels`]). For comparison, a tree on the Euclidean plane
//! ([`flat`]).
//!
//! Positions are complex numbers in Poincaré's disk of curvature -1 ([`complex`]); a scene is in pixels.

pub mod complex;
pub mod edges;
pub mod figure;
pub mod flat;
pub mod labels;
pub mod layout;
pub mod scene;
#[cfg(test)]
mod tests;
pub mod view;

pub use complex::Point;
pub use edges::{Edge, EdgeShape};
pub use figure::{Figure, Item};
pub use labels::Label;
pub use scene::{Mark, Scene, Wanted};
pub use view::{Projection, View};
