//! Measuring models on corpora and graphs.

pub mod ablation;
pub mod bits;
pub mod graph;
pub mod hardness;
pub mod links;
pub mod probe;
#[cfg(feature = "compute")]
pub mod restoration;
pub mod strata;
pub mod texts;
pub mod translation;
pub mod trend;
