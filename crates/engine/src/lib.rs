//! The worker: the only place where burn meets the browser.
//!
//! A message comes in at `worker`. A request for a model or for training waits in a `queue` of its kind, one about the
//! corpora or the storage is served at once; each becomes a `job`, which answers with events. `restoring`,
//! `translating`, `attending` and `settling` use models, `training` makes them, `corpora` looks edited texts up,
//! beside which `own` keeps texts of the user's, `stored` fetches, imports, lists and deletes models.
//!
//! Opening a model brings its files (`restorer_files`, `translator_files`), from a `folder` beside the page over the
//! network (`fetch`) or from the browser's storage (`store`, under a `lock`, with a `record` of what is whole), and
//! finds a `device` that computes it as it should (`opening`). What goes wrong is worded for the user in `errors`.
//! `exponential` is called by everything that computes on the processor.

#![cfg(target_family = "wasm")]

mod attending;
mod bindings;
mod compute;
mod corpora;
pub mod device;
pub mod errors;
pub mod event_loop;
mod exponential;
pub mod fetch;
mod folder;
mod job;
pub mod lock;
mod memory;
mod model_files;
mod opening;
mod own;
mod patience;
mod queue;
mod record;
#[cfg(target_family = "wasm")]
pub mod relaxed;
mod restorer_files;
mod restoring;
mod settling;
pub mod source;
pub mod store;
mod stored;
mod training;
mod translating;
mod translator_files;
pub mod worker;
