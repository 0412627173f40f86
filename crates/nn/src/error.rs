//! What can be wrong with the sizes and the tensors of a model.

use thiserror::Error;

/// Most blocks of a stack that are accepted; the deepest published T5 has 48.
pub const MOST_LAYERS: usize = 256;

/// Why no model of a configuration can be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ConfigError {
    /// It is no JSON, or JSON of another kind.
    #[error("it is no {whose}'s: {reason}")]
    Json {
        /// Whose configuration was expected.
        whose: &'static str,
        /// What the reader of JSON says.
        reason: String,
    },
    /// It describes a model of another kind.
    #[error("it describes a model of the kind {kind:?}{architecture}; only ByT5, of the kind \"t5\", can be used")]
    Kind {
        /// The kind that it names.
        kind: String,
        /// The class that it names, in brackets; empty where it names none.
        architecture: String,
    },
    /// A size is 0 or absurd.
    #[error("{name} is {size}; it must lie between 1 and {largest}")]
    Size {
        /// The entry.
        name: &'static str,
        /// What it says.
        size: usize,
        /// The largest size that is believed.
        largest: usize,
    },
    /// All heads together are absurdly wide.
    #[error("num_heads is {heads} and d_kv {width}; together no more than {largest}")]
    Heads {
        /// Attention heads.
        heads: usize,
        /// Width of each.
        width: usize,
        /// The largest width that is believed.
        largest: usize,
    },
    /// There are more blocks than are computed.
    #[error("{name} is {layers}; no more than {most} are computed here")]
    Layers {
        /// The entry.
        name: &'static str,
        /// What it says.
        layers: usize,
        /// The most that are computed.
        most: usize,
    },
    /// The vocabulary is not that of bytes.
    #[error("vocab_size is {size}; a model over bytes has between {bytes} and 1024 tokens")]
    Vocabulary {
        /// What the entry says.
        size: usize,
        /// The bytes and what comes before them.
        bytes: usize,
    },
    /// Distances cannot be sorted into so many buckets.
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
    /// The curvature is below 0 or no number.
    #[error("curvature is {0}; it must be above 0, or 0 for Euclid's space")]
    Curvature(f64),
    /// A number of the calibration is none.
    #[error("a number of calibration is infinite or no number; fit it anew, or leave it out")]
    Calibration,
    /// The width of a head is odd.
    #[error("head_dim is {0}; rotary positions need an even number")]
    OddHead(usize),
    /// The model was trained on longer rows than it accepts.
    #[error("window is {window}, more than longest, {longest}")]
    Window {
        /// Signs that it was trained to see at once.
        window: usize,
        /// The longest row that it accepts.
        longest: usize,
    },
    /// The base of the rotary frequencies is 1, below, or no number.
    #[error("rope_base is {0}; it must be above 1")]
    RopeBase(f64),
    /// The temperature is too low, too high, or no number.
    #[error("temperature is {0}; it must be between 0.1 and 10, or left out")]
    Temperature(f32),
}

/// Why tensors make no model.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TensorError {
    /// The model has no tensor of this name, or has been given it.
    #[error("{name}: this {model} has no such tensor, or has it already")]
    Unknown {
        /// Name of the tensor.
        name: String,
        /// What the model is called.
        model: &'static str,
    },
    /// A tensor has another size.
    #[error("{name}: {numbers} numbers instead of {shape:?}")]
    Size {
        /// Name of the tensor.
        name: String,
        /// How many numbers it has.
        numbers: usize,
        /// The shape that the model needs.
        shape: Vec<usize>,
    },
    /// The numbers of the hyperbolic bias do not make points.
    #[error("{name}: {numbers} numbers make no points of {dimensions} dimensions")]
    Points {
        /// Name of the tensor.
        name: String,
        /// How many numbers it has.
        numbers: usize,
        /// Numbers of a point.
        dimensions: usize,
    },
    /// A tensor of the hyperbolic bias was given twice.
    #[error("{0}: came already")]
    Again(String),
    /// Some tensors never came.
    #[error("{name}: missing, as {count} tensors are in all")]
    Missing {
        /// Name of the first.
        name: String,
        /// How many they are.
        count: usize,
    },
    /// A tensor that a block needs never came.
    #[error("{0}: missing")]
    Part(String),
    /// The points of the hyperbolic bias cannot be used.
    #[error(transparent)]
    Bias(#[from] OutsideBall),
}

/// A point does not lie inside the ball.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("point {number} lies outside the ball of curvature −{curvature}")]
pub struct OutsideBall {
    /// Number of the point.
    pub number: usize,
    /// The ball has curvature −c; this is c.
    pub curvature: f64,
}
