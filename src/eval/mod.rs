//! Measuring models on corpora and graphs.

pub mod bits;
pub mod graph;
pub mod links;
#[cfg(feature = "compute")]
pub mod restoration;
pub mod translation;
