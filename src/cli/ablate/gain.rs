//! What the bias brings, pair by pair, against what makes a source hard: rare readings, polyvalent signs, determinatives.

use super::RunResult;
use super::plan::Data;
use super::table::means;
use crate::eval::hardness::{Hardness, Seen};
use crate::eval::translation::SAMPLES;
use crate::eval::trend::Trend;
use crate::plot::palette::Palette;
use crate::plot::scatter::{self, Scatter};
use crate::text::random::SplitMix64;

/// The arms that differ in the bias alone, with all else there.
const WITHOUT: &str = "B";
const WITH: &str = "D";

/// The difference between both against one trait of the sources.
#[derive(Debug)]
pub struct Gain {
    /// The trait in a word, for a file's name.
    pub trait_name: &'static str,
    /// The trait as an axis names it.
    pub axis: &'static str,
    /// For each pair how much of it there is, and D minus B in bits per byte.
    pub points: Vec<[f64; 2]>,
    /// The line through them.
    pub trend: Trend,
}

/// A trait of a source: its word, its axis, its measure.
type Trait = (&'static str, &'static str, fn(&Hardness) -> f64);

const TRAITS: [Trait; 3] = [
    ("rare", "share of rare signs (fewer than 10 in training), in percent", Hardness::rare_share),
    ("polyvalent", "polyvalent signs (two readings in training or more)", |hardness| hardness.polyvalent as f64),
    ("determinatives", "determinatives", |hardness| hardness.determinatives as f64),
];

/// The gains by every trait; none where an arm is missing, and none by a trait in which the sources do not differ.
///
/// # Errors
/// When runs were measured on other pairs than these.
pub fn all(data: &Data, results: &[RunResult]) -> Result<Vec<Gain>, String> {
    let Some([without, with]) = means(results, WITHOUT, WITH) else { return Ok(Vec::new()) };
    if without.bits.len() != data.validation.len() || with.bits.len() != data.validation.len() {
        return Err(format!("the runs were measured on {} pairs, not {}", without.bits.len(), data.validation.len()));
    }
    let seen = Seen::of(data.drawn.iter().chain(&data.supplementary).map(|pair| pair.source.as_str()));
    let hardness: Vec<Hardness> = data.validation.iter().map(|pair| seen.hardness(&pair.source)).collect();
    let both = with.bits.iter().zip(&without.bits).zip(&without.bytes);
    let gains: Vec<f64> =
        both.map(|((with, without), bytes)| f64::from(with - without) / f64::from(*bytes).max(1.0)).collect();
    let of = |(trait_name, axis, measure): Trait| {
        let points: Vec<[f64; 2]> = hardness.iter().map(measure).zip(&gains).map(|(x, gain)| [x, *gain]).collect();
        let trend = Trend::of(&points, SAMPLES, &mut SplitMix64::new(1)).ok()?;
        Some(Gain { trait_name, axis, points, trend })
    };
    Ok(TRAITS.into_iter().filter_map(of).collect())
}

impl Gain {
    /// The picture.
    pub fn svg(&self) -> String {
        let scatter = Scatter {
            points: self.points.clone(),
            line: self.trend.line.clone(),
            axes: [self.axis.to_owned(), "bits per byte, D − B".to_owned()],
        };
        scatter::svg(&scatter, &Palette::light(), &format!("D minus B in bits per byte by {}", self.axis))
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Arm;
    use super::*;
    use crate::model::translation::training::{Pair, Validation};

    fn run(name: &str, bits: Vec<f32>) -> RunResult {
        let bytes = vec![10; bits.len()];
        RunResult {
            arm: Arm { name: name.into(), ..Arm::default() },
            seed: 1,
            fingerprint: String::new(),
            pairs: 1,
            steps: 1,
            last_loss: 1.0,
            alpha: None,
            seconds: 1.0,
            validation: Validation { after: 1, bits_per_byte: 1.0, bits, bytes },
            scores: None,
        }
    }

    #[test]
    fn a_gain_that_grows_with_determinatives_is_found() {
        // Sources of 0 to 9 determinatives; with the bias a bit less for each.
        let source = |count: usize| format!("a-na {}LUGAL", "{d}".repeat(count));
        let validation: Vec<Pair> = (0..30).map(|number| Pair::new("", source(number % 10), "to the king")).collect();
        let data =
            Data { drawn: vec![Pair::new("", "a-na {d}LUGAL ".repeat(20), "to")], validation, ..Data::default() };
        let with = (0..30).map(|number| 50.0 - (number % 10) as f32).collect();
        let results = [run("B", vec![50.0; 30]), run("D", with)];
        let gains = all(&data, &results).unwrap();
        // Nothing is rare here and no sign has two readings: no line against those.
        let [gain] = &gains[..] else { panic!("{} gains", gains.len()) };
        assert_eq!((gain.trait_name, gain.points[3]), ("determinatives", [3.0, -0.3]));
        assert!((gain.trend.slope.value + 0.1).abs() < 1e-6 && gain.trend.slope.high < 0.0, "{:?}", gain.trend.slope);
        assert!(gain.svg().contains("determinatives"));
        assert!(all(&data, &results[..1]).unwrap().is_empty());
        let other = Data { validation: data.validation[1..].to_vec(), ..data };
        assert!(all(&other, &results).unwrap_err().contains("30 pairs, not 29"));
    }
}
