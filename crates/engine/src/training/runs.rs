//! Training runs from their start to the finished model, and BLEU and chrF++ of the base and of the trained model on
//! held-out pairs. Translating takes time, so a run is scored on request only.

use super::active_run::ActiveRun;
use super::base::{self, ChosenDevice};
use super::checkpoints::Checkpoints;
use super::run::Run;
use super::trained_model::{self, TrainedModel};
use crate::comparison::{scored, scored_pairs};
use crate::errors;
use crate::job::Job;
use crate::records::checkpoint::CheckpointRecord;
use burn::tensor::Device;
use tuppum_domain::generation::{Method, Options};
use tuppum_domain::translation::training::TranslationPair;
use tuppum_nn::byt5::{ByT5, SourceRow, translate_all};
use tuppum_protocol::{
    Failure, ModelRef, Origin as ModelOrigin, Phase, RestorerOrder, ResumeOrder, TrainingEvent, TrainingOrder,
};
use tuppum_train::restorer;
use tuppum_train::translator::TranslatorTrainer;

/// Number of pairs translated at once.
const BATCH: usize = 8;
/// Maximum bytes of a translation; an untrained model would never stop writing.
const MAX_SCORED_BYTES: usize = 256;

/// Starts a run of a translator and makes its steps, or the first ones; the run stays in `active`.
///
/// # Errors
/// The plan or the base cannot be used, there is too little memory, the device failed, or the job was cancelled.
pub async fn train_translator(job: &Job, active: &mut Option<ActiveRun>, order: TrainingOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    release_active(job, active).await?;
    let chosen = base::device(job, order.device).await?;
    let (mut model, checksum) = base::open(job, &order.base, &order.plan, &chosen).await?;
    if let Some(described) = &order.plan.settings.attach {
        base::attach_bias(job, &mut model, described).await?;
    }
    let trainer = TranslatorTrainer::new(&model, order.plan).map_err(|error| chosen.device.training_failure(error))?;
    let needs_base = trainer.plan().settings.keeps_the_base();
    let run = Run::Translator(Box::new(trainer));
    let origin = Origin { name: &order.name, base: order.base, checksum, needs_base };
    active.insert(begin(run, chosen, origin).await).work(job, order.steps).await
}

/// Starts a run of a restorer, as [`train_translator`] does of a translator.
///
/// # Errors
/// The same as those of [`train_translator`].
pub async fn train_restorer(job: &Job, active: &mut Option<ActiveRun>, order: RestorerOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    release_active(job, active).await?;
    let mut chosen = base::device(job, order.device).await?;
    let settings = &order.plan.settings;
    let (torso, vocabulary, checksum) =
        base::open_restorer(job, &order.base, settings, &mut chosen, order.device).await?;
    let trainer = restorer::RestorerTrainer::new(&torso, &vocabulary, order.plan);
    let trainer = trainer.map_err(|error| chosen.device.training_failure(error))?;
    let run = Run::Restorer(Box::new(trainer));
    let origin = Origin { name: &order.name, base: order.base, checksum, needs_base: false };
    active.insert(begin(run, chosen, origin).await).work(job, order.steps).await
}

/// Origin of a new run: the name that the user gave it, the base, and whether the run needs the base to continue.
struct Origin<'n> {
    name: &'n str,
    base: ModelRef,
    checksum: Option<String>,
    needs_base: bool,
}

/// Creates a new run, with a folder in the storage if the browser allows one.
async fn begin(
    run: Run,
    chosen: ChosenDevice,
    Origin { name, base, checksum: base_checksum, needs_base }: Origin<'_>,
) -> ActiveRun {
    let (checkpoints, name, not_stored) = match Checkpoints::new_run(name).await {
        Ok((checkpoints, name)) => (Some(checkpoints), name, None),
        Err(refusal) => (None, name.to_owned(), Some(refusal)),
    };
    let (task, of, pairs, parameters) = (run.task(), run.steps(), run.sides(), run.parameters());
    let (samples, restorers) = (Vec::new(), None);
    let (step, bytes, written) = (0, 0, 0.0);
    let note =
        CheckpointRecord { step, of, task, base, base_checksum, pairs, bytes, written, samples, restorers, needs_base };
    let (stored, checkpoint_note) = (0, None);
    ActiveRun { name, run, note, checkpoints, stored, chosen, parameters, not_stored, checkpoint_note }
}

/// Continues a run, from memory if it is there, else from its newest complete checkpoint.
///
/// # Errors
/// No checkpoint can be read, the device failed, or the job was cancelled.
pub async fn resume(job: &Job, active: &mut Option<ActiveRun>, order: ResumeOrder) -> Result<(), Failure> {
    let mut run = match active.take() {
        Some(run) if run.is_called(&order.name) => run,
        other => {
            *active = other;
            release_active(job, active).await?;
            let chosen = base::device(job, order.device).await?;
            read_active(job, &order.name, chosen).await?
        }
    };
    if let Some(parts) = order.parts {
        run.run.compute_in_parts(parts);
    }
    active.insert(run).work(job, order.steps).await
}

