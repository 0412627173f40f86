//! Fine-tuning of the translator: teacher forcing over pairs, AdamW for weights and Riemannian Adam for points, with
//! checkpoints from which a run goes on as if it had not been cut.
//!
//! [`TranslatorTrainer`] takes a model and a [`Plan`](tuppum_tasks::translation::training::Plan) and makes step after
//! step; [`checkpoint`] keeps all of it in one file, and [`export`] writes the model as Hugging Face has it. Nothing is
//! read from a device synchronously and no default device is asked for, so that it runs in a browser's worker as
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

/// A run of a translator.
pub type TranslatorTrainer = crate::trainer::Trainer<TranslatorTask>;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod planted_tests;
#[cfg(test)]
mod points_tests;
