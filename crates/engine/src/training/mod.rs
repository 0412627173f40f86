//! Training in the worker, of translators and of restorers: a run is a job that makes steps, keeps checkpoints in the browser's storage, and goes on from them.
//!
//! [`begin`] and [`go_on`] bring a [`Held`] run to work; it stays in memory while it rests, so that going on is quick, and lies on
//! its [`shelf`] besides, so that nothing but the steps since the last checkpoint is lost with the tab.

mod ablation;
mod base;
mod compared;
mod held;
mod made;
mod run;
mod samples;
mod saved;
mod scored;
mod shelf;

pub use ablation::run as ablate;
pub use held::Held;
pub use made::Made;
pub use scored::score;

use super::device::Trouble;
use super::errors;
use super::jobs::{Job, from_torso, from_weights};
use super::kept;
use super::translating::from_byt5;
use burn::tensor::Device;
use run::Run;
use shelf::{Checkpoints, Note};
use tuppum_protocol::{Event, Failure, KeptTraining, RestorerOrder, TrainingGoOn, TrainingOrder};
use tuppum_train::restorer;
use tuppum_train::translator::{TrainError, Trainer};

/// Begins a run and makes its steps, or the first ones; the run is left in `held`.
///
/// # Errors
/// The plan or the base cannot be used, the memory does not suffice, the device failed, or the job was stopped.
pub async fn begin(job: &Job, held: &mut Option<Held>, order: TrainingOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    let_go(job, held).await?;
    let chosen = base::device(job, order.device).await?;
    let (model, checksum) = base::open(job, &order.base, &order.plan, &chosen).await?;
    let trainer = Trainer::new(&model, order.plan).map_err(|error| from_train(error, chosen.trouble.as_ref()))?;
    let additions = trainer.plan().settings.additions.is_some();
    let run = Run::Translator(Box::new(trainer));
    let origin = Origin { name: &order.name, base: order.base, checksum, additions };
    hold(held, run, chosen, origin).await.work(job, order.steps).await
}

/// Begins a run of a restorer, as [`begin`] does of a translator.
///
/// # Errors
/// As of [`begin`].
pub async fn begin_restorer(job: &Job, held: &mut Option<Held>, order: RestorerOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    let_go(job, held).await?;
    let mut chosen = base::device(job, order.device).await?;
    let settings = &order.plan.settings;
    let (torso, vocabulary, checksum) =
        base::open_restorer(job, &order.base, settings, &mut chosen, order.device).await?;
    let trainer = restorer::Trainer::new(&torso, &vocabulary, order.plan);
    let trainer = trainer.map_err(|error| from_train(error, chosen.trouble.as_ref()))?;
    let run = Run::Restorer(Box::new(trainer));
    let origin = Origin { name: &order.name, base: order.base, checksum, additions: false };
    hold(held, run, chosen, origin).await.work(job, order.steps).await
}

/// Where a new run comes from: the name that the user gave it, what it begins with, and whether it trains additions to that.
struct Origin<'n> {
    name: &'n str,
    base: String,
    checksum: Option<String>,
    additions: bool,
}

/// A new run with its place in the storage, where the browser gives one.
async fn hold<'h>(
    held: &'h mut Option<Held>,
    run: Run,
    chosen: base::Chosen,
    Origin { name, base, checksum: base_checksum, additions }: Origin<'_>,
) -> &'h mut Held {
    let (checkpoints, name, storage_note) = match Checkpoints::new_run(name).await {
        Ok((checkpoints, name)) => (Some(checkpoints), name, None),
        Err(refusal) => (None, name.to_owned(), Some(refusal)),
    };
    let (craft, of, pairs, parameters) = (run.craft(), run.steps(), run.sides(), run.parameters());
    let (samples, restorers) = (Vec::new(), None);
    let (step, bytes, written) = (0, 0, 0.0);
    let note = Note { step, of, craft, base, base_checksum, pairs, bytes, written, samples, restorers, additions };
    let (kept, checkpoint_note) = (0, None);
    held.insert(Held { name, run, note, checkpoints, kept, chosen, parameters, storage_note, checkpoint_note })
}