/// Reads a run into memory from its newest complete checkpoint.
async fn read_active(job: &Job, name: &str, chosen: ChosenDevice) -> Result<ActiveRun, Failure> {
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, note, checkpoint_note) = newest(job, name, &mut checkpoints, &chosen.device.tensors()).await?;
    let parameters = run.parameters();
    let (name, checkpoints) = (name.to_owned(), Some(checkpoints));
    let (stored, not_stored) = (note.step, None);
    Ok(ActiveRun { name, run, note, checkpoints, stored, chosen, parameters, not_stored, checkpoint_note })
}

/// Reads a run from its newest complete checkpoint, with its base if it needs one.
async fn newest(
    job: &Job,
    name: &str,
    checkpoints: &mut Checkpoints,
    device: &Device,
) -> Result<(Run, CheckpointRecord, Option<String>), Failure> {
    let base = match checkpoints.needed_base().await {
        Some(base) => Some(base::load(job, name, &base, device).await?),
        None => None,
    };
    checkpoints.newest(name, device, base.as_ref()).await
}

/// Stores the model of a run, from memory or its newest complete checkpoint.
///
/// # Errors
/// No checkpoint can be read, or the browser has no space.
pub async fn store_model(job: &Job, active: Option<&ActiveRun>, name: &str, model: &str) -> Result<(), Failure> {
    if let Some(active) = active.filter(|run| run.is_called(name)) {
        return trained_model::store(job, model, trained(&active.note), &TrainedModel::of(&active.run)).await;
    }
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, note, _) = newest(job, name, &mut checkpoints, &Device::flex()).await?;
    trained_model::store(job, model, trained(&note), &TrainedModel::of(&run)).await
}

/// Returns the origin of a model that a run trained.
fn trained(note: &CheckpointRecord) -> ModelOrigin {
    ModelOrigin::Trained(note.base.clone())
}

/// Writes the model of a run, from memory or its newest complete checkpoint, to files for the user's device.
///
/// # Errors
/// No checkpoint can be read, or the browser has no memory left.
pub async fn save_files(job: &Job, active: Option<&ActiveRun>, name: &str) -> Result<(), Failure> {
    if let Some(active) = active.filter(|run| run.is_called(name)) {
        return trained_model::save(job, &active.run).await;
    }
    let mut checkpoints = Checkpoints::of_run(name).await?;
    let (run, _, _) = newest(job, name, &mut checkpoints, &Device::flex()).await?;
    trained_model::save(job, &run).await
}

/// Releases a run from memory, and with it the right to work on it. Unsaved steps get a checkpoint first, unless they
/// are to be discarded.
///
/// # Errors
/// The checkpoint cannot be written; the run then stays in memory.
pub async fn release(job: &Job, active: &mut Option<ActiveRun>, name: &str, discard: bool) -> Result<(), Failure> {
    match active {
        Some(run) if !run.is_called(name) => Ok(()),
        _ if discard => {
            *active = None;
            Ok(())
        }
        _ => release_active(job, active).await,
    }
}

/// Makes room for another run, since memory holds only one.
async fn release_active(job: &Job, active: &mut Option<ActiveRun>) -> Result<(), Failure> {
    if let Some(run) = active {
        run.save(job).await?;
    }
    *active = None;
    Ok(())
}

/// Translates the held-out pairs with both models and scores them.
///
/// # Errors
/// The run is not in memory or held nothing out, its base cannot be opened, the device failed, or the job was
/// cancelled.
pub async fn score(job: &Job, active: Option<&ActiveRun>, name: &str) -> Result<(), Failure> {
    let run = active.filter(|run| run.is_called(name));
    let run = run.ok_or_else(|| errors::question("This run is not in memory any more: show it, then score it."))?;
    let Run::Translator(trainer) = &run.run else {
        return Err(errors::question("A restorer translates nothing; how often it is right is shown with its run."));
    };
    let plan = trainer.plan();
    let [_, held_out] = plan.split();
    if held_out.is_empty() {
        return Err(errors::question("This run set nothing aside, so there is nothing unseen to score it on."));
    }
    let pairs = scored_pairs(plan);
    job.progress(Phase::Samples, 0, 2 * pairs.len() as u64);
    let before = {
        let (base, checksum) = base::open(job, &run.note.base, plan, &run.chosen).await?;
        run.note.begun_with().check(name, checksum.as_deref())?;
        translated(job, &base, &pairs, run, 0).await?
    };
    let after = translated(job, &trainer.model(), &pairs, run, pairs.len()).await?;
    run.chosen.device.check()?;
    let scored = scored(name, &pairs, [before, after], held_out.len()).map_err(errors::internal)?;
    job.emit(TrainingEvent::Scored(scored));
    Ok(())
}

/// Translates every source, with the most probable byte at each step.
async fn translated(
    job: &Job,
    model: &ByT5,
    pairs: &[&TranslationPair],
    run: &ActiveRun,
    done: usize,
) -> Result<Vec<String>, Failure> {
    let rows: Vec<SourceRow> = pairs.iter().map(|pair| model.row_of(&pair.source)).collect();
    let options = Options { method: Method::Greedy, longest: MAX_SCORED_BYTES, ..Options::default() };
    let report = |more: usize| job.progress(Phase::Samples, (done + more) as u64, 2 * pairs.len() as u64);
    let found = translate_all(model, &rows, &options, BATCH, &job.yielder(), report).await;
    let found = found.map_err(|error| run.chosen.device.failure(error))?;
    Ok(found.into_iter().map(|own| own.into_iter().next().map(|best| best.text).unwrap_or_default()).collect())
}
