//! Failures of a computing model, and of training one.

use super::general::{cancelled, failure, internal, question};
use super::storage::StorageError;
use std::fmt::Display;
use tuppum_domain::training::OptimiserRule;
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::torso::TorsoError;
use tuppum_protocol::{Failure, FailureKind, ModelRef};
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

/// Returns a hint for runs that another optimiser could make smaller.
fn lighter_optimiser(rule: OptimiserRule) -> Option<&'static str> {
    (rule != OptimiserRule::Adafactor)
        .then_some("Choose Adafactor as the optimiser: it needs two fifths less for the weights than AdamW.")
}

/// Failure: a run does not fit into a tab; `reason` says why the tab computes on the processor.
pub fn training_too_large(needed: u64, rule: OptimiserRule, reason: &str) -> Failure {
    let mut hints = vec![
        "Choose a smaller model, or a new one.",
        "Train adapters only (LoRA) or the hyperbolic bias alone: they need a fraction of the memory.",
    ];
    hints.extend(lighter_optimiser(rule));
    hints.push("tuppum train on the command line has no such limit.");
    failure(
        FailureKind::Question,
        format!(
            "Training this model in this way needs about {:.1} GB of memory, more than the 4.29 GB that a tab can use \
             on the CPU. {reason}",
            needed as f64 / 1e9
        ),
        &hints,
        format!("{needed} bytes"),
    )
}

/// Failure: a run of a restorer does not fit into a tab.
pub fn restorer_training_too_large(needed: u64, rule: OptimiserRule) -> Failure {
    let mut hints = vec!["Train fewer layers: the last four need a fraction of the memory that all need."];
    hints.extend(lighter_optimiser(rule));
    hints.push("tuppum train-restorer on the command line has no such limit.");
    failure(
        FailureKind::Question,
        format!(
            "Training this restorer in this way needs about {:.1} GB of memory, more than the 4.29 GB that a tab can \
             use.",
            needed as f64 / 1e9
        ),
        &hints,
        format!("{needed} bytes"),
    )
}

/// Failure: a checkpoint could not be written; the run itself is not lost.
pub fn not_checkpointed(step: u32, refusal: impl Display) -> Failure {
    failure(
        FailureKind::Storage,
        format!(
            "The browser could not save a checkpoint of step {step}. The run is paused and is not lost as long as this \
             page stays open."
        ),
        &[
            "There may be too little room: delete a model or another run that you no longer need, then press Resume.",
            "A private window often stores nothing: open the page in an ordinary one.",
        ],
        refusal,
    )
}

/// Failure: a run that the browser cannot store would be lost.
pub fn only_in_memory(name: &str, step: u32, refusal: &StorageError) -> Failure {
    failure(
        FailureKind::Storage,
        format!("The run {name}, at step {step}, is only in the memory of this page and would be lost."),
        &[
            "Save it on this device first: the page “Models” opens the files again.",
            "A private window often stores nothing: in an ordinary one a run is stored.",
        ],
        refusal,
    )
}

/// Failure: another model has the name of the one that a run started from.
pub fn base_changed(run: &str, base: &ModelRef) -> Failure {
    failure(
        FailureKind::Question,
        format!("The model {base} is not the one that the run {run} began with: another model has that name now."),
        &[
            "A run of LoRA adapters can continue only with the model that it began with, and can be compared only with \
             that one.",
            "If the whole model was trained, its last checkpoint can still be used: save it as a model, or download \
             it.",
        ],
        "",
    )
}

/// Failure: another tab has the run.
pub fn run_elsewhere(name: &str) -> Failure {
    failure(
        FailureKind::Question,
        format!("The run {name} is open in another tab of this browser."),
        &["Close it there with “Stop here” or “Close this run”, or close that tab; then try again."],
        "",
    )
}

/// Failure: the files of a model could not be made.
pub fn not_saved(refusal: impl Display) -> Failure {
    failure(
        FailureKind::Storage,
        "The browser could not make the files of the model; the run itself is unharmed.",
        &["There may be too little memory: close other tabs, then try again."],
        refusal,
    )
}

/// Failure: no checkpoint of a run can be read.
pub fn no_checkpoint(name: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!(
            "The run {name} cannot continue: neither of its two checkpoints can be read; they are damaged or gone."
        ),
        &[
            "Delete the run and start it again: the same corpus, settings and seed give the same run.",
            "Models that were saved from it stay on the page “Models”.",
        ],
        details,
    )
}

/// Failure: the loss is no longer finite.
pub fn diverged(step: u32) -> Failure {
    failure(
        FailureKind::Question,
        format!("Training stopped: in step {step} the loss was no longer a number. The steps before it are kept."),
        &[
            "The learning rate may be too high for this model: start again with a tenth of it.",
            "On a graphics device, the device may have computed wrongly: choose the CPU.",
        ],
        "",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_to_choose_what_they_chose() {
        for rule in OptimiserRule::ALL {
            for failure in [training_too_large(1, rule, ""), restorer_training_too_large(1, rule)] {
                let advised = failure.hints.iter().any(|hint| hint.contains("Adafactor"));
                assert_eq!(advised, rule != OptimiserRule::Adafactor, "{:?}", failure.hints);
            }
        }
    }
}
