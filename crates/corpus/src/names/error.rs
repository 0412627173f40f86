//! Errors of reading or making a model of names.

use crate::attested::PackError;
use thiserror::Error;

/// Reason why a model of names cannot be read or made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameModelError {
    /// The file is not a pack, has another version, is cut off, or its sections cannot be unpacked.
    #[error("the model of names cannot be read: {0}")]
    Pack(#[from] PackError),
    /// The model knows other kinds of names than this program.
    #[error("the model of names tells the kinds {found:?} apart, this program {known:?}; fetch it anew")]
    Kinds {
        /// Kinds of the model.
        found: String,
        /// Kinds of this program.
        known: String,
    },
    /// Points have no coordinates, or more than this program reads.
    #[error("the points of the model of names have {0} coordinates; 1 to 64 are possible")]
    Dimension(usize),
    /// The model has too many or too few numbers for its features and kinds.
    #[error("the model of names has {found} {what}, {needed} are needed; fetch it anew")]
    Count {
        /// Kind of number counted.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number needed.
        needed: usize,
    },
    /// The features are not sorted, so that none would be found.
    #[error("the features of the model of names are not in order; fetch it anew")]
    Order,
    /// A number is infinite or not a number, or the temperature is not above zero.
    #[error("a number of the model of names is impossible; fetch it anew")]
    Number,
}