/// Goes on with a run, from memory if it is there, else from its newest whole checkpoint.
///
/// # Errors
/// No checkpoint can be read, the device failed, or the job was stopped.
pub async fn go_on(job: &Job, held: &mut Option<Held>, asked: TrainingGoOn) -> Result<(), Failure> {
    if held.as_ref().is_none_or(|run| run.name != asked.name) {
        let_go(job, held).await?;
        let chosen = base::device(job, asked.device).await?;
        *held = Some(bring(job, &asked.name, chosen).await?);
    }
    match held {
        Some(run) => run.work(job, asked.steps).await,
        None => Err(errors::no_checkpoint(&asked.name, "")),
    }
}

async fn bring(job: &Job, name: &str, chosen: base::Chosen) -> Result<Held, Failure> {
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, note, checkpoint_note) = newest(job, name, &mut checkpoints, &chosen.device).await?;
    let parameters = run.parameters();
    let (name, checkpoints) = (name.to_owned(), Some(checkpoints));
    let (kept, storage_note) = (note.step, None);
    Ok(Held { name, run, note, checkpoints, kept, chosen, parameters, storage_note, checkpoint_note })
}

/// A run from its newest whole checkpoint, its base opened where it needs one.
async fn newest(
    job: &Job,
    name: &str,
    checkpoints: &mut Checkpoints,
    device: &Device,
) -> Result<(Run, Note, Option<String>), Failure> {
    let base = match checkpoints.needed_base().await {
        Some(base) => Some(base::load(job, name, &base, device).await?),
        None => None,
    };
    checkpoints.newest(name, device, base.as_ref()).await
}

/// Makes a model on the user's shelf of a run.
///
/// # Errors
/// No checkpoint can be read, or the browser has no room.
pub async fn keep(job: &Job, held: Option<&Held>, name: &str, model: &str) -> Result<(), Failure> {
    if let Some(held) = held.filter(|held| held.is_called(name)) {
        return kept::keep_trained(job, model, &held.note.base, &Made::of(&held.run)).await;
    }
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, note, _) = newest(job, name, &mut checkpoints, &Device::flex()).await?;
    kept::keep_trained(job, model, &note.base, &Made::of(&run)).await
}

/// Makes files for the user's device of a run.
///
/// # Errors
/// No checkpoint can be read, or the browser has no memory left.
pub async fn save(job: &Job, held: Option<&Held>, name: &str) -> Result<(), Failure> {
    if let Some(held) = held.filter(|held| held.is_called(name)) {
        return saved::save(job, &held.run).await;
    }
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, _, _) = newest(job, name, &mut checkpoints, &Device::flex()).await?;
    saved::save(job, &run).await
}

/// Lets a run go from memory, and with it the right to work on it. Unless steps may be lost (`unkept`), it is kept first.
///
/// # Errors
/// It cannot be kept; it then stays in memory.
pub async fn put_away(job: &Job, held: &mut Option<Held>, name: &str, unkept: bool) -> Result<(), Failure> {
    match held {
        Some(run) if !run.is_called(name) => Ok(()),
        _ if unkept => {
            *held = None;
            Ok(())
        }
        _ => let_go(job, held).await,
    }
}

/// Makes room for another run, since memory holds only one.
async fn let_go(job: &Job, held: &mut Option<Held>) -> Result<(), Failure> {
    if let Some(run) = held {
        run.keep(job).await?;
    }
    *held = None;
    Ok(())
}

/// Which runs are kept.
pub async fn list(job: &Job) {
    job.tell(Event::Trainings(shelf::list().await));
}

/// Deletes a run.
///
/// # Errors
/// Why the browser refuses, or another tab has the run.
pub async fn forget(name: &str) -> Result<(), Failure> {
    shelf::forget(name).await
}

/// What an error of training means to the user.
pub(super) fn from_train(error: TrainError, trouble: Option<&Trouble>) -> Failure {
    match error {
        TrainError::Stopped => errors::cancelled(),
        TrainError::Plan(problem) => errors::question(problem),
        TrainError::Diverged { step } => errors::diverged(step),
        TrainError::Model(error) => from_byt5(error, trouble),
        TrainError::Restorer(error) => from_torso(error, trouble),
        TrainError::Weights(error) => from_weights(&error),
        TrainError::Finished => errors::question("All steps of this run are made already."),
    }
}

impl Note {
    /// As the page is told of it.
    fn told(&self, name: &str) -> KeptTraining {
        KeptTraining {
            name: name.to_owned(),
            craft: self.craft,
            base: self.base.clone(),
            step: Some(self.step),
            of: self.of,
            pairs: self.pairs,
            bytes: self.bytes,
            written: self.written,
        }
    }
}
