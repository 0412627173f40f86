//! Measuring models on corpora.

#[cfg(feature = "compute")]
pub mod restoration;
pub mod translation;
