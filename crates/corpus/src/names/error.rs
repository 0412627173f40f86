//! Why a model of names cannot be read or made.

use crate::attested::PackError;
use thiserror::Error;

/// Why a model of names cannot be read or made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameModelError {
    /// The file is no pack, of another version, cut off, or its sections cannot be unpacked.
    #[error("the model of names cannot be read: {0}")]
    Pack(#[from] PackError),
    /// The model tells other kinds of names apart than this program knows.
    #[error("the model of names tells the kinds {found:?} apart, this program {known:?}; fetch it anew")]
    Kinds {
        /// The kinds of the model.
        found: String,
        /// The kinds of this program.
        known: String,
    },
    /// Points have no coordinates, or more than this program reads.
    #[error("the points of the model of names have {0} coordinates; 1 to 64 are possible")]
    Dimension(usize),
    /// There are more or fewer numbers than features and kinds have.
    #[error("the model of names has {found} {what}, {needed} are needed; fetch it anew")]
    Count {
        /// What there is.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
    /// Features are not in order, so that none would be found.
    #[error("the features of the model of names are not in order; fetch it anew")]
    Order,
    /// A number is infinite or none, or a temperature is not above zero.
    #[error("a number of the model of names is impossible; fetch it anew")]
    Number,
}
