//! Training in the worker, of translators and of restorers: a run is a job that makes steps, keeps checkpoints in the browser's storage, and goes on from them.
//!
//! [`begin`] and [`go_on`] bring a [`Held`] run to work; it stays in memory while it rests, so that going on is quick, and lies on
//! its [`shelf`] besides, so that nothing but the steps since the last checkpoint is lost with the tab.

mod ablation;
mod base;
mod compared;
mod held;
mod run;
mod samples;
mod scored;
mod shelf;

pub use ablation::run as ablate;
pub use held::Held;
pub use scored::score;

use super::device::Trouble;
use super::errors;
use super::jobs::{Job, from_torso, from_weights};
use super::kept;
use super::protocol::{Event, Failure, KeptTraining, RestorerOrder, TrainingGoOn, TrainingOrder};
use super::translating::from_byt5;
use crate::train::restorer;
use crate::train::translator::{TrainError, Trainer};
use burn::tensor::Device;
use run::Run;
use shelf::{Checkpoints, Note};

/// Begins a run and makes its steps, or the first ones; the run is left in `held`.
///
/// # Errors
/// The plan or the base cannot be used, the memory does not suffice, the device failed, or the job was stopped.
pub async fn begin(job: &Job, held: &mut Option<Held>, order: TrainingOrder) -> Result<(), Failure> {
    *held = None; // before the next one comes, so that memory holds only one
    order.plan.check().map_err(errors::question)?;
    let chosen = base::device(job, order.device).await?;
    let model = base::open(job, &order.base, &order.plan, &chosen).await?;
    let trainer = Trainer::new(&model, order.plan).map_err(|error| from_train(error, chosen.trouble.as_ref()))?;
    let additions = trainer.plan().settings.additions.is_some();
    let run = Run::Translator(Box::new(trainer));
    hold(job, held, run, chosen, (&order.name, order.base, additions)).await.work(job, order.steps).await
}

/// Begins a run of a restorer, as [`begin`] does of a translator.
///
/// # Errors
/// As of [`begin`].
pub async fn begin_restorer(job: &Job, held: &mut Option<Held>, order: RestorerOrder) -> Result<(), Failure> {
    *held = None;
    order.plan.check().map_err(errors::question)?;
    let mut chosen = base::device(job, order.device).await?;
    let settings = &order.plan.settings;
    let (torso, vocabulary) = base::open_restorer(job, &order.base, settings, &mut chosen, order.device).await?;
    let trainer = restorer::Trainer::new(&torso, &vocabulary, order.plan);
    let trainer = trainer.map_err(|error| from_train(error, chosen.trouble.as_ref()))?;
    let run = Run::Restorer(Box::new(trainer));
    hold(job, held, run, chosen, (&order.name, order.base, false)).await.work(job, order.steps).await
}

/// A new run with its place in the storage, where the browser gives one. It has a name, a base, and perhaps trains additions.
async fn hold<'h>(
    job: &Job,
    held: &'h mut Option<Held>,
    run: Run,
    chosen: base::Chosen,
    (name, base, additions): (&str, String, bool),
) -> &'h mut Held {
    let (checkpoints, name, storage_note) = match Checkpoints::new_run(job, name).await {
        Ok((checkpoints, name)) => (Some(checkpoints), name, None),
        Err(refusal) => (None, name.to_owned(), Some(refusal)),
    };
    let (craft, of, pairs, parameters) = (run.craft(), run.steps(), run.sides(), run.parameters());
    let (samples, restorers) = (Vec::new(), None);
    let note = Note { step: 0, of, craft, base, pairs, bytes: 0, written: 0.0, samples, restorers, additions };
    held.insert(Held { name, run, note, checkpoints, chosen, parameters, storage_note, checkpoint_note: None })
}

/// Goes on with a run, from memory if it is there, else from its newest whole checkpoint.
///
/// # Errors
/// No checkpoint can be read, the device failed, or the job was stopped.
pub async fn go_on(job: &Job, held: &mut Option<Held>, asked: TrainingGoOn) -> Result<(), Failure> {
    if held.as_ref().is_none_or(|run| run.name != asked.name) {
        *held = None;
        let chosen = base::device(job, asked.device).await?;
        *held = Some(bring(job, &asked.name, chosen).await?);
    }
    match held {
        Some(run) => run.work(job, asked.steps).await,
        None => Err(errors::no_checkpoint(&asked.name, "")),
    }
}

async fn bring(job: &Job, name: &str, chosen: base::Chosen) -> Result<Held, Failure> {
    let mut checkpoints = Checkpoints::of_run(job, name).await?;
    let (run, note, checkpoint_note) = newest(job, name, &mut checkpoints, &chosen.device).await?;
    let parameters = run.parameters();
    let (name, checkpoints) = (name.to_owned(), Some(checkpoints));
    Ok(Held { name, run, note, checkpoints, chosen, parameters, storage_note: None, checkpoint_note })
}

/// A run from its newest whole checkpoint, its base opened where it needs one.
async fn newest(
    job: &Job,
    name: &str,
    checkpoints: &mut Checkpoints,
    device: &Device,
) -> Result<(Run, Note, Option<String>), Failure> {
    let base = match checkpoints.needed_base().await {
        Some(base) => Some(base::load(job, &base, device).await?),
        None => None,
    };
    checkpoints.newest(name, device, base.as_ref()).await
}

/// Makes a model on the user's shelf of a run.
///
/// # Errors
/// No checkpoint can be read, or the browser has no room.
pub async fn keep(job: &Job, held: Option<&Held>, name: &str, model: &str) -> Result<(), Failure> {
    if let Some(held) = held.filter(|held| held.name == name) {
        return put_on_shelf(job, model, &held.note.base, &held.run).await;
    }
    let mut checkpoints = Checkpoints::of_run(job, name).await?;
    let (run, note, _) = newest(job, name, &mut checkpoints, &Device::flex()).await?;
    put_on_shelf(job, model, &note.base, &run).await
}

async fn put_on_shelf(job: &Job, model: &str, base: &str, run: &Run) -> Result<(), Failure> {
    match run {
        Run::Translator(trainer) => kept::keep_trained(job, model, base, &trainer.model()).await,
        Run::Restorer(trainer) => {
            kept::keep_trained_restorer(job, model, base, &trainer.torso(), trainer.vocabulary()).await
        }
    }
}

/// Which runs are kept.
pub async fn list(job: &Job) {
    job.tell(Event::Trainings(shelf::list().await));
}

/// Deletes a run.
///
/// # Errors
/// Why the browser refuses, or the job was stopped while another tab had the run.
pub async fn forget(job: &Job, name: &str) -> Result<(), Failure> {
    shelf::forget(job, name).await
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
