//! Comparison of two restorers on the same masked signs: their scores, and how far chance among the texts moves the
//! difference, by a paired bootstrap (Koehn 2004) over texts, whose signs depend on each other.

use super::tally::{RestorationScores, Tally};
use crate::error::ComparisonError;
use crate::texts::TextGroups;
use crate::translation::Interval;
use serde::{Deserialize, Serialize};
use tuppum_domain::restoration::training::{RestorationValidation, SequencePrediction};
use tuppum_random::Draws;

/// Comparison of two restorers on the same masked signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorerComparison {
    /// Scores of the first restorer.
    pub first: RestorationScores,
    /// Scores of the second restorer.
    pub second: RestorationScores,
    /// Nats per sign, second minus first, with the interval in which 95 % of the samples lie; below 0 the second is
    /// better.
    pub loss: Interval,
    /// Share of signs that are the first answer, second minus first, with the interval of 95 % of the samples; above 0
    /// the second is better.
    pub hit_1: Interval,
    /// Number of sequences with masked signs.
    pub sequences: usize,
    /// Number of texts that the signs are from.
    #[serde(default)]
    pub texts: usize,
}

/// Scores of a measurement, the word boundary being given.
pub fn scores(measured: &RestorationValidation) -> RestorationScores {
    let mut tally = Tally::default();
    for SequencePrediction { log_probabilities, ranks } in &measured.sequences {
        for (log_probability, rank) in log_probabilities.iter().zip(ranks) {
            tally.add(f64::from(*log_probability), *rank as usize);
        }
    }
    tally.scores()
}

/// Gain of the second model over the first in a sequence, or in all sequences of a text.
#[derive(Clone, Copy, Default)]
struct Gain {
    loss: f64,
    hits: f64,
    signs: f64,
}

/// Compares two restorers. A sample draws as many texts as there are, with replacement, each with all its sequences.
///
/// # Errors
/// The restorers were measured on different signs or on none, or the texts belong to other signs, or there are no
/// samples.
pub fn paired(
    first: &RestorationValidation,
    second: &RestorationValidation,
    texts: &TextGroups,
    samples: usize,
    draws: &mut impl Draws,
) -> Result<RestorerComparison, ComparisonError> {
    let signs = |own: &RestorationValidation| own.sequences.iter().map(|own| own.ranks.len()).collect::<Vec<_>>();
    let both: Vec<_> = first.sequences.iter().zip(&second.sequences).collect();
    let places: Vec<usize> = (0..both.len()).filter(|place| !both[*place].0.ranks.is_empty()).collect();
    if signs(first) != signs(second) || places.is_empty() || samples == 0 {
        let [first, second] = [first, second].map(|own| signs(own).iter().sum());
        return Err(ComparisonError::Different { what: "signs", first, second, samples });
    }
    if texts.pairs() != both.len() {
        let (told, measured) = (texts.pairs(), both.len());
        return Err(ComparisonError::Texts { what: "sequences", told, measured });
    }
    let texts = texts.part(&places);
    let gains = texts.sums(&places, |sum: &mut Gain, place| sum.add(&gain(both[*place].0, both[*place].1)));
    let of = |places: &mut dyn Iterator<Item = usize>| {
        let mut sum = Gain::default();
        places.for_each(|place| sum.add(&gains[place]));
        [sum.loss / sum.signs, sum.hits / sum.signs]
    };
    let drawn: Vec<[f64; 2]> =
        (0..samples).map(|_| of(&mut (0..gains.len()).map(|_| draws.below(gains.len())))).collect();
    let whole = of(&mut (0..gains.len()));
    let [loss, hit_1] = [0, 1].map(|which| Interval::of(whole[which], drawn.iter().map(|own| own[which]).collect()));
    let (sequences, texts) = (places.len(), gains.len());
    Ok(RestorerComparison { first: scores(first), second: scores(second), loss, hit_1, sequences, texts })
}

impl Gain {
    fn add(&mut self, other: &Self) {
        self.loss += other.loss;
        self.hits += other.hits;
        self.signs += other.signs;
    }
}

