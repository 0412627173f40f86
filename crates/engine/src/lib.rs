//! The worker: the only crate that uses both burn and the browser.
//!
//! Messages arrive in `worker`. Requests for a model or for training wait in a `queue` of their kind; requests about
//! the corpora or the storage are served at once. Each request becomes a `job`, which answers with events. `restoring`,
//! `translating`, `attending` and `settling` use models, `training` trains them, `corpora` searches the edited texts,
//! `own` stores the user's own texts, and `stored` fetches, imports, lists and deletes models.
//!
//! Opening a model (`opening`) collects its files (`restorer_files`, `translator_files`), from a `folder` beside the
//! page over the network (`fetch`) or from the browser's storage (`store`, under a `lock`, with a `record` of complete
//! files), and finds a `device` that computes it correctly. `errors` words every failure for the user. `exponential`
//! replaces the exponential function on the processor.

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
