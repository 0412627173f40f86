//! Errors of settings, and of making, reading and using a Transformer.

use super::lorentz::CurvatureError;
use std::fmt::Debug;
use thiserror::Error;

/// Reason why nothing can be made or trained with settings.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SettingsError {
    /// Points of a graph have too few dimensions.
    #[error(
        "the dimension is {0}; on a line nothing can turn around anything else, so points need at least 2 dimensions. \
         The paper has 32."
    )]
    GraphDimension(usize),
    /// Planes of two coordinates do not fill the points.
    #[error("the dimension is {0}; RotH and AttH turn planes of two coordinates, so it must be even")]
    OddDimension(usize),
    /// A hyperbolic graph has no negative curvature.
    #[error(
        "the curvature is {0}, but hyperbolic space has a negative one. Give a negative number, -1 for the paper's; \
         for curvature 0 choose the Euclidean geometry."
    )]
    GraphCurvature(f32),
    /// A number must be above 0 and finite.
    #[error("the {name} is {value}; it must be a positive finite number")]
    NotPositive {
        /// Name of the setting, as the user knows it.
        name: &'static str,
        /// Value of the setting.
        value: f32,
    },
    /// Something that a run counts is 0.
    #[error("the {0} is 0; it must be at least 1")]
    Zero(&'static str),
    /// The learning rate of a run is not above 0.
    #[error("the learning rate is {0}; it must be a positive number such as 0.005")]
    Rate(f32),
    /// The decay of a run is not between 0 and 1.
    #[error("the decay is {0}; it is a share of the epochs, from 0 to 1")]
    Decay(f32),
    /// The smoothing of a run is not between 0 and 1.
    #[error("the smoothing is {0}; it is a share of the truth, from 0 to below 1, such as 0.1")]
    Smoothing(f32),
    /// False tails cannot be spared by the triples to test by and drawn from all entities at once.
    #[error("a leak spares true tails from being drawn as false ones; it cannot be had where any entity is drawn")]
    Leak,
    /// A hyperboloid has no negative curvature.
    #[error(transparent)]
    Curvature(#[from] CurvatureError),
    /// A size of a Transformer is 0.
    #[error("the {0} is 0; it must be 1 or more")]
    NoSize(&'static str),
    /// Heads of one size do not fill the width.
    #[error(
        "a width of {width} cannot be cut into {heads} heads of one size; take a width that {heads} divides, or other \
         heads"
    )]
    Heads {
        /// The width.
        width: usize,
        /// The heads.
        heads: usize,
    },
    /// Layers by the tangent space have nothing that a residual or a position could be merged into.
    #[error(
        "linear layers by the tangent space have no gate, which merged residuals and the position layer need; choose \
         other linear layers, or let both be added"
    )]
    NoGate,
    /// The vocabulary does not even have the bytes.
    #[error("the vocabulary has {vocabulary} tokens; the bytes and what comes before them need {needed}")]
    Vocabulary {
        /// Tokens of the vocabulary.
        vocabulary: usize,
        /// Tokens that are needed.
        needed: usize,
    },
}

/// Problem of a Transformer, of its numbers or of its input.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TransformerError {
    /// The settings are impossible.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There is nothing to read.
    #[error("there is no text to read; give one at least")]
    NoText,
    /// A text is empty, or longer than the model reads.
    #[error(
        "a text of {tokens} tokens cannot be read: the model has positions for 1 to {longest}, its end included; cut it"
    )]
    Length {
        /// Tokens of the text.
        tokens: usize,
        /// Maximum that the model reads.
        longest: usize,
    },
    /// A token is not in the vocabulary.
    #[error("there is no token {token}; the model has {vocabulary}, counted from 0")]
    Token {
        /// The token.
        token: u32,
        /// Tokens of the vocabulary.
        vocabulary: usize,
    },
    /// The encoder has no states.
    #[error("the encoder has no layers")]
    NoLayers,
    /// The device failed; what burn says of it.
    #[error("{0}")]
    Device(String),
    /// A tensor is missing.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// A tensor is unknown to the model.
    #[error("tensor {0} is unknown to a model of this size")]
    Unknown(String),
    /// A tensor has another size.
    #[error("tensor {name} has {numbers} numbers; its shape is {shape:?}")]
    Shape {
        /// Name of the tensor.
        name: String,
        /// Number of numbers found.
        numbers: usize,
        /// The shape that the model needs.
        shape: Vec<usize>,
    },
    /// A point lies off the hyperboloid.
    #[error(
        "point {row} of tensor {name} does not lie on the hyperboloid of curvature {curvature}: its time-like \
         coordinate is {found} instead of {time}"
    )]
    OffHyperboloid {
        /// Number of the point.
        row: usize,
        /// Name of the tensor.
        name: String,
        /// Curvature of the hyperboloid.
        curvature: f64,
        /// Time-like coordinate found.
        found: f32,
        /// Time-like coordinate expected.
        time: f32,
    },
}

impl TransformerError {
    /// Wraps burn's error when a tensor cannot be read.
    pub(super) fn device(error: impl Debug) -> Self {
        Self::Device(format!("{error:?}"))
    }
}
