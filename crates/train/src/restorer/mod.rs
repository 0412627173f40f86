//! Fine-tuning of the restorer on texts without translation: signs are masked and predicted (Devlin et al. 2019, §3.1,
//! <https://arxiv.org/abs/1810.04805>, but every target is masked), with checkpoints from which a run continues as if
//! it had not been interrupted.
//!
//! [`RestorerTrainer`] takes a torso, its vocabulary and a [`Plan`](tuppum_domain::restoration::training::Plan) and
//! makes step after step; [`checkpoint`] writes the run to one file, [`export`] writes a model folder like the shipped
//! one, and [`measure`] measures how well a torso predicts signs. Nothing is read from a device synchronously, no
//! default device is used, and neither clock nor storage is needed, so that it runs in a browser's worker as it does
//! natively.

mod batches;
pub mod checkpoint;
pub mod export;
pub mod masking;
mod task;

pub use task::{MEASURED_ON_THE_WAY, RestorerTask, measure};

pub type RestorerTrainer = crate::trainer::Trainer<RestorerTask>;

#[cfg(test)]
mod gradient_tests;
