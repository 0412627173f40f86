//! Errors of the networks: impossible sizes, tensors that do not fit, rows and devices that fail.

use super::yielding::Cancelled;
use burn::tensor::Tensor;
use std::fmt;
use thiserror::Error;

/// Maximum number of blocks of a stack; the deepest published T5 has 48.
pub const MOST_LAYERS: usize = 256;

/// Reason why no model can be built from a configuration.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ConfigError {
    /// The text is not JSON, or JSON of another kind.
    #[error("it is no {whose}'s: {reason}")]
    Json {
        /// Kind of model whose configuration was expected.
        whose: &'static str,
        /// Message of the JSON reader.
        reason: String,
    },
    /// The configuration describes another kind of model.
    #[error("it describes a model of the kind {kind:?}{architecture}; only ByT5, of the kind \"t5\", can be used")]
    Kind {
        /// Kind named in the configuration.
        kind: String,
        /// Class named in the configuration, in brackets; empty if it names none.
        architecture: String,
    },
    /// A size is 0 or absurdly large.
    #[error("{name} is {size}; it must lie between 1 and {largest}")]
    Size {
        /// Name of the entry.
        name: &'static str,
        /// Value of the entry.
        size: usize,
        /// Largest size accepted.
        largest: usize,
    },
    /// All heads together are absurdly wide.
    #[error("num_heads is {heads} and d_kv {width}; together no more than {largest}")]
    Heads {
        /// Number of attention heads.
        heads: usize,
        /// Width of a head.
        width: usize,
        /// Largest width of all heads together that is accepted.
        largest: usize,
    },
    /// There are more blocks than supported.
    #[error("{name} is {layers}; no more than {most} are computed here")]
    Layers {
        /// Name of the entry.
        name: &'static str,
        /// Value of the entry.
        layers: usize,
        /// Maximum number of blocks.
        most: usize,
    },
    /// The vocabulary is not the vocabulary of bytes.
    #[error("vocab_size is {size}; a model over bytes has between {bytes} and 1024 tokens")]
    Vocabulary {
        /// Size that the configuration states.
        size: usize,
        /// Number of bytes and special tokens.
        bytes: usize,
    },
    /// Relative distances cannot be sorted into this number of buckets.
    #[error("relative_attention_num_buckets is {0}; it must be a multiple of 4, below the largest distance")]
    Buckets(usize),
    /// The feed-forward part is of another kind.
    #[error("feed_forward_proj is {0:?}; only \"gated-gelu\" (T5 v1.1) is computed here")]
    FeedForward(String),
    /// The decoder begins with another token.
    #[error("decoder_start_token_id is {0}; a ByT5 begins with 0")]
    DecoderStart(u32),
    /// A number that must be above 0 is not.
    #[error("layer_norm_epsilon is {0}; it must be above 0")]
    Epsilon(f64),
    /// The curvature is below 0 or not a number.
    #[error("curvature is {0}; it must be above 0, or 0 for Euclid's space")]
    Curvature(f64),
    /// A number of the calibration is not finite.
    #[error("a number of calibration is infinite or no number; fit it anew, or leave it out")]
    Calibration,
    /// The width of a head is odd.
    #[error("head_dim is {0}; rotary positions need an even number")]
    OddHead(usize),
    /// The model was trained on longer rows than it accepts.
    #[error("window is {window}, more than longest, {longest}")]
    Window {
        /// Number of signs that the model was trained to see at once.
        window: usize,
        /// Length of the longest row that the model accepts.
        longest: usize,
    },
    /// The base of the rotary frequencies is at most 1 or not a number.
    #[error("rope_base is {0}; it must be above 1")]
    RopeBase(f64),
    /// The temperature is too low, too high, or not a number.
    #[error("temperature is {0}; it must be between 0.1 and 10, or left out")]
    Temperature(f32),
}

