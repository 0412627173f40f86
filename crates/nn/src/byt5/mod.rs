//! ByT5 in burn: a translator over bytes, with the hyperbolic bias in its encoder.
//!
//! [`ByT5Config`] is its size. [`ByT5Builder`] takes its weights tensor by tensor under Hugging Face's names
//! ([`checkpoint_names`]), and [`ByT5::parameters_mut`] gives them to an optimiser. [`ByT5`] (`model.rs`) reads rows
//! and computes logits from the blocks of `block.rs`, which use `position.rs`, `gate.rs` and, in the encoder,
//! [`HyperbolicBias`], the bias.
//!
//! [`translate`] turns rows into texts: it encodes them, and the search asks a [`Decoding`], a
//! [`NextByte`](tuppum_domain::generation::NextByte), for the next bytes. A `Decoding` computes one step at a time, in
//! plain memory on the CPU (`cpu`) and with tensors elsewhere (`device`), and keeps the keys and values of the bytes
//! written before.
//!
//! `hooks.rs` runs the model with something beside it: [`ByT5::attention_map`] and [`ByT5::states`] return what lies in
//! it, and [`ByT5::forced_logits`] trains it. [`self_test()`] compares a device with the reference.
//!
//! No tensor is read synchronously, since a browser cannot do that.

mod block;
mod builder;
pub mod checkpoint_names;
mod config;
mod cpu;
mod decoding;
mod device;
mod gate;
mod hooks;
mod hyperbolic_bias;
mod model;
mod parameters;
mod position;
mod self_test;

pub use crate::error::ByT5Error;
pub use builder::ByT5Builder;
pub use config::{BALL_DIMENSIONS, ByT5Config, GeometryLevel};
pub use decoding::{Decoding, translate, translate_all};
pub use hyperbolic_bias::{HyperbolicBias, ROOT_FLOOR};
pub use model::{ByT5, EncoderStates, LONGEST_ROW, SourceRow};
pub use parameters::{ByT5ParameterSpec, Value};
pub use position::{RelativePositions, bucket};
pub use self_test::{GOLDEN_TOLERANCE, Golden, computed, self_test};
