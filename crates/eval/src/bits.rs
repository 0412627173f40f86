//! Loss of a model on translations, in bits per byte of the target, and how far chance among the texts moves it.

use super::texts::TextGroups;
use super::translation::Interval;
use crate::error::ComparisonError;
use serde::{Deserialize, Serialize};
use tuppum_domain::translation::training::Validation;
use tuppum_random::Draws;

/// Two models on the same pairs; fewer bits are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BitsCompared {
    /// Bits per byte of the first model.
    pub first: f64,
    /// Bits per byte of the second model.
    pub second: f64,
    /// Second minus first, with the interval in which 95 % of the samples lie.
    pub difference: Interval,
}

/// Compares two models by a paired bootstrap over the texts of the pairs: a sample draws as many texts as there are,
/// with replacement, each with all its pairs.
///
/// # Errors
/// The models were measured on different pairs or on none, or the texts belong to other pairs, or there are no samples.
pub fn paired(
    first: &Validation,
    second: &Validation,
    texts: &TextGroups,
    samples: usize,
    draws: &mut impl Draws,
) -> Result<BitsCompared, ComparisonError> {
    if first.bytes != second.bytes || first.bytes.is_empty() || samples == 0 {
        let [first, second] = [first, second].map(|own| own.bytes.len());
        return Err(ComparisonError::Different { what: "pairs", first, second, samples });
    }
    if texts.pairs() != first.bytes.len() {
        let (told, measured) = (texts.pairs(), first.bytes.len());
        return Err(ComparisonError::Texts { what: "pairs", told, measured });
    }
    let gains = first.bits.iter().zip(&second.bits).zip(&first.bytes);
    let gains = texts.sums(gains, |sum: &mut [f64; 2], ((first, second), bytes)| {
        sum[0] += f64::from(*second) - f64::from(*first);
        sum[1] += f64::from(*bytes);
    });
    let count = gains.len();
    let difference = |places: &mut dyn Iterator<Item = usize>| {
        let [mut bits, mut bytes] = [0.0; 2];
        for place in places {
            bits += gains[place][0];
            bytes += gains[place][1];
        }
        bits / bytes
    };
    let sample = |_| difference(&mut (0..count).map(|_| draws.below(count)));
    let drawn: Vec<f64> = (0..samples).map(sample).collect();
    Ok(BitsCompared {
        first: first.bits_per_byte,
        second: second.bits_per_byte,
        difference: Interval::of(difference(&mut (0..count)), drawn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_random::Random;

    fn measured(bits: &[f32]) -> Validation {
        let bytes = vec![10; bits.len()];
        let bits_per_byte = bits.iter().map(|bits| f64::from(*bits)).sum::<f64>() / (10 * bits.len()) as f64;
        Validation { after: 0, bits_per_byte, bits: bits.to_vec(), bytes }
    }

    #[test]
    fn what_two_models_share_is_no_part_of_the_interval() {
        let spread: Vec<f32> = (0..50).map(|number| number as f32).collect();
        let less: Vec<f32> = spread.iter().map(|bits| bits - 2.0).collect();
        let found =
            paired(&measured(&spread), &measured(&less), &TextGroups::each_its_own(50), 200, &mut Random::new(1))
                .unwrap();
        let Interval { value, low, high, .. } = found.difference;
        for difference in [value, low, high, found.second - found.first] {
            assert!((difference + 0.2).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn pairs_of_one_text_are_no_evidence_of_their_own() {
        // Ten texts of twenty pairs each; a text is predicted better or worse as a whole.
        let plain = measured(&[50.0; 200]);
        let changed: Vec<f32> = (0..200).map(|number| 50.0 + (number / 20 % 5) as f32 - 2.5).collect();
        let texts = TextGroups::of((0..200).map(|number| number / 20));
        let draws = || Random::new(1);
        let by_pair = paired(&plain, &measured(&changed), &TextGroups::each_its_own(200), 1_000, &mut draws())
            .unwrap()
            .difference;
        let by_text = paired(&plain, &measured(&changed), &texts, 1_000, &mut draws()).unwrap().difference;
        assert!((by_pair.value - by_text.value).abs() < 1e-9);
        // The error of a mean of ten is √20 times that of a mean of two hundred.
        let width = |own: &Interval| own.high - own.low;
        let ratio = width(&by_text) / width(&by_pair);
        assert!((3.0..6.0).contains(&ratio), "{ratio}");
        let said = paired(&plain, &measured(&changed), &texts.part(&[0]), 10, &mut draws()).unwrap_err().to_string();
        assert!(said.contains("texts are told of 1 pairs, and 200 were measured"), "{said}");
    }

    #[test]
    fn other_pairs_cannot_be_compared() {
        let said =
            paired(&measured(&[1.0]), &measured(&[1.0, 2.0]), &TextGroups::each_its_own(1), 10, &mut Random::new(1))
                .unwrap_err()
                .to_string();
        assert!(said.contains("1 and 2 pairs"), "{said}");
    }
}
