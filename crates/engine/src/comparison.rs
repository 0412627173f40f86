//! Comparison of the base and the trained translator, from what was measured and translated on held-out pairs.

use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan, Validation};
use tuppum_eval::bits::paired;
use tuppum_eval::error::ComparisonError;
use tuppum_eval::strata::strata;
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::{SAMPLES, TranslationCounts, TranslationScores, paired as paired_scores};
use tuppum_protocol::{Changed, Compared, Sample, Scored, ScoredFigure, Stratum, Translations};
use tuppum_random::Random;

/// Number of samples.
const SAMPLE_COUNT: usize = 3;
/// Maximum number of pairs translated, spread over the held-out pairs.
const MAX_SCORED_PAIRS: usize = 40;
/// Number of pairs shown, those that changed most.
const SHOWN: usize = 4;

/// Name of a score and its value in the scores of a corpus.
type Figure = (&'static str, fn(&TranslationScores) -> f64);

const FIGURES: [Figure; 3] =
    [("BLEU", |scores| scores.bleu), ("chrF++", |scores| scores.chrf), ("√(BLEU · chrF++)", |scores| scores.score)];

/// Chooses the pairs to sample, still without translations: held-out ones first, spread over the corpus.
pub fn samples(plan: &TranslatorTrainingPlan) -> Vec<Sample> {
    let [trained, held_out] = plan.split();
    let spread = |numbers: Vec<usize>, held_out: bool, count: usize| {
        let stride = numbers.len().div_ceil(count.max(1)).max(1);
        let some = numbers.into_iter().step_by(stride).take(count);
        some.filter_map(|number| plan.pairs.get(number).cloned()).map(move |pair| (pair, held_out)).collect::<Vec<_>>()
    };
    let mut pairs = spread(held_out, true, SAMPLE_COUNT - 1);
    pairs.extend(spread(trained, false, SAMPLE_COUNT - pairs.len()));
    let sample = |(pair, held_out): (TranslationPair, bool)| Sample {
        source: pair.source,
        target: pair.target,
        held_out,
        before: String::new(),
        after: None,
    };
    pairs.into_iter().map(sample).collect()
}

/// Compares the first and the last measurement of a run; `None` if nothing was held out, or it was measured only once.
pub fn compared(plan: &TranslatorTrainingPlan, validations: &[Validation]) -> Option<Compared> {
    let (first, last) = (validations.first()?, validations.last()?);
    if first.after == last.after {
        return None;
    }
    let [_, held_out] = plan.split();
    let keys = held_out.iter().filter_map(|number| plan.pairs.get(*number));
    let texts = TextGroups::of(keys.map(|pair| pair.text_key()));
    let draws = &mut Random::new(plan.settings.seed);
    let found = paired(first, last, &texts, SAMPLES, draws).ok()?;
    let pairs = held_out.iter().filter_map(|number| plan.pairs.get(*number));
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
        strata: hard(plan, first, last, &texts),
    })
}

