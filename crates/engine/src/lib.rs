//! The worker: the only place where burn meets the browser.
//!
//! `protocol` is plain data and known to both sides; the rest is behind the feature `engine`. A message comes in at
//! `worker`, waits in its `queue`, of which training has one of its own, and becomes a job in `jobs` or, for the translator, in `translating` and `attending`, which
//! brings the files of a model (`restorer_files`, `translator_files`), be it a `folder` from the network (`fetch`) or one in the
//! browser's storage (`store`), loads it on a `device`, and answers with events. Models that the user brings are fetched, copied
//! and listed in `kept`, beside the queues; a run of training is a job in `training`, and `settling` learns a part of the sign
//! tree. `exponential` is called by everything that computes on the CPU.

#![cfg(target_family = "wasm")]

pub mod attending;
mod bindings;
pub mod device;
pub mod errors;
mod exponential;
pub mod fetch;
pub mod folder;
pub mod jobs;
pub mod kept;
pub mod pace;
mod queue;
pub mod restorer_files;
mod settling;
pub mod source;
pub mod store;
pub mod training;
pub mod translating;
pub mod translator_files;
pub mod worker;
