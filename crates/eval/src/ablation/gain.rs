//! Gain by the bias, pair by pair, against what makes a source hard: rare readings, polyvalent signs, determinatives.

use super::{Outcome, both, mean};
use crate::error::ComparisonError;
use crate::hardness::{Hardness, Seen};
use crate::texts::TextGroups;
use crate::translation::SAMPLES;
use crate::trend::Trend;
use tuppum_domain::training::MIN_MEASURED_TEXTS;
use tuppum_random::Random;

/// Names of the two arms that have everything else and differ in the bias alone.
const WITHOUT: &str = "B";
const WITH: &str = "D";

/// Gain by the bias against one trait of the sources.
#[derive(Debug)]
pub struct Gain {
    /// Name of the trait, for a file's name.
    pub trait_name: &'static str,
    /// Label of the axis.
    pub axis: &'static str,
    /// Amount of the trait and gain, D minus B in bits per byte, for each pair.
    pub points: Vec<[f64; 2]>,
    /// Line through the points.
    pub trend: Trend,
    /// Number of texts that the points are from.
    pub texts: usize,
}

/// A trait of a source: its word, its axis, its measure.
type Trait = (&'static str, &'static str, fn(&Hardness) -> f64);

const TRAITS: [Trait; 3] = [
    ("rare", "share of rare signs (fewer than 10 in training), in percent", Hardness::rare_share),
    ("polyvalent", "polyvalent signs (two readings in training or more)", |hardness| hardness.polyvalent as f64),
    ("determinatives", "determinatives", |hardness| hardness.determinatives as f64),
];

/// Returns the gains by every trait, in the mean of the seeds; none if an arm is missing, and none by a trait in which
/// the sources do not differ. `trained` are all sources that runs were trained with, `measured` the sources that they
/// were measured on, in order, and `texts` the texts of the measured sources, over which chance is measured.
///
/// # Errors
/// Runs were measured on other pairs.
pub fn all_gains<'t>(
    trained: impl IntoIterator<Item = &'t str>,
    measured: &[&str],
    outcomes: &[Outcome],
    texts: &TextGroups,
) -> Result<Vec<Gain>, ComparisonError> {
    let both = both(outcomes, WITHOUT, WITH);
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let [without, with] = [0, 1].map(|side| mean(both.iter().map(|both| both[side])));
    if without.bits.len() != measured.len() || with.bits.len() != measured.len() {
        return Err(ComparisonError::OtherRuns { measured: without.bits.len(), pairs: measured.len() });
    }
    let seen = Seen::of(trained);
    let hardness: Vec<Hardness> = measured.iter().map(|source| seen.hardness(source)).collect();
    let both = with.bits.iter().zip(&without.bits).zip(&without.bytes);
    let gains: Vec<f64> =
        both.map(|((with, without), bytes)| f64::from(with - without) / f64::from(*bytes).max(1.0)).collect();
    let of = |(trait_name, axis, measure): Trait| {
        let points: Vec<[f64; 2]> = hardness.iter().map(measure).zip(&gains).map(|(x, gain)| [x, *gain]).collect();
        let trend = Trend::of(&points, texts, SAMPLES, &mut Random::new(1)).ok()?;
        Some(Gain { trait_name, axis, points, trend, texts: texts.count() })
    };
    Ok(TRAITS.into_iter().filter_map(of).collect())
}

impl Gain {
    /// Returns the conclusion from the slope, as the end of a sentence.
    pub fn verdict(&self) -> &'static str {
        let slope = &self.trend.slope;
        if self.texts < MIN_MEASURED_TEXTS {
            "too few pairs or texts to tell"
        } else if slope.high < 0.0 {
            "the bias brings more where there is more of it"
        } else if slope.low > 0.0 {
            "the bias brings less where there is more of it"
        } else {
            "nothing is shown: the interval holds both directions"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::measured;
    use super::*;

    #[test]
    fn a_gain_that_grows_with_determinatives_is_found() {
        // Sources of 0 to 9 determinatives; with the bias a bit less for each.
        let sources: Vec<String> = (0..30).map(|number| format!("a-na {}LUGAL", "{d}".repeat(number % 10))).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let trained = "a-na {d}LUGAL ".repeat(20);
        let without = measured(vec![50.0; 30]);
        let with = measured((0..30).map(|number| 50.0 - (number % 10) as f32).collect());
        let run = |arm, validation| Outcome { arm, seed: 1, validation };
        let outcomes = [run("B", &without), run("D", &with)];
        let texts = TextGroups::each_its_own(30);
        let gains = all_gains([trained.as_str()], &sources, &outcomes, &texts).unwrap();
        // Nothing is rare here and no sign has two readings: no line against those.
        let [gain] = &gains[..] else { panic!("{} gains", gains.len()) };
        assert_eq!((gain.trait_name, gain.points[3]), ("determinatives", [3.0, -0.3]));
        assert!((gain.trend.slope.value + 0.1).abs() < 1e-6 && gain.trend.slope.high < 0.0, "{:?}", gain.trend.slope);
        assert!(gain.verdict().contains("brings more"));
        assert!(all_gains([trained.as_str()], &sources, &outcomes[..1], &texts).unwrap().is_empty());
        let said = all_gains([trained.as_str()], &sources[1..], &outcomes, &texts).unwrap_err().to_string();
        assert!(said.contains("30 pairs, not 29"), "{said}");
    }
}
