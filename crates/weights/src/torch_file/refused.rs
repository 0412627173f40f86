//! The error for a PyTorch file that is refused.

use crate::error::WeightsError;

/// Creates the error that says what is malformed, refused or unknown.
pub fn refused(problem: impl Into<String>) -> WeightsError {
    WeightsError::Torch(problem.into())
}
