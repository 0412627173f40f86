//! Fine-tuning of restorers and translators, and pretraining of translators by span corruption: batches, losses,
//! optimisers, checkpoints.
//!
//! Random numbers are explicit and seeded. A step is made completely or not at all, and a run that continues from its
//! checkpoint makes the same steps, bit for bit on the CPU.

pub mod ball;
pub mod checkpoint;
pub mod dropout;
mod epochs;
mod error;
pub mod loss;
mod modules;
pub mod optimiser;
pub mod restorer;
#[cfg(test)]
mod run_checks;
pub mod run_file;
pub mod sequences;
pub mod task;
pub mod trainer;
pub mod translator;
pub mod update_rules;

pub use error::{FitError, TrainError};
