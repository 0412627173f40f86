//! Comparison of the base and the trained model on held-out data.

use super::base::Chosen;
use crate::job::Job;
use crate::models::opening::Candidate;
use crate::models::restorer::RestorerFiles;
use crate::records::checkpoint::Needed;
use std::f64::consts::LN_2;
use tuppum_eval::bits::paired;
use tuppum_eval::restoration::{RATE, RestorationScores, SEED, choose, paired as paired_restorers};
use tuppum_eval::strata::strata;
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::SAMPLES;
use tuppum_nn::torso::Torso;
use tuppum_protocol::{Changed, Compared, Failure, Phase, RestorerScores, RestorersCompared, Stratum};
use tuppum_random::Random;
use tuppum_tasks::translation::training::Validation;
use tuppum_train::restorer::{self, measure};
use tuppum_train::translator::TranslatorTrainer;

/// Maximum number of stretches of text on which restorers are compared, drawn evenly from the held-out texts.
const MOST_STRETCHES: usize = 200;
/// Number of pairs shown, those that changed most.
const SHOWN: usize = 4;

/// Compares the first and the last measurement of a run; `None` if nothing was held out, or it was measured only once.
pub fn compared(trainer: &TranslatorTrainer) -> Option<Compared> {
    let (first, last) = (trainer.validations().first()?, trainer.validations().last()?);
    if first.after == last.after {
        return None;
    }
    let [_, held_out] = trainer.plan().split();
    let keys = held_out.iter().filter_map(|number| trainer.plan().pairs.get(*number));
    let texts = TextGroups::of(keys.map(|pair| pair.text_key()));
    let draws = &mut Random::new(trainer.plan().settings.seed);
    let found = paired(first, last, &texts, SAMPLES, draws).ok()?;
    let pairs = held_out.iter().filter_map(|number| trainer.plan().pairs.get(*number));
    let measured = first.bits.iter().zip(&last.bits).zip(&first.bytes);
    let mut changed: Vec<Changed> = pairs
        .zip(measured)
        .map(|(pair, ((before, after), bytes))| {
            let per_byte = |bits: f32| f64::from(bits) / f64::from(*bytes).max(1.0);
            let (source, target) = (pair.source.clone(), pair.target.clone());
            Changed { source, target, before: per_byte(*before), after: per_byte(*after) }
        })
        .collect();
    let change = |one: &Changed| (one.after - one.before).abs();
    changed.sort_by(|one, other| change(other).total_cmp(&change(one)));
    let count = changed.len();
    changed.truncate(SHOWN);
    Some(Compared {
        before: found.first,
        after: found.second,
        difference: found.difference.value,
        interval: [found.difference.low, found.difference.high],
        pairs: count,
        texts: texts.count(),
        changed,
        strata: hard(trainer, first, last, &texts),
    })
}

/// Compares both measurements on the hard sources.
fn hard(trainer: &TranslatorTrainer, first: &Validation, last: &Validation, texts: &TextGroups) -> Vec<Stratum> {
    let sources = |side: &[usize]| -> Vec<&str> {
        side.iter().filter_map(|number| trainer.plan().pairs.get(*number)).map(|pair| pair.source.as_str()).collect()
    };
    let [trained, held_out] = trainer.plan().split();
    // Cannot fail: both were measured by this trainer, on these pairs.
    let found = strata(sources(&trained), &sources(&held_out), first, last, texts).unwrap_or_default();
    let stratum = |one: tuppum_eval::strata::PairedStratum| Stratum {
        name: one.name.to_owned(),
        pairs: one.pairs,
        texts: one.texts,
        before: one.bits.first,
        after: one.bits.second,
        difference: one.bits.difference.value,
        interval: [one.bits.difference.low, one.bits.difference.high],
    };
    found.into_iter().map(stratum).collect()
}

/// Compares the base and the trained restorer on signs of the held-out texts; `None` if nothing was held out.
pub async fn restorers_compared(
    job: &Job,
    trainer: &restorer::RestorerTrainer,
    (run, base): (&str, &Needed),
    chosen: &Chosen,
) -> Result<Option<RestorersCompared>, Failure> {
    let held_out = trainer.held_out(MOST_STRETCHES);
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
    let texts = TextGroups::of(trainer.held_out_texts(MOST_STRETCHES));
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
