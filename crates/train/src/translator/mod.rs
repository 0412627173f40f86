//! Fine-tuning of the translator: teacher forcing over pairs, AdamW for weights and Riemannian Adam for points, with
//! checkpoints from which a run continues as if it had not been interrupted.
//!
//! [`TranslatorTrainer`] takes a model and a [`Plan`](tuppum_domain::translation::training::Plan) and makes step after
//! step; [`checkpoint`] writes the run to one file, and [`export`] writes the model in Hugging Face's format. Nothing
//! is read from a device synchronously and no default device is used, so that it runs in a browser's worker as it does
//! natively.

mod adapters;
pub mod batches;
pub mod bias;
pub mod checkpoint;
pub mod export;
pub mod fresh;
mod points;
mod spans;
mod task;

pub use task::{TranslatorTask, validation};

pub type TranslatorTrainer = crate::trainer::Trainer<TranslatorTask>;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod planted_tests;
#[cfg(test)]
mod points_tests;
