//! Errors of a ByT5.

use crate::softmax::Unreadable;
use crate::yielding::Cancelled;
use std::fmt;

/// Error of a ByT5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByT5Error {
    /// The job was cancelled.
    Stopped,
    /// The row cannot be read: it is empty, too long, or has a token or point that does not exist.
    Row(String),
    /// The device failed while computing or reading back, often because it was lost or ran out of memory.
    Device(String),
}

impl fmt::Display for ByT5Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(out, "the computation was cancelled"),
            Self::Row(problem) => write!(out, "the model cannot read this text: {problem}"),
            Self::Device(problem) => write!(out, "the computing device failed: {problem}"),
        }
    }
}

impl std::error::Error for ByT5Error {}

impl From<Cancelled> for ByT5Error {
    fn from(_: Cancelled) -> Self {
        Self::Stopped
    }
}

impl From<Unreadable> for ByT5Error {
    fn from(error: Unreadable) -> Self {
        Self::Device(error.to_string())
    }
}

/// Wraps burn's error for a tensor that cannot be read.
pub(super) fn device_error(error: impl fmt::Debug) -> ByT5Error {
    ByT5Error::Device(format!("{error:?}"))
}

/// Reads the numbers of a tensor.
pub(super) async fn read<const D: usize>(tensor: burn::tensor::Tensor<D>) -> Result<Vec<f32>, ByT5Error> {
    tensor.into_data_async().await.map_err(device_error)?.try_into_vec::<f32>().map_err(device_error)
}
