//! Why training stopped.

use std::fmt;
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::torso::TorsoError;
use tuppum_nn::yielding::Cancelled;
use tuppum_weights::{SourceError, WeightsError};

/// Why training stopped. After any of these the trainer stands where the last whole step left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// The job was cancelled.
    Stopped,
    /// The plan cannot be carried out.
    Plan(String),
    /// The device failed, or a row cannot be read.
    Model(ByT5Error),
    /// The same of a restorer.
    Restorer(TorsoError),
    /// The loss or the gradient is no number any more.
    Diverged {
        /// In which step.
        step: u32,
    },
    /// All steps were made.
    Finished,
    /// A checkpoint or an export could not be written or read.
    Weights(WeightsError),
}

impl TrainError {
    /// Likely cause and what to do, a sentence each.
    pub fn hints(&self) -> Vec<String> {
        let hints: &[&str] = match self {
            Self::Diverged { .. } => &[
                "The learning rate may be too high for this model, or the device computed wrongly.",
                "Lower the learning rate or lengthen the warm-up, and go on from the last checkpoint.",
            ],
            Self::Model(ByT5Error::Device(_)) | Self::Restorer(TorsoError::Device(_)) => &[
                "The device may have been lost or be out of memory.",
                "Go on from the last checkpoint with smaller batches, or on the CPU.",
            ],
            Self::Weights(error) => return error.hints(),
            _ => &[],
        };
        hints.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for TrainError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(out, "training was stopped"),
            Self::Plan(problem) => write!(out, "{problem}"),
            Self::Model(error) => write!(out, "{error}"),
            Self::Restorer(error) => write!(out, "{error}"),
            Self::Diverged { step } => write!(out, "in step {step} the loss or its gradient was no number any more"),
            Self::Finished => write!(out, "all steps of the plan have been made"),
            Self::Weights(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<Cancelled> for TrainError {
    fn from(_: Cancelled) -> Self {
        Self::Stopped
    }
}

impl From<ByT5Error> for TrainError {
    fn from(error: ByT5Error) -> Self {
        if error == ByT5Error::Stopped { Self::Stopped } else { Self::Model(error) }
    }
}

impl From<TorsoError> for TrainError {
    fn from(error: TorsoError) -> Self {
        if error == TorsoError::Stopped { Self::Stopped } else { Self::Restorer(error) }
    }
}

impl From<WeightsError> for TrainError {
    fn from(error: WeightsError) -> Self {
        if error == WeightsError::Stopped { Self::Stopped } else { Self::Weights(error) }
    }
}

impl From<SourceError> for TrainError {
    fn from(error: SourceError) -> Self {
        Self::Weights(error.into())
    }
}
