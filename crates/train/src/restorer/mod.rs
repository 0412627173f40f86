//! Fine-tuning of the restorer on texts without translation: signs are masked and predicted (Devlin et al. 2019, §3.1,
//! <https://arxiv.org/abs/1810.04805>, but every target is masked), AdamW, and checkpoints from which a run goes on as
//! if it had not been cut.
//!
//! [`RestorerTrainer`] takes a torso, its vocabulary and a [`Plan`](tuppum_tasks::restoration::training::Plan) and
//! makes step after step; [`checkpoint`] keeps all of it in one file, [`export`] writes a model folder as the shipped
//! one is, and [`measure`] says how well a torso predicts signs. Nothing is read from a device synchronously, no
//! default device is asked for, and there is neither clock nor storage, so that it runs in a browser's worker as
//! natively.

mod batches;
pub mod checkpoint;
pub mod export;
pub mod masking;
mod measuring;
mod task;

pub use measuring::measure;
pub use task::{MEASURED_ON_THE_WAY, RestorerTask};

/// A run of a restorer.
pub type RestorerTrainer = crate::trainer::Trainer<RestorerTask>;

#[cfg(test)]
mod gradient_tests;
