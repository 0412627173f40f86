//! Settings that nothing can be trained with.

use thiserror::Error;

/// Reason why nothing can be trained with settings.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SettingsError {
    /// A batch is empty, or a learning rate not above 0.
    #[error("the batch must be at least 1 and the learning rate a positive number")]
    Descent,
    /// A probe has too few dimensions, or nothing to read.
    #[error("the dimension is {0}; a probe needs at least 2, and states")]
    ProbeDimension(usize),
    /// Points of a classifier have too few dimensions.
    #[error("the dimension is {0}; points need at least 2")]
    PointDimension(usize),
}
