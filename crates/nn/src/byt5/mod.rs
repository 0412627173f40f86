//! ByT5 in burn: a translator over bytes, with the hyperbolic bias in its encoder.
//!
//! [`ByT5Config`] is its size, [`ByT5Builder`] takes its weights tensor by tensor under Hugging Face's names, [`ByT5`]
//! reads rows and computes logits, and [`Geometry`] is the bias. [`Decoding`] is the
//! [`NextByte`](tuppum_tasks::generation::NextByte) that the search asks; it keeps the keys and values of the bytes
//! written before. [`translate`] does everything in one call. [`ByT5::attention_map`] returns attention maps,
//! [`ByT5::states`] the encoder's states layer by layer; training uses [`ByT5::forced_logits`] and
//! [`ByT5::parameters_mut`]. No tensor is read synchronously, since a browser cannot do that.

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
pub use hyperbolic_bias::{Geometry, ROOT_FLOOR};
pub use model::{ByT5, LONGEST_ROW, Memory, SourceRow};
pub use parameters::{ByT5ParameterSpec, Value};
pub use position::{RelativePositions, bucket};
pub use self_test::{GOLDEN_TOLERANCE, Golden, computed, self_test};
