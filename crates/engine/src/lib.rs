//! The worker: the only crate that uses both burn and the browser.
//!
//! Messages arrive in `worker`. Requests for a model or for training wait in a `queue` of their kind; requests about
//! the corpora or the storage are served at once. Each request becomes a `job`, which answers with events. `models`
//! opens models on a device and uses them, `training` trains them, `live_tree` learns a part of the sign tree.
//! `storage` reads and writes the browser's storage. `errors` words every failure for the user.

#![cfg(target_family = "wasm")]

mod bindings;
pub mod errors;
pub mod event_loop;
mod job;
mod live_tree;
pub mod models;
mod queue;
pub mod storage;
mod timeouts;
mod training;
pub mod wasm_module;
pub mod worker;
