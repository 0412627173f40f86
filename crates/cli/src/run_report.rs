//! The report of a run of any task, before and after it.

use crate::failure::Result;
use serde::Serialize;
use std::path::Path;
use tuppum_domain::training::MIN_MEASURED_TEXTS;
use tuppum_train::task::TrainingTask;
use tuppum_train::trainer::Trainer;

/// Reports the step from which an interrupted run continues; empty for a new run.
pub fn going_on<T: TrainingTask>(trainer: &Trainer<T>) -> String {
    match trainer.done() {
        0 => String::new(),
        done => format!("; goes on after step {done}"),
    }
}

/// Writes a result as JSON.
///
/// # Errors
/// When a number of it cannot be written.
pub fn json(result: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(result)? + "\n")
}

/// Returns the loss of the last step.
pub fn last_loss<T: TrainingTask>(trainer: &Trainer<T>) -> Option<f32> {
    trainer.curve().last().map(|step| step.loss)
}

/// Returns the result in a few lines; `compared` says how much better the model is, if that was measured.
pub fn summary<T: TrainingTask>(trainer: &Trainer<T>, compared: Option<String>, folder: &Path) -> String {
    let (steps, loss) = (trainer.done(), last_loss(trainer).unwrap_or(f32::NAN));
    let compared =
        compared.unwrap_or_else(|| "Nothing was held out, so nothing is said of how much better it is.".to_owned());
    format!("{steps} steps, last loss {loss:.3}; the model is in {}/model\n{compared}", folder.display())
}

/// Returns a warning if intervals come from too few texts; `told` is the beginning of the sentence.
pub fn few_texts(texts: usize, told: &str) -> String {
    match texts {
        MIN_MEASURED_TEXTS.. => String::new(),
        _ => format!("\nfewer than {MIN_MEASURED_TEXTS} texts{told}: these intervals cannot be trusted"),
    }
}
