//! Measuring models on corpora: losses and hits of restorers, BLEU and chrF++ of translators with intervals, strata,
//! and the arms of the ablation.

pub mod ablation;
pub mod bits;
pub mod error;
pub mod hardness;
pub mod restoration;
pub mod strata;
pub mod texts;
pub mod translation;
pub mod trend;
