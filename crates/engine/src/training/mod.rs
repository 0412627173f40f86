//! Training in the worker, of translators and of restorers: a run is a job that makes steps, writes checkpoints into
//! the browser's storage, and goes on from them.
//!
//! [`train_translator`], [`train_restorer`] and [`resume`] bring an [`ActiveRun`] to work. It stays in memory while it
//! rests, so that going on is quick; its checkpoints lie in the storage besides, so that nothing but the steps since
//! the last one is lost with the tab.

mod ablation;
mod active_run;
mod base;
mod bias;
mod checkpoints;
mod compared;
mod run;
mod runs;
mod samples;
mod saved;
mod scored;
mod stored_model;
mod trained_model;

pub use ablation::run as ablate;
pub use active_run::ActiveRun;
pub use bias::store_copy;
pub use checkpoints::{delete, list};
pub use runs::{release, resume, save_files, store_model, train_restorer, train_translator};
pub use scored::score;
