//! Reports on a run of a translator: before and after training.

use crate::failure::Result;
use crate::run_loop::{self, few_texts, going_on, json, last_loss};
use serde::Serialize;
use std::path::Path;
use tuppum_domain::training_memory::TrainingMemory;
use tuppum_domain::translation::points::PointsMoved;
use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan, Validation};
use tuppum_eval::bits::{self, BitsCompared};
use tuppum_eval::strata::{PairedStratum, strata};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::{Comparison, SAMPLES, TranslationCounts, paired};
use tuppum_random::Random;
use tuppum_train::translator::TranslatorTrainer;

/// Number of sentences reported: the ones that changed most.
const CHANGED: usize = 20;

/// Measurements of the held-out pairs before and after. Every interval shows chance among their texts.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// Number of texts measured.
    pub texts: usize,
    /// Bits per byte of the targets; fewer are better.
    pub bits: BitsCompared,
    /// Bits compared where sources are hard.
    pub strata: Vec<PairedStratum>,
    /// Score, √(BLEU · chrF++), if sources were translated.
    pub score: Option<Comparison>,
    /// BLEU and chrF++ before and after.
    pub scores: Option<[tuppum_eval::translation::TranslationScores; 2]>,
    /// The sentences whose own score changed most, the largest change first.
    pub changed: Vec<Changed>,
}

/// A sentence before and after.
#[derive(Debug, Serialize)]
pub struct Changed {
    source: String,
    reference: String,
    before: String,
    after: String,
    difference: f64,
}

impl Compared {
    /// Compares measurements of the held-out `pairs`, and translations of the first of them if there are any. `trained`
    /// are the sources that were trained with. Samples draw texts; the samples of the bits use the seed of the run.
    ///
    /// # Errors
    /// The measurements do not belong to the same pairs.
    pub fn of(
        bits: [Validation; 2],
        trained: &[&str],
        pairs: &[&TranslationPair],
        seed: u64,
        translations: Option<[Vec<String>; 2]>,
    ) -> Result<Self> {
        let sources: Vec<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
        let of = TextGroups::of(pairs.iter().map(|pair| pair.text_key()));
        let texts = of.count();
        let strata = strata(trained.iter().copied(), &sources, &bits[0], &bits[1], &of)?;
        let bits = bits::paired(&bits[0], &bits[1], &of, SAMPLES, &mut Random::new(seed))?;
        let Some([before, after]) = translations else {
            return Ok(Self { texts, bits, strata, score: None, scores: None, changed: Vec::new() });
        };
        let count = |own: &[String]| -> Vec<TranslationCounts> {
            own.iter().zip(pairs).map(|(own, pair)| TranslationCounts::of(own, &pair.target)).collect()
        };
        let counts = [count(&before), count(&after)];
        let places: Vec<usize> = (0..counts[0].len()).collect();
        let by_text = counts.each_ref().map(|own| of.part(&places).sums(own, TranslationCounts::add));
        let score = paired(&by_text[0], &by_text[1], |counts| counts.scores().score, SAMPLES, &mut Random::new(1))?;
        let scores = counts.each_ref().map(|own| own.iter().collect::<TranslationCounts>().scores());
        let chrf = |counts: &TranslationCounts| counts.sentence_scores().chrf;
        let mut changed: Vec<Changed> = pairs
            .iter()
            .zip(before.into_iter().zip(after))
            .zip(counts[0].iter().zip(&counts[1]))
            .map(|((pair, (before, after)), (one, other))| Changed {
                source: pair.source.clone(),
                reference: pair.target.clone(),
                before,
                after,
                difference: chrf(other) - chrf(one),
            })
            .collect();
        changed.sort_by(|one, other| other.difference.abs().total_cmp(&one.difference.abs()));
        changed.truncate(CHANGED);
        Ok(Self { texts, bits, strata, score: Some(score), scores: Some(scores), changed })
    }
}

/// Announces the run in one line; `leaks` counts the held-out pairs whose source trains too.
pub fn beginning(trainer: &TranslatorTrainer, leaks: usize) -> String {
    let plan = trainer.plan();
    let [trained, held_out] = plan.split();
    let left_out = plan.left_out();
    let steps = trainer.steps();
    let longest = plan.settings.longest;
    let mut line = format!("{} pairs train, {} are held out, {steps} steps", trained.len(), held_out.len());
    if left_out > 0 {
        line += &format!("; {left_out} are left out, with more than {longest} bytes");
    }
    if leaks > 0 {
        line += &format!("; {leaks} more would be held out, but their source trains too: they are used for neither");
    }
    line += &going_on(trainer);
    let memory = TrainingMemory::of_translator(trainer.model().config().size(), plan).bytes();
    line + &format!("; takes at most about {:.1} GB of memory", memory as f64 / 1e9)
}