fn gain(first: &SequencePrediction, second: &SequencePrediction) -> Gain {
    let loss = |own: &SequencePrediction| own.log_probabilities.iter().map(|own| -f64::from(*own)).sum::<f64>();
    let hits = |own: &SequencePrediction| own.ranks.iter().filter(|rank| **rank == 0).count() as f64;
    Gain { loss: loss(second) - loss(first), hits: hits(second) - hits(first), signs: first.ranks.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_random::Random;

    fn measured(losses: impl Iterator<Item = f32>) -> RestorationValidation {
        let sequence = |loss: f32| SequencePrediction {
            log_probabilities: vec![-loss, -loss - 1.0],
            ranks: vec![u32::from(loss > 2.0), 7],
        };
        RestorationValidation::new(0, losses.map(sequence).collect())
    }

    #[test]
    fn what_two_models_share_is_no_part_of_the_interval() {
        let spread = || (0..50).map(|number| number as f32 / 10.0);
        let mut less = measured(spread().map(|loss| loss - 0.25));
        less.sequences.push(SequencePrediction::default());
        let mut same = measured(spread());
        same.sequences.push(SequencePrediction::default());
        let found = paired(&same, &less, &TextGroups::each_its_own(51), 200, &mut Random::new(1)).unwrap();
        let Interval { value, low, high, .. } = found.loss;
        for difference in [value, low, high, found.second.loss - found.first.loss, less.loss - same.loss] {
            assert!((difference + 0.25).abs() < 1e-6, "{found:?}");
        }
        assert_eq!((found.sequences, found.first.targets), (50, 100));
        // Losses from 2.1 to 2.2 come below 2: two of a hundred signs.
        assert!((found.hit_1.value - 0.02).abs() < 1e-9 && found.hit_1.low >= 0.0 && found.hit_1.high < 0.08);
        assert!((found.second.hit_1 - found.first.hit_1 - found.hit_1.value).abs() < 1e-9);
    }

    #[test]
    fn sequences_of_one_text_are_no_evidence_of_their_own() {
        // Ten texts of twelve sequences each, better or worse as a whole; of each one sequence was not masked.
        let mut plain = measured((0..120).map(|_| 2.0));
        let mut changed = measured((0..120).map(|number| 1.5 + (number / 12 % 5) as f32 * 0.2));
        for validation in [&mut plain, &mut changed] {
            validation.sequences.iter_mut().step_by(12).for_each(|own| *own = SequencePrediction::default());
        }
        let texts = TextGroups::of((0..120).map(|number| number / 12));
        let draws = || Random::new(1);
        let by_sequence = paired(&plain, &changed, &TextGroups::each_its_own(120), 500, &mut draws()).unwrap();
        let by_text = paired(&plain, &changed, &texts, 500, &mut draws()).unwrap();
        assert_eq!((by_text.sequences, by_text.texts, by_sequence.texts), (110, 10, 110));
        assert!((by_text.loss.value - by_sequence.loss.value).abs() < 1e-9);
        // √11 times as wide.
        let width = |own: &Interval| own.high - own.low;
        let ratio = width(&by_text.loss) / width(&by_sequence.loss);
        assert!((2.2..4.5).contains(&ratio), "{ratio}");
        assert!(paired(&plain, &changed, &texts.part(&[0]), 10, &mut draws()).is_err());
    }

    #[test]
    fn other_signs_cannot_be_compared() {
        let [one, two] = [1, 2].map(|count| measured((0..count).map(|_| 1.0)));
        let said = paired(&one, &two, &TextGroups::each_its_own(1), 10, &mut Random::new(1)).unwrap_err().to_string();
        assert!(said.contains("2 and 4 signs"), "{said}");
        assert!(
            paired(
                &RestorationValidation::default(),
                &RestorationValidation::default(),
                &TextGroups::default(),
                10,
                &mut Random::new(1)
            )
            .is_err()
        );
    }
}
