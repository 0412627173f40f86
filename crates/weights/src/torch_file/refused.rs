//! The error of a file of PyTorch that is not read.

use crate::error::WeightsError;

/// Says what is malformed, refused or not known.
pub fn refused(problem: impl Into<String>) -> WeightsError {
    WeightsError::Torch(problem.into())
}
