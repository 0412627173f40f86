//! Failures of a computing model.

use super::general::{cancelled, failure, internal, question};
use super::training::diverged;
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::torso::TorsoError;
use tuppum_protocol::{Failure, FailureKind};
use tuppum_train::TrainError;
use tuppum_weights::WeightsError;

/// Reason why a model gave no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// The job was cancelled.
    Cancelled,
    /// The input cannot be read; holds a sentence for the user.
    Input(String),
    /// The device failed while computing or reading back.
    Device(String),
    /// The engine passed invalid input.
    Internal(String),
}

impl From<TorsoError> for ModelError {
    fn from(error: TorsoError) -> Self {
        match error {
            TorsoError::Stopped => Self::Cancelled,
            TorsoError::Row(_) => Self::Internal(error.to_string()),
            TorsoError::Device(problem) => Self::Device(problem),
        }
    }
}

impl From<ByT5Error> for ModelError {
    fn from(error: ByT5Error) -> Self {
        match error {
            ByT5Error::Stopped => Self::Cancelled,
            ByT5Error::Row(_) => Self::Input(error.to_string()),
            ByT5Error::Device(problem) => Self::Device(problem),
        }
    }
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => out.write_str("the computation was cancelled"),
            Self::Input(problem) | Self::Internal(problem) => out.write_str(problem),
            Self::Device(problem) => write!(out, "the computing device failed: {problem}"),
        }
    }
}

impl ModelError {
    /// Words the error for the user, if the processor computed, which cannot be lost.
    pub fn on_the_processor(self) -> Failure {
        match self {
            Self::Cancelled => cancelled(),
            Self::Input(problem) => question(problem),
            error @ (Self::Device(_) | Self::Internal(_)) => internal(error.to_string()),
        }
    }
}

/// Words an error of training for the user; `of_model` words those of its model.
pub fn training(error: TrainError, of_model: impl FnOnce(ModelError) -> Failure) -> Failure {
    match error {
        TrainError::Stopped => cancelled(),
        error @ (TrainError::Plan(_) | TrainError::Fit(_) | TrainError::Task(_) | TrainError::Unwritten { .. }) => {
            question(error)
        }
        TrainError::Diverged { step } => diverged(step),
        TrainError::Model(error) => of_model(error.into()),
        TrainError::Restorer(error) => of_model(error.into()),
        TrainError::Weights(error) => weights(&error),
        TrainError::Finished => question("All steps of this run are already done."),
    }
}

/// Failure: the files of a model are damaged or wrong.
pub fn weights(error: &WeightsError) -> Failure {
    if *error == WeightsError::Stopped {
        return cancelled();
    }
    let hints = error.hints();
    let hints: Vec<&str> = hints.iter().map(String::as_str).collect();
    failure(FailureKind::Weights, format!("The model cannot be used: {error}."), &hints, format!("{error:?}"))
}
