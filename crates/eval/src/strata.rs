//! Comparison of two models where sources are hard: sources with rare signs, with polyvalent signs, with
//! determinatives.

use super::bits::{BitsCompared, paired};
use super::hardness::{Hardness, Seen};
use super::texts::TextGroups;
use super::translation::SAMPLES;
use crate::error::ComparisonError;
use serde::Serialize;
use tuppum_domain::translation::training::Validation;
use tuppum_random::Random;

/// Comparison of two models on the pairs whose sources have a trait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedStratum {
    /// Trait of the sources.
    pub name: &'static str,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of texts that the pairs are from.
    pub texts: usize,
    /// Comparison of both models on the pairs.
    pub bits: BitsCompared,
}

/// Name of a stratum, and the measure that is above 0 for its sources.
type Trait = (&'static str, fn(&Hardness) -> usize);

const TRAITS: [Trait; 3] = [
    ("rare signs (fewer than 10 in training)", |hardness| hardness.rare),
    ("polyvalent signs (two readings in training or more)", |hardness| hardness.polyvalent),
    ("determinatives", |hardness| hardness.determinatives),
];

/// Compares both models on every stratum that has pairs. `trained` are the sources that were trained with, `measured`
/// the sources that were measured on, in order; `texts` are the texts of the measured pairs, over which chance is
/// measured.
///
/// # Errors
/// The models were measured on other pairs, or the texts belong to other pairs.
pub fn strata<'t>(
    trained: impl IntoIterator<Item = &'t str>,
    measured: &[&str],
    first: &Validation,
    second: &Validation,
    texts: &TextGroups,
) -> Result<Vec<PairedStratum>, ComparisonError> {
    if texts.pairs() != measured.len() {
        let (told, measured) = (texts.pairs(), measured.len());
        return Err(ComparisonError::Texts { what: "pairs", told, measured });
    }
    if first.bits.len() != measured.len() || second.bits.len() != measured.len() {
        let [first, second] = [first, second].map(|own| own.bits.len());
        return Err(ComparisonError::OtherPairs { first, second, pairs: measured.len() });
    }
    let seen = Seen::of(trained);
    let hardness: Vec<Hardness> = measured.iter().map(|source| seen.hardness(source)).collect();
    let mut found = Vec::new();
    for (name, count) in TRAITS {
        let places: Vec<usize> = (0..measured.len()).filter(|place| count(&hardness[*place]) > 0).collect();
        if places.is_empty() {
            continue;
        }
        let (own, draws) = (texts.part(&places), &mut Random::new(1));
        let bits = paired(&part(first, &places), &part(second, &places), &own, SAMPLES, draws)?;
        found.push(PairedStratum { name, pairs: places.len(), texts: own.count(), bits });
    }
    Ok(found)
}

/// Returns a model's measurements of some of the pairs.
fn part(whole: &Validation, places: &[usize]) -> Validation {
    let bits: Vec<f32> = places.iter().map(|place| whole.bits[*place]).collect();
    let bytes: Vec<u32> = places.iter().map(|place| whole.bytes[*place]).collect();
    let sum: f64 = bits.iter().map(|bits| f64::from(*bits)).sum();
    let bits_per_byte = sum / bytes.iter().map(|bytes| f64::from(*bytes)).sum::<f64>().max(1.0);
    Validation { after: whole.after, bits_per_byte, bits, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stratum_has_the_pairs_of_its_kind() {
        let trained = "a-na {d}UTU ".repeat(10);
        let measured = ["a-na", "a-na {d}UTU", "a-na LUGAL"];
        let of = |bits: [f32; 3]| Validation { bits: bits.to_vec(), bytes: vec![10; 3], ..Validation::default() };
        let (first, second) = (of([50.0, 40.0, 30.0]), of([50.0, 20.0, 35.0]));
        let found = strata([trained.as_str()], &measured, &first, &second, &TextGroups::each_its_own(3)).unwrap();
        let told: Vec<(&str, usize)> = found.iter().map(|one| (&one.name[..4], one.pairs)).collect();
        // Of these signs none is read in two ways.
        assert_eq!(told, [("rare", 1), ("dete", 1)]);
        for (stratum, first, second) in [(&found[0], 3.0, 3.5), (&found[1], 4.0, 2.0)] {
            let BitsCompared { first: one, second: other, difference } = stratum.bits;
            assert!((one - first).abs() < 1e-6 && (other - second).abs() < 1e-6, "{stratum:?}");
            assert!((difference.value - (second - first)).abs() < 1e-6, "{stratum:?}");
        }
        let said = strata([trained.as_str()], &measured[..2], &first, &second, &TextGroups::each_its_own(2))
            .unwrap_err()
            .to_string();
        assert!(said.contains("3 and 3 pairs, not on 2"), "{said}");
    }
}
