//! The worker: the only crate that uses both burn and the browser.
//!
//! Messages arrive in `worker`. Requests for a model or for training wait in a `queue` of their kind; requests about
//! the corpora or the storage are served at once. Each request becomes a `job`, which answers with events. `models`
//! opens models on a device and uses them, `training` trains them, `live_tree` learns a part of the sign tree.
//! `storage` reads and writes the browser's storage, `records` says what in it is complete. `errors` words every
//! failure for the user.
//!
//! Code that needs no browser compiles natively too, where its tests run.

pub mod ablation_results;
pub mod comparison;
pub mod errors;
pub mod live_tree;
pub mod queue;
pub mod records;

#[cfg(target_family = "wasm")]
pub mod bindings;
#[cfg(target_family = "wasm")]
mod job;
#[cfg(target_family = "wasm")]
pub mod models;
#[cfg(target_family = "wasm")]
pub mod storage;
#[cfg(target_family = "wasm")]
pub mod timeouts;
#[cfg(target_family = "wasm")]
mod training;
#[cfg(target_family = "wasm")]
pub mod wasm_module;
#[cfg(target_family = "wasm")]
pub mod worker;
