//! ByT5 in burn: a translator over bytes, with the hyperbolic bias in its encoder.
//!
//! [`ByT5Config`] is its size, [`ByT5Builder`] takes its weights tensor by tensor under Hugging Face's names, [`ByT5`]
//! reads rows and computes logits, [`Geometry`] is the bias, and [`Decoding`] is the
//! [`NextByte`](tuppum_tasks::generation::NextByte) that the search asks: it keeps what was computed for the bytes
//! before. [`translate`] is all of it in one call. [`ByT5::attention_map`] draws the maps of its attention,
//! [`ByT5::states`] gives its encoder's states layer by layer; [`ByT5::forced_logits`] and [`ByT5::parameters_mut`] are
//! what training asks. Nothing here reads a tensor synchronously, since a browser cannot.

mod attention;
mod attention_map;
mod block;
mod builder;
mod config;
mod decoder_in_memory;
mod decoding;
mod error;
mod forced;
mod gate;
mod geometry;
mod heads_in_memory;
mod model;
pub mod names;
mod parameters;
mod position;
mod row;
mod rows_in_memory;
mod rows_on_device;
mod self_test;
mod sources_in_memory;
mod states;
mod step_in_memory;
mod step_on_device;
mod translate;
mod watch;

pub use builder::ByT5Builder;
pub use config::{BALL_DIMENSIONS, ByT5Config, GeometryLevel};
pub use decoding::Decoding;
pub use error::ByT5Error;
pub use geometry::{Geometry, ROOT_FLOOR};
pub use model::{ByT5, Memory};
pub use parameters::{ByT5ParameterSpec, Value};
pub use position::{RelativePositions, bucket};
pub use row::{LONGEST_ROW, SourceRow};
pub use self_test::{GOLDEN_TOLERANCE, Golden, computed, self_test};
pub use translate::{translate, translate_all};
