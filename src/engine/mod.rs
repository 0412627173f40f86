//! The worker: the only place where burn meets the browser.
//!
//! `protocol` is plain data and known to both sides; the rest is behind the feature `engine`. A message comes in at
//! `worker`, waits in its `queue`, of which training has one of its own, and becomes a job in `jobs` or, for the translator, in `translating` and `attending`, which
//! brings the files of a model (`restorer_files`, `translator_files`), be it a `folder` from the network (`fetch`) or one in the
//! browser's storage (`store`), loads it on a `device`, and answers with events. Models that the user brings are fetched, copied
//! and listed in `kept`, beside the queues; a run of training is a job in `training`, and `settling` learns a part of the sign
//! tree. `exponential` is called by everything that computes on the CPU.

#[cfg(feature = "engine")]
pub mod attending;
#[cfg(feature = "engine")]
mod bindings;
#[cfg(feature = "engine")]
pub mod device;
#[cfg(feature = "engine")]
pub mod errors;
#[cfg(feature = "engine")]
mod exponential;
#[cfg(feature = "engine")]
pub mod fetch;
#[cfg(feature = "engine")]
pub mod folder;
#[cfg(feature = "engine")]
pub mod jobs;
#[cfg(feature = "engine")]
pub mod kept;
#[cfg(feature = "engine")]
pub mod pace;
pub mod protocol;
#[cfg(feature = "engine")]
mod queue;
#[cfg(feature = "engine")]
pub mod restorer_files;
#[cfg(feature = "engine")]
mod settling;
#[cfg(feature = "engine")]
pub mod source;
#[cfg(feature = "engine")]
pub mod store;
#[cfg(feature = "engine")]
pub mod training;
#[cfg(feature = "engine")]
pub mod translating;
#[cfg(feature = "engine")]
pub mod translator_files;
#[cfg(feature = "engine")]
pub mod worker;
