//! The restorer's torso in burn: a bidirectional encoder over signs, with a head that predicts the masked ones.
//!
//! [`TorsoConfig`] is its size, [`TorsoBuilder`] takes its weights tensor by tensor, [`Torso`] computes, and
//! [`TorsoScorer`] is the [`Scorer`](tuppum_domain::restoration::Scorer) that the search asks: it batches rows and
//! caches logits. No tensor is read synchronously, since a browser cannot do that.

mod block;
mod builder;
mod cache;
mod config;
mod forward;
mod gelu;
mod influence;
mod parameters;
mod scorer;
mod self_test;

pub use super::tensors::TensorSpec;
pub use super::yielding::{Cancelled, NeverYields, Yield};
pub use crate::error::TorsoError;
pub use builder::TorsoBuilder;
pub use config::TorsoConfig;
pub use forward::Torso;
pub use parameters::{TorsoParameterSpec, TorsoPart};
pub use scorer::{Batching, TorsoScorer};
pub use self_test::{GOLDEN_TOLERANCE, Golden, computed, self_test};
