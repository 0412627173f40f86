//! Training of the Transformers of [`transformer`](crate::transformer) from nothing, on the hyperboloid and in Euclid's
//! space by the same code, with the batches, the loss and the rates that fine-tuning of the translator has.
//!
//! [`TransformerTrainer`] makes step after step of a [`Plan`](tuppum_tasks::translation::training::Plan);
//! [`validation`] says how well a model predicts translations. Equal plans make equal batches and equal dropout in
//! both spaces.

mod task;

pub use task::{TransformerTask, validation};

/// A run of a Transformer.
pub type TransformerTrainer = tuppum_train::trainer::Trainer<TransformerTask>;