/// Reason why tensors do not make up a model.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TensorError {
    /// The model has no tensor of this name, or the tensor was put before.
    #[error("{name}: this {model} has no such tensor, or has it already")]
    Unknown {
        /// Name of the tensor.
        name: String,
        /// Kind of model.
        model: &'static str,
    },
    /// A tensor has another size.
    #[error("{name}: {numbers} numbers instead of {shape:?}")]
    Size {
        /// Name of the tensor.
        name: String,
        /// Number of elements of the tensor.
        numbers: usize,
        /// Shape that the model needs.
        shape: Vec<usize>,
    },
    /// The numbers of the hyperbolic bias do not make up whole points.
    #[error("{name}: {numbers} numbers make no points of {dimensions} dimensions")]
    Points {
        /// Name of the tensor.
        name: String,
        /// Number of elements of the tensor.
        numbers: usize,
        /// Number of dimensions of a point.
        dimensions: usize,
    },
    /// A tensor of the hyperbolic bias was put twice.
    #[error("{0}: came already")]
    Again(String),
    /// Some tensors are missing.
    #[error("{name}: missing, as {count} tensors are in all")]
    Missing {
        /// Name of the first missing tensor.
        name: String,
        /// Number of missing tensors.
        count: usize,
    },
    /// A tensor that a block needs is missing.
    #[error("{0}: missing")]
    Part(String),
    /// The points of the hyperbolic bias cannot be used.
    #[error(transparent)]
    Bias(#[from] OutsideBall),
}

/// A point that does not lie inside the ball.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("point {number} lies outside the ball of curvature −{curvature}")]
pub struct OutsideBall {
    /// Number of the point.
    pub number: usize,
    /// Curvature of the ball, sign flipped.
    pub curvature: f64,
}

/// Error of burn when the numbers of a tensor cannot be read from its device.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Unreadable(String);

impl Unreadable {
    pub(super) fn of(error: impl fmt::Debug) -> Self {
        Self(format!("{error:?}"))
    }
}

/// Reads the numbers of a tensor.
pub(super) async fn read<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, Unreadable> {
    tensor.into_data_async().await.map_err(Unreadable::of)?.try_into_vec::<f32>().map_err(Unreadable::of)
}

/// Error of a ByT5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByT5Error {
    /// The job was cancelled.
    Stopped,
    /// The row cannot be read: it is empty, too long, or has a token or point that does not exist.
    Row(String),
    /// The device failed while computing or reading back, often because it was lost or ran out of memory.
    Device(String),
}

impl fmt::Display for ByT5Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(out, "the computation was cancelled"),
            Self::Row(problem) => write!(out, "the model cannot read this text: {problem}"),
            Self::Device(problem) => write!(out, "the computing device failed: {problem}"),
        }
    }
}

impl std::error::Error for ByT5Error {}

impl From<Cancelled> for ByT5Error {
    fn from(_: Cancelled) -> Self {
        Self::Stopped
    }
}

impl From<Unreadable> for ByT5Error {
    fn from(error: Unreadable) -> Self {
        Self::Device(error.to_string())
    }
}

/// Error of a torso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TorsoError {
    /// The job was cancelled.
    Stopped,
    /// The row cannot be scored: it is too long, empty, or has a token or place that does not exist.
    Row(String),
    /// The device failed while computing or reading back, often because it was lost or ran out of memory.
    Device(String),
}

impl fmt::Display for TorsoError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(out, "the computation was cancelled"),
            Self::Row(problem) => write!(out, "the model cannot score this row: {problem}"),
            Self::Device(problem) => write!(out, "the computing device failed: {problem}"),
        }
    }
}

impl std::error::Error for TorsoError {}

impl From<Cancelled> for TorsoError {
    fn from(_: Cancelled) -> Self {
        Self::Stopped
    }
}

impl From<Unreadable> for TorsoError {
    fn from(error: Unreadable) -> Self {
        Self::Device(error.to_string())
    }
}
