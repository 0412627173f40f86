//! The networks in burn: the restorer's torso, ByT5 with the hyperbolic bias, and the layers that both share.
//!
//! No tensor is read synchronously, masks are finite, and a computation yields between layers, so that every network
//! runs in a browser's worker as it does natively.

#![warn(missing_docs)]

pub mod byt5;
pub mod error;
pub mod exponential;
#[cfg(target_family = "wasm")]
mod graphics;
pub mod layers;
pub mod parameters;
pub mod softmax;
pub mod tensors;
pub mod torso;
pub mod yielding;
