//! Errors of a torso.

use crate::softmax::Unreadable;
use crate::yielding::Cancelled;
use std::fmt;

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

/// Wraps burn's error for a tensor that cannot be read.
pub(super) fn device_error(error: impl fmt::Debug) -> TorsoError {
    TorsoError::Device(format!("{error:?}"))
}
