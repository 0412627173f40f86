//! Errors of settings.

use super::lorentz::CurvatureError;
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
