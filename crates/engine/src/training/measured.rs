//! What a run measures beside its validations: sample translations, and how often a restorer and its base are right.

use super::base::ChosenDevice;
use crate::job::{Job, JobYield};
use crate::models::opening::Candidate;
use crate::models::restorer::RestorerFiles;
use crate::records::checkpoint::NeededBase;
use std::f64::consts::LN_2;
use tuppum_domain::generation::{Method, Options};
use tuppum_eval::restoration::{RATE, RestorationScores, SEED, choose, paired as paired_restorers};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::SAMPLES;
use tuppum_nn::byt5::{ByT5Error, translate};
use tuppum_nn::torso::Torso;
use tuppum_protocol::{Failure, Phase, RestorerScores, RestorersCompared, Sample};
use tuppum_random::Random;
use tuppum_train::restorer::{self, measure};
use tuppum_train::translator::TranslatorTrainer;

/// Maximum number of stretches of text on which restorers are compared, drawn evenly from the held-out texts.
const MAX_STRETCHES: usize = 200;
/// Maximum bytes of a translation; an untrained model would never stop writing.
const MAX_SAMPLE_BYTES: usize = 120;

/// Compares the base and the trained restorer on signs of the held-out texts; `None` if nothing was held out.
pub async fn restorers_compared(
    job: &Job,
    trainer: &restorer::RestorerTrainer,
    (run, base): (&str, &NeededBase),
    chosen: &ChosenDevice,
) -> Result<Option<RestorersCompared>, Failure> {
    let held_out = trainer.held_out(MAX_STRETCHES);
    let places = choose(&held_out, RATE, SEED);
    if places.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    job.progress(Phase::Validate, 0, 0);
    let settings = &trainer.plan().settings;
    let mut files = RestorerFiles::open(job, &base.base, true).await?;
    base.check(run, files.checksum().as_deref())?;
    let torso = files.load(job, &chosen.device.tensors()).await?;
    let failed = |error| chosen.device.training_failure(error);
    let measured = async |torso: &Torso| {
        measure(torso, trainer.vocabulary(), &held_out, &places, settings.batch_tokens, &job.yielder()).await
    };
    let before = measured(&torso).await.map_err(failed)?;
    drop(torso);
    let after = measured(&trainer.model()).await.map_err(failed)?;
    chosen.device.check()?;
    let texts = TextGroups::of(trainer.held_out_texts(MAX_STRETCHES));
    let found = paired_restorers(&before, &after, &texts, SAMPLES, &mut Random::new(settings.seed));
    Ok(found.ok().map(|found| RestorersCompared {
        signs: found.first.targets as usize,
        sequences: found.sequences,
        texts: found.texts,
        before: scores(&found.first),
        after: scores(&found.second),
        bits: [found.loss.value, found.loss.low, found.loss.high].map(|nats| nats / LN_2),
        first: [found.hit_1.value, found.hit_1.low, found.hit_1.high],
    }))
}

fn scores(found: &RestorationScores) -> RestorerScores {
    let RestorationScores { loss, hit_1, hit_5, hit_10, hit_20, mrr, .. } = *found;
    RestorerScores { bits: loss / LN_2, hits: [hit_1, hit_5, hit_10, hit_20], reciprocal_rank: mrr }
}

/// Translates each sample with the current model.
///
/// # Errors
/// The device failed, or the job was cancelled.
pub async fn written(
    job: &Job,
    trainer: &TranslatorTrainer,
    samples: &[Sample],
    yielder: &JobYield,
) -> Result<Vec<String>, ByT5Error> {
    let model = trainer.model();
    let options = Options { method: Method::Greedy, longest: MAX_SAMPLE_BYTES, ..Options::default() };
    let mut texts = Vec::with_capacity(samples.len());
    for (number, sample) in samples.iter().enumerate() {
        job.progress(Phase::Samples, number as u64, samples.len() as u64);
        let rows = [model.row_of(&sample.source)];
        let found = translate(&model, &rows, &options, yielder, |_| ()).await?;
        texts.push(found.into_iter().flatten().next().map(|output| output.text).unwrap_or_default());
    }
    Ok(texts)
}