#[derive(Serialize)]
struct RunResult<'a> {
    settings: &'a tuppum_domain::translation::training::TranslatorTrainingSettings,
    pairs: [usize; 2],
    /// Number of held-out pairs that are not measured, because their source is trained with too.
    leaks: usize,
    steps: u32,
    last_loss: Option<f32>,
    alpha: Option<f32>,
    /// Distances that the points of the bias moved, if they learnt.
    points: Option<PointsMoved>,
    validations: Vec<(u32, f64)>,
    compared: Option<&'a Compared>,
}

/// Returns the result as JSON; `leaks` counts the held-out pairs whose source trains too.
///
/// # Errors
/// A number cannot be written as JSON.
pub fn result(trainer: &TranslatorTrainer, leaks: usize, compared: Option<&Compared>) -> Result<String> {
    let TranslatorTrainingPlan { settings, .. } = trainer.plan();
    let result = RunResult {
        settings,
        pairs: trainer.plan().split().map(|side| side.len()),
        leaks,
        steps: trainer.done(),
        last_loss: last_loss(trainer),
        alpha: trainer.curve().last().and_then(|step| step.alpha),
        points: points(trainer),
        validations: trainer.validations().iter().map(|found| (found.after, found.bits_per_byte)).collect(),
        compared,
    };
    json(&result)
}

/// Returns the result in a few lines.
pub fn summary(trainer: &TranslatorTrainer, compared: Option<&Compared>, folder: &Path) -> String {
    let points = points(trainer).map(way).unwrap_or_default();
    run_loop::summary(trainer, compared.map(told), folder) + &points
}

/// Returns the distances of the bias's points from their start before the last step, whose rate is almost nothing.
fn points(trainer: &TranslatorTrainer) -> Option<PointsMoved> {
    trainer.curve().last().and_then(|step| step.points)
}

fn way(PointsMoved { mean, largest, .. }: PointsMoved) -> String {
    format!("\nthe points of the bias moved by {mean:.3} in the mean and by {largest:.3} at most, along geodesics")
}

fn told(compared: &Compared) -> String {
    let Compared { texts, bits, strata, score, scores, .. } = compared;
    let difference = &bits.difference;
    let mut text = format!(
        "held-out bits per byte: {:.3} before, {:.3} after; difference {:.3} ({:.3} to {:.3} in 95 % of samples)",
        bits.first, bits.second, difference.value, difference.low, difference.high
    );
    for PairedStratum { name, pairs, texts, bits } in strata {
        let difference = &bits.difference;
        text += &format!(
            "\n  {pairs} of {texts} texts with {name}: {:.3} before, {:.3} after; difference {:.3} ({:.3} to {:.3})",
            bits.first, bits.second, difference.value, difference.low, difference.high
        );
    }
    if let (Some(score), Some([before, after])) = (score, scores) {
        text += &format!(
            "\nBLEU {:.2} before, {:.2} after; chrF++ {:.2}, {:.2}; score {:.2}, {:.2}; difference {:.2} ({:.2} to \
             {:.2}), p {:.3}",
            before.bleu,
            after.bleu,
            before.chrf,
            after.chrf,
            before.score,
            after.score,
            score.difference.value,
            score.difference.low,
            score.difference.high,
            score.p
        );
    }
    text + &few_texts(*texts, &format!(" are held out, {texts}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(bits: impl Iterator<Item = f32>) -> Validation {
        let bits: Vec<f32> = bits.collect();
        Validation { bits_per_byte: 1.0, bytes: vec![10; bits.len()], bits, ..Validation::default() }
    }

    #[test]
    fn samples_draw_texts_by_the_seed_of_the_run() {
        let bits = || [measured((0..30).map(|_| 50.0)), measured((0..30).map(|number| 50.0 - (number % 7) as f32))];
        let [first, second] = bits();
        // Ten texts of three pairs each.
        let pairs: Vec<TranslationPair> =
            (0..30).map(|number| TranslationPair::new((number / 3).to_string(), "a-na", "to")).collect();
        let pairs: Vec<&TranslationPair> = pairs.iter().collect();
        let texts = TextGroups::of((0..30).map(|number| number / 3));
        for seed in [1, 7] {
            let found = Compared::of(bits(), &["a-na"], &pairs, seed, None).unwrap();
            let draws = &mut Random::new(seed);
            assert_eq!(found.bits, bits::paired(&first, &second, &texts, SAMPLES, draws).unwrap());
            assert_eq!(found.texts, 10);
        }
    }
}
