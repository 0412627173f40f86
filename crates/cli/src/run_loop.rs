//! The loop shared by all commands that train: the steps of a run, with its checkpoints in a folder, and what is told
//! of a run before and after it.

use crate::device::threads;
use crate::failure::{Failure, Result, advised};
use crate::folder_task::FolderTask;
use crate::run_folder::RunFolder;
use crate::terminal::style;
use burn::tensor::Device;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};
use tuppum_domain::training::MIN_MEASURED_TEXTS;
use tuppum_domain::translation::training::Step;
use tuppum_nn::yielding::NeverYields;
use tuppum_train::TrainError;
use tuppum_train::checkpoint::{self, CheckpointTask};
use tuppum_train::task::TrainingTask;
use tuppum_train::trainer::Trainer;

/// Times at which a run writes checkpoints and at which it stops.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Time between checkpoints.
    pub every: Duration,
    /// Time after which no further step begins.
    pub deadline: Option<Instant>,
}

impl Timing {
    /// Makes a schedule from the minutes between checkpoints and the minutes, from now on, until the run stops.
    pub fn of_minutes(checkpoint: f64, budget: Option<f64>) -> Self {
        let of = |minutes: f64| Duration::from_secs_f64(minutes * 60.0);
        Self { every: of(checkpoint), deadline: budget.map(|minutes| Instant::now() + of(minutes)) }
    }
}

/// Returns the run in a folder, if any. `base` is the model it began with, which some tasks need.
///
/// # Errors
/// What is wrong with its checkpoint.
pub fn resume<T: CheckpointTask>(
    folder: &RunFolder,
    device: &Device,
    base: Option<&T::Base>,
) -> Result<Option<Trainer<T>>> {
    folder.resume(async |name, source| checkpoint::read(name, source, device, base).await)
}

/// Writes the checkpoint and the curve.
fn keep<T: FolderTask>(folder: &RunFolder, trainer: &Trainer<T>) -> Result<()> {
    let curve = T::curve(trainer.curve(), trainer.validations());
    folder.keep(async |sink| checkpoint::write(trainer, sink).await, &curve)
}

/// Makes the remaining steps, with checkpoints, until the deadline. On the processor the parts of a batch are computed
/// at the same time.
///
/// # Errors
/// Error of the trainer or of the disk.
pub fn to_the_end<T: FolderTask>(trainer: &mut Trainer<T>, out: &RunFolder, timing: Timing) -> Result<()> {
    let bar = ProgressBar::new(u64::from(trainer.steps()))
        .with_style(style("training {bar:30} {pos}/{len} {msg}, {eta} left"))
        .with_position(u64::from(trainer.done()));
    if trainer.task().device() == Device::flex() {
        trainer.compute_at_once(threads());
    }
    let mut kept = Instant::now();
    while !trainer.is_finished() && timing.deadline.is_none_or(|deadline| Instant::now() < deadline) {
        let Step { number, loss, .. } = block_on(trainer.step(&NeverYields)).map_err(message)?;
        bar.set_position(u64::from(number));
        bar.set_message(format!("loss {loss:.3}"));
        if kept.elapsed() >= timing.every {
            block_on(trainer.validate(&NeverYields)).map_err(message)?;
            keep(out, trainer)?;
            kept = Instant::now();
        }
    }
    bar.finish_and_clear();
    if T::MEASURES_AT_END && trainer.is_finished() && !trainer.is_measured() {
        block_on(trainer.validate(&NeverYields)).map_err(message)?;
    }
    keep(out, trainer)
}

/// Returns `true` if a run is finished; otherwise prints how to continue it.
pub fn is_finished<T: FolderTask>(trainer: &Trainer<T>) -> bool {
    if !trainer.is_finished() {
        println!("step {} of {}; the same command goes on", trainer.done(), trainer.steps());
    }
    trainer.is_finished()
}

/// Returns an error with its hints.
pub fn message(error: TrainError) -> Failure {
    advised(&error, &error.hints())
}

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