/// Compares both measurements on the hard sources.
fn hard(plan: &TranslatorTrainingPlan, first: &Validation, last: &Validation, texts: &TextGroups) -> Vec<Stratum> {
    let sources = |side: &[usize]| -> Vec<&str> {
        side.iter().filter_map(|number| plan.pairs.get(*number)).map(|pair| pair.source.as_str()).collect()
    };
    let [trained, held_out] = plan.split();
    // Cannot fail: both are measurements of one run, on these pairs.
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

/// Chooses the held-out pairs to score, at most 40, spread over all of them.
pub fn scored_pairs(plan: &TranslatorTrainingPlan) -> Vec<&TranslationPair> {
    let [_, held_out] = plan.split();
    let stride = held_out.len().div_ceil(MAX_SCORED_PAIRS).max(1);
    held_out.iter().step_by(stride).filter_map(|number| plan.pairs.get(*number)).collect()
}

/// Scores the translations of the base and of the trained model; `set_aside` is the number of held-out pairs.
///
/// # Errors
/// There are no pairs.
pub fn scored(
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
        let found = paired_scores(&by_text[0], &by_text[1], of, SAMPLES, &mut Random::new(1))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of as many texts, two in each.
    fn plan(texts: usize) -> TranslatorTrainingPlan {
        let pair = |number: usize| TranslationPair {
            text: format!("text {}", number / 2),
            source: format!("source {number}"),
            target: format!("the merchant sends {number} minas of silver"),
            weight: 1.0,
        };
        TranslatorTrainingPlan { pairs: (0..2 * texts).map(pair).collect(), ..TranslatorTrainingPlan::default() }
    }

    /// A measurement of the held-out pairs, each with this many bits for ten bytes.
    fn validation(plan: &TranslatorTrainingPlan, after: u32, bits: impl Fn(usize) -> f32) -> Validation {
        let [_, held_out] = plan.split();
        let bits: Vec<f32> = (0..held_out.len()).map(bits).collect();
        let bytes = vec![10; bits.len()];
        let bits_per_byte = f64::from(bits.iter().sum::<f32>()) / (10 * bits.len()) as f64;
        Validation { after, bits_per_byte, bits, bytes }
    }

    #[test]
    fn samples_are_held_out_pairs_first() {
        let plan = plan(200);
        let [trained, held_out] = plan.split();
        let samples = samples(&plan);
        assert_eq!(samples.iter().map(|sample| sample.held_out).collect::<Vec<_>>(), [true, true, false]);
        let source = |number: usize| plan.pairs[number].source.clone();
        assert_eq!(samples[0].source, source(held_out[0]));
        assert_eq!(samples[1].source, source(held_out[held_out.len().div_ceil(2)]), "spread over the corpus");
        assert_eq!(samples[2].source, source(trained[0]));
        assert!(samples.iter().all(|sample| sample.before.is_empty() && sample.after.is_none()));
    }

    #[test]
    fn one_measurement_is_no_comparison() {
        let plan = plan(200);
        let first = validation(&plan, 0, |_| 20.0);
        assert_eq!(compared(&plan, &[]), None);
        assert_eq!(compared(&plan, std::slice::from_ref(&first)), None);
        assert_eq!(compared(&plan, &[first.clone(), first]), None, "both are from before the first step");
    }

    #[test]
    fn the_first_and_the_last_measurement_are_compared() {
        let plan = plan(200);
        let [before, between] = [(0, 20.0), (5, 99.0)].map(|(after, bits)| validation(&plan, after, move |_| bits));
        let last = validation(&plan, 10, |number| if number == 1 { 5.0 } else { 15.0 });
        let found = compared(&plan, &[before, between, last.clone()]).unwrap();
        assert_eq!((found.before, found.after), (2.0, last.bits_per_byte));
        assert!((found.difference - (last.bits_per_byte - 2.0)).abs() < 1e-9, "{}", found.difference);
        assert!(
            found.interval[0] <= found.difference && found.difference <= found.interval[1] && found.interval[1] < 0.0
        );
        let [_, held_out] = plan.split();
        assert_eq!((found.pairs, found.texts, found.changed.len()), (held_out.len(), held_out.len() / 2, SHOWN));
        assert_eq!(found.changed[0].source, plan.pairs[held_out[1]].source, "the most changed pair comes first");
        assert_eq!((found.changed[0].before, found.changed[0].after), (2.0, 0.5));
    }

    #[test]
    fn at_most_forty_pairs_are_scored() {
        for texts in [200, 2_000] {
            let plan = plan(texts);
            let [_, held_out] = plan.split();
            let pairs = scored_pairs(&plan);
            assert!(!pairs.is_empty() && pairs.len() <= 40.min(held_out.len()), "{}", pairs.len());
            assert_eq!(pairs[0], &plan.pairs[held_out[0]]);
        }
        assert!(scored_pairs(&plan(0)).is_empty());
    }

    #[test]
    fn a_better_translation_scores_higher() {
        let plan = plan(200);
        let pairs = scored_pairs(&plan);
        let right: Vec<String> = pairs.iter().map(|pair| pair.target.clone()).collect();
        let mut wrong = right.clone();
        wrong[2] = "nothing".into();
        let scored_as = |texts: [Vec<String>; 2]| scored("my run", &pairs, texts, 99).unwrap();
        let same = scored_as([right.clone(), right.clone()]);
        assert_eq!((same.run.as_str(), same.pairs), ("my run", [pairs.len(), 99]));
        assert!(same.figures.iter().all(|figure| figure.difference == 0.0), "{:?}", same.figures);
        let better = scored_as([wrong, right]);
        assert!(
            better.figures.iter().all(|figure| figure.difference > 0.0 && figure.after > 99.0),
            "{:?}",
            better.figures
        );
        let names: Vec<&str> = better.figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["BLEU", "chrF++", "√(BLEU · chrF++)"]);
        assert_eq!((better.changed.len(), better.changed[0].before.as_str()), (SHOWN, "nothing"));
    }
}
