//! Measuring models on corpora and graphs.

pub mod bits;
pub mod graph;
pub mod links;
pub mod probe;
#[cfg(feature = "compute")]
pub mod restoration;
pub mod translation;
