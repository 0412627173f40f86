//! Training in the worker, of translators and of restorers. A run is a job that makes steps, writes checkpoints into
//! the browser's storage, and continues from them.
//!
//! [`train_translator`], [`train_restorer`] and [`resume`] put an [`ActiveRun`] to work. It stays in memory while it is
//! paused, so that continuing is quick; its checkpoints are in the storage too, so that only the steps since the last
//! one are lost with the tab.

mod ablation;
mod active_run;
mod base;
mod checkpoints;
mod measured;
mod run;
mod runs;
mod trained_model;

pub use ablation::run as ablate;
pub use active_run::ActiveRun;
pub use base::store_copy;
pub use checkpoints::{delete, list};
pub use runs::{release, resume, save_files, score, store_model, train_restorer, train_translator};
