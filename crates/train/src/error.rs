//! Errors of training.

use thiserror::Error;
use tuppum_domain::error::PlanProblem;
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::torso::TorsoError;
use tuppum_nn::yielding::Cancelled;
use tuppum_weights::{SourceError, WeightsError};

/// Error that ends training. The trainer is left as after the last complete step.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The job was cancelled.
    #[error("training was stopped")]
    Stopped,
    /// The plan is impossible.
    #[error(transparent)]
    Plan(#[from] PlanProblem),
    /// The plan does not fit the model.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A task of another crate cannot be carried out, for its own reason.
    #[error("{0}")]
    Task(Box<dyn std::error::Error + Send + Sync>),
    /// The device failed, or a row cannot be read.
    #[error("{0}")]
    Model(ByT5Error),
    /// The restorer failed.
    #[error("{0}")]
    Restorer(TorsoError),
    /// The loss or the gradient is no longer finite.
    #[error("in step {step} the loss or its gradient was no number any more")]
    Diverged { step: u32 },
    /// All steps were made already.
    #[error("all steps of the plan have been made")]
    Finished,
    /// A checkpoint or an export could not be written or read.
    #[error("{0}")]
    Weights(WeightsError),
    /// A value has no form as JSON.
    #[error("{what} cannot be written: {reason}")]
    Unwritten {
        /// Name of the value.
        what: &'static str,
        /// Message of the JSON writer.
        reason: String,
    },
}

/// Reason why a plan does not fit the model to train.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FitError {
    /// No tensor trains.
    #[error("everything is frozen; nothing is left to train")]
    AllFrozen,
    /// Only the bias is to train, and the model has none.
    #[error("the hyperbolic bias alone is to train, and the model has none; choose one that the run attaches to it")]
    NoBias,
    /// A bias is to reach more encoder blocks than the model has.
    #[error(
        "the hyperbolic bias is to reach {asked} encoder blocks, and the model has {layers}; say {layers} or fewer"
    )]
    BiasLayers {
        /// Number of encoder blocks that the bias is to reach.
        asked: usize,
        /// Number of encoder blocks of the model.
        layers: usize,
    },
    /// The points of a bias cannot be used.
    #[error("the points of the hyperbolic bias cannot be used: {0}")]
    Points(String),
    /// No text has enough signs that the model knows.
    #[error(
        "the model's vocabulary knows too few signs of the texts to learn from any; see whether they are \
         transliterated Akkadian"
    )]
    UnknownSigns,
    /// The vocabulary belongs to another model.
    #[error("the vocabulary has {vocabulary} tokens and the model {model}; they do not belong together")]
    Vocabulary {
        /// Number of tokens of the vocabulary.
        vocabulary: usize,
        /// Number of tokens of the model.
        model: usize,
    },
    /// Sequences are longer than the model accepts.
    #[error("a window of {window} tokens is longer than the model reads, {longest}")]
    Window {
        /// Number of tokens of the window.
        window: usize,
        /// Largest number of tokens that the model accepts.
        longest: usize,
    },
    /// The model has fewer layers than are to train.
    #[error(
        "{asked} layers are to train, and the model has {layers}; say at most {layers}, or leave it out to train all"
    )]
    Layers {
        /// Number of layers to train.
        asked: usize,
        /// Number of layers of the model.
        layers: usize,
    },
    /// A run that stores only its adapters or bias is to continue without its base model.
    #[error("the run trains LoRA adapters or a bias of a model; that model has to be given to go on with it")]
    NoBase,
    /// A run of adapters or of a bias is to continue with a base model of another size.
    #[error("the model that was given is not of the size of the one that the run began with")]
    OtherBase,
    /// An adapter does not have the size of the map that it is added to.
    #[error("{0} does not fit the model that the run began with")]
    Adapter(String),
}

impl TrainError {
    /// Creates the error for a value that has no form as JSON.
    pub(crate) fn unwritten(what: &'static str, reason: &serde_json::Error) -> Self {
        Self::Unwritten { what, reason: reason.to_string() }
    }

    /// Returns likely cause and what to do, one sentence each.
    pub fn hints(&self) -> Vec<String> {
        let hints: &[&str] = match self {
            Self::Diverged { .. } => &[
                "The learning rate may be too high for this model, or the device computed wrongly.",
                "Lower the learning rate or lengthen the warm-up, and go on from the last checkpoint.",
            ],
            Self::Model(ByT5Error::Device(_)) | Self::Restorer(TorsoError::Device(_)) => &[
                "The device may have been lost or be out of memory.",
                "Go on from the last checkpoint with each batch computed in more parts, or on the CPU.",
            ],
            Self::Weights(error) => return error.hints(),
            _ => &[],
        };
        hints.iter().map(ToString::to_string).collect()
    }
}

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
