//! How well a model foretells translations, in bits per byte of the target, and how far chance among the pairs moves it.

use super::translation::Interval;
use crate::model::translation::training::Validation;
use crate::train::random::Draws;
use serde::{Deserialize, Serialize};

/// Two models on the same pairs; fewer bits are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BitsCompared {
    /// Bits per byte of the first.
    pub first: f64,
    /// Bits per byte of the second.
    pub second: f64,
    /// Second minus first, with the interval in which 95 % of the samples lie.
    pub difference: Interval,
}

/// Compares two models by a paired bootstrap over pairs.
///
/// # Errors
/// When the models were not measured on the same pairs, or on none, or there are no samples.
pub fn paired(
    first: &Validation,
    second: &Validation,
    samples: usize,
    draws: &mut impl Draws,
) -> Result<BitsCompared, String> {
    if first.bytes != second.bytes || first.bytes.is_empty() || samples == 0 {
        return Err(format!(
            "the models were measured on {} and {} pairs in {samples} samples; they must be the same pairs, one at least",
            first.bytes.len(),
            second.bytes.len()
        ));
    }
    let count = first.bytes.len();
    let difference = |places: &mut dyn Iterator<Item = usize>| {
        let (mut bits, mut bytes) = (0.0, 0.0);
        for place in places {
            bits += f64::from(second.bits[place]) - f64::from(first.bits[place]);
            bytes += f64::from(first.bytes[place]);
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
    use crate::train::random::SplitMix64;

    fn measured(bits: &[f32]) -> Validation {
        let bytes = vec![10; bits.len()];
        let bits_per_byte = bits.iter().map(|bits| f64::from(*bits)).sum::<f64>() / (10 * bits.len()) as f64;
        Validation { after: 0, bits_per_byte, bits: bits.to_vec(), bytes }
    }

    #[test]
    fn what_two_models_share_is_no_part_of_the_interval() {
        let spread: Vec<f32> = (0..50).map(|number| number as f32).collect();
        let less: Vec<f32> = spread.iter().map(|bits| bits - 2.0).collect();
        let found = paired(&measured(&spread), &measured(&less), 200, &mut SplitMix64::new(1)).unwrap();
        let Interval { value, low, high, .. } = found.difference;
        for difference in [value, low, high, found.second - found.first] {
            assert!((difference + 0.2).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn other_pairs_cannot_be_compared() {
        let said = paired(&measured(&[1.0]), &measured(&[1.0, 2.0]), 10, &mut SplitMix64::new(1)).unwrap_err();
        assert!(said.contains("1 and 2 pairs"), "{said}");
    }
}
