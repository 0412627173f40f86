//! What can go wrong with training.

use super::failure;
use crate::engine::protocol::{Failure, FailureKind};

/// A run does not fit into a tab.
pub fn training_too_large(needed: u64) -> Failure {
    failure(
        FailureKind::Question,
        format!(
            "Training this model in this way needs about {:.1} GB of memory, more than the 4.29 GB that a tab can use on the CPU.",
            needed as f64 / 1e9
        ),
        &[
            "Choose a smaller model, or a new one.",
            "Train small additions only (LoRA): of a large model they take a fraction of the memory.",
            "tuppum train on the command line has no such limit.",
        ],
        format!("{needed} bytes"),
    )
}

/// A checkpoint could not be written; the run itself still stands.
pub fn not_checkpointed(step: u32, refusal: impl Into<String>) -> Failure {
    failure(
        FailureKind::Storage,
        format!(
            "The browser could not keep a checkpoint of step {step}. The run rests and is not lost as long as this page stays open."
        ),
        &[
            "There may be too little room: delete a model or another run that you no longer need, then press Resume.",
            "A private window often stores nothing: open the page in an ordinary one.",
        ],
        refusal,
    )
}

/// No checkpoint of a run can be read.
pub fn no_checkpoint(name: &str, details: impl Into<String>) -> Failure {
    failure(
        FailureKind::Weights,
        format!("The run {name} cannot go on: neither of its two checkpoints can be read; they are damaged or gone."),
        &[
            "Delete the run and start it anew: the same corpus, settings and seed give the same run.",
            "What was made a model of it stays on the page “Models”.",
        ],
        details,
    )
}

/// The loss is no number any more.
pub fn diverged(step: u32) -> Failure {
    failure(
        FailureKind::Question,
        format!("Training broke off: in step {step} the loss was no number any more. What came before is kept."),
        &[
            "The learning rate may be too high for this model: start anew with a tenth of it.",
            "On a graphics device, the device may have computed wrongly: choose the CPU.",
        ],
        "",
    )
}
