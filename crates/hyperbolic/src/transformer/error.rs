//! Errors of making, reading and using a Transformer.

use crate::error::SettingsError;
use std::fmt::Debug;
use thiserror::Error;

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
