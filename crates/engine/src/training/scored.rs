//! BLEU and chrF++ of the base and of the trained model, on held-out pairs. Translating takes time, so this is done on
//! request only.

use super::active_run::ActiveRun;
use super::base;
use super::run::Run;
use crate::errors;
use crate::job::Job;
use tuppum_eval::error::ComparisonError;
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::{SAMPLES, TranslationCounts, TranslationScores, paired};
use tuppum_nn::byt5::{ByT5, SourceRow, translate_all};
use tuppum_protocol::{Failure, Phase, Scored, ScoredFigure, TrainingEvent, Translations};
use tuppum_random::Random;
use tuppum_tasks::generation::{Method, Options};
use tuppum_tasks::translation::training::TranslationPair;

/// Maximum number of pairs translated, spread over the held-out pairs.
const MOST: usize = 40;
/// Number of pairs translated at once.
const BATCH: usize = 8;
/// Maximum bytes of a translation; an untrained model would never stop writing.
const LONGEST: usize = 256;
/// Number of pairs shown, those whose translations changed most.
const SHOWN: usize = 4;

/// Name of a score and its value in the scores of a corpus.
type Figure = (&'static str, fn(&TranslationScores) -> f64);

const FIGURES: [Figure; 3] =
    [("BLEU", |scores| scores.bleu), ("chrF++", |scores| scores.chrf), ("√(BLEU · chrF++)", |scores| scores.score)];

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
    let stride = held_out.len().div_ceil(MOST);
    let pairs: Vec<&TranslationPair> =
        held_out.iter().step_by(stride).filter_map(|number| plan.pairs.get(*number)).collect();
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
    let options = Options { method: Method::Greedy, longest: LONGEST, ..Options::default() };
    let report = |more: usize| job.progress(Phase::Samples, (done + more) as u64, 2 * pairs.len() as u64);
    let found = translate_all(model, &rows, &options, BATCH, &job.yielder(), report).await;
    let found = found.map_err(|error| run.chosen.device.failure(error))?;
    Ok(found.into_iter().map(|own| own.into_iter().next().map(|best| best.text).unwrap_or_default()).collect())
}

fn scored(
    name: &str,
    pairs: &[&TranslationPair],
    texts: [Vec<String>; 2],
    set_aside: usize,
) -> Result<Scored, ComparisonError> {
    let count = |own: &Vec<String>| -> Vec<TranslationCounts> {
        own.iter().zip(pairs).map(|(own, pair)| TranslationCounts::of(own, &pair.target)).collect()
    };
    let counts = texts.each_ref().map(count);
    let of = TextGroups::of(pairs.iter().map(|pair| pair.text_key()));
    let by_text = counts.each_ref().map(|own| of.sums(own, TranslationCounts::add));
    let mut figures = Vec::with_capacity(FIGURES.len());
    for (name, figure) in FIGURES {
        let of = |counts: &TranslationCounts| figure(&counts.scores());
        let found = paired(&by_text[0], &by_text[1], of, SAMPLES, &mut Random::new(1))?;
        figures.push(ScoredFigure {
            name: name.to_owned(),
            before: found.first.value,
            after: found.second.value,
            difference: found.difference.value,
            interval: [found.difference.low, found.difference.high],
        });
    }
    let own = |side: usize, number: usize| counts[side][number].sentence_scores().chrf;
    let change = |number: &usize| (own(1, *number) - own(0, *number)).abs();
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by(|one, other| change(other).total_cmp(&change(one)));
    let shown = |number: usize| Translations {
        source: pairs[number].source.clone(),
        target: pairs[number].target.clone(),
        before: texts[0][number].clone(),
        after: texts[1][number].clone(),
    };
    let changed = order.into_iter().take(SHOWN).map(shown).collect();
    Ok(Scored { run: name.to_owned(), pairs: [pairs.len(), set_aside], figures, changed })
}
