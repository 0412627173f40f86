//! Maps of attention as scenes: a [`Matrix`] grouped from bytes to signs and words, the part of it that is in [`View`],
//! the resulting picture ([`scene`]), and [`colours`] that colour-blind readers can tell apart.
//!
//! A row is a place that attends, a column a place attended to.

pub mod bias;
pub mod colours;
pub mod matrix;
pub mod scene;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod view;
pub mod weight;

pub use colours::Scale;
pub use matrix::Matrix;
pub use scene::{Names, Scene};
pub use view::View;
