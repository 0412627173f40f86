//! Sample translations of a few pairs, before training and now.

use crate::job::{Job, JobYield};
use tuppum_nn::byt5::{ByT5Error, translate};
use tuppum_protocol::{Phase, Sample};
use tuppum_tasks::generation::{Method, Options};
use tuppum_train::translator::TranslatorTrainer;

/// Number of samples.
const MOST: usize = 3;
/// Maximum bytes of a translation; an untrained model would never stop writing.
const LONGEST: usize = 120;

/// Chooses the pairs to sample, still without translations: held-out ones first, spread over the corpus.
pub fn chosen(trainer: &TranslatorTrainer) -> Vec<Sample> {
    let [trained, held_out] = trainer.plan().split();
    let spread = |numbers: Vec<usize>, held_out: bool, count: usize| {
        let stride = numbers.len().div_ceil(count.max(1)).max(1);
        let some = numbers.into_iter().step_by(stride).take(count);
        some.filter_map(|number| trainer.plan().pairs.get(number).cloned())
            .map(move |pair| (pair, held_out))
            .collect::<Vec<_>>()
    };
    let mut pairs = spread(held_out, true, MOST - 1);
    pairs.extend(spread(trained, false, MOST - pairs.len()));
    let sample = |(pair, held_out): (tuppum_tasks::translation::training::TranslationPair, bool)| Sample {
        source: pair.source,
        target: pair.target,
        held_out,
        before: String::new(),
        after: None,
    };
    pairs.into_iter().map(sample).collect()
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
    let options = Options { method: Method::Greedy, longest: LONGEST, ..Options::default() };
    let mut texts = Vec::with_capacity(samples.len());
    for (number, sample) in samples.iter().enumerate() {
        job.progress(Phase::Samples, number as u64, samples.len() as u64);
        let rows = [model.row_of(&sample.source)];
        let found = translate(&model, &rows, &options, yielder, |_| ()).await?;
        texts.push(found.into_iter().flatten().next().map(|output| output.text).unwrap_or_default());
    }
    Ok(texts)
}
