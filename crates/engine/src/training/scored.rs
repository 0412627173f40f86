//! BLEU and chrF++ of the base and of the trained model, on held-out pairs. Translating takes time, so this is done on
//! request only.

use super::active_run::ActiveRun;
use super::base;
use super::run::Run;
use crate::comparison::{scored, scored_pairs};
use crate::errors;
use crate::job::Job;
use tuppum_nn::byt5::{ByT5, SourceRow, translate_all};
use tuppum_protocol::{Failure, Phase, TrainingEvent};
use tuppum_tasks::generation::{Method, Options};
use tuppum_tasks::translation::training::TranslationPair;

/// Number of pairs translated at once.
const BATCH: usize = 8;
/// Maximum bytes of a translation; an untrained model would never stop writing.
const MAX_SCORED_BYTES: usize = 256;

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
