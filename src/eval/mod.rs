//! Measuring models on corpora.

pub mod restoration;
