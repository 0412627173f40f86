//! What an ablation found: a row per run, and every arm against others with intervals.

use super::RunResult;
use crate::eval::bits::{BitsCompared, paired};
use crate::eval::translation::SAMPLES;
use crate::model::translation::training::Validation;
use crate::text::random::SplitMix64;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is compared, where both are there, the questions of the design first: the bias with and without more data, then
/// each ingredient on its own.
const QUESTIONS: [(&str, &str); 8] =
    [("B", "D"), ("A", "C"), ("A", "B"), ("A", "D"), ("A", "E"), ("A", "F"), ("E", "B"), ("F", "B")];

/// The tables as text.
#[derive(Debug)]
pub struct Tables {
    /// A row per run.
    pub runs: String,
    /// A row per comparison.
    pub comparisons: String,
    /// All of it as JSON.
    pub json: String,
    /// The comparisons.
    pub compared: Vec<Compared>,
}

/// One arm against another.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// The name of the one.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// Bits of each pair in the mean of all seeds; the interval is that of chance among the pairs.
    pub bits: BitsCompared,
    /// The difference with each seed, in order: chance among runs.
    pub by_seed: Vec<f64>,
    /// Standard error of their mean; none for a single seed.
    pub error_of_seeds: Option<f64>,
}

#[derive(Serialize)]
struct Json<'a> {
    base_bits_per_byte: f64,
    runs: &'a [RunResult],
    comparisons: &'a [Compared],
}

impl Tables {
    /// The tables of some runs; `base` is what the model foretold before any of them.
    ///
    /// # Errors
    /// When runs were measured on different pairs.
    pub fn of(results: &[RunResult], base: &Validation) -> Result<Self, String> {
        let mut runs = "arm\tseed\tpairs\tsteps\tlast_loss\talpha\tbits_per_byte\tBLEU\tchrF++\tseconds\n".to_owned();
        for result in results {
            let RunResult { arm, seed, pairs, steps, last_loss, alpha, seconds, validation, scores, .. } = result;
            let alpha = alpha.map(|alpha| format!("{alpha:.4}")).unwrap_or_default();
            let scores = scores.map(|scores| format!("{:.2}\t{:.2}", scores.bleu, scores.chrf));
            // Writing into a string never fails.
            let _ = writeln!(
                runs,
                "{}\t{seed}\t{pairs}\t{steps}\t{last_loss:.4}\t{alpha}\t{:.4}\t{}\t{seconds:.0}",
                arm.name,
                validation.bits_per_byte,
                scores.unwrap_or("\t".to_owned())
            );
        }
        let mut by_arm: BTreeMap<&str, BTreeMap<u64, &Validation>> = BTreeMap::new();
        for result in results {
            by_arm.entry(&result.arm.name).or_default().insert(result.seed, &result.validation);
        }
        let mut comparisons = Vec::new();
        for (first, second) in questions(by_arm.keys().copied().collect()) {
            comparisons.extend(compared(first, second, &by_arm[first], &by_arm[second])?);
        }
        let mut table =
            "first\tsecond\tseeds\tbits_first\tbits_second\tdifference\tlow\thigh\terror_of_seeds\n".to_owned();
        for Compared { first, second, bits, by_seed, error_of_seeds } in &comparisons {
            let error = error_of_seeds.map(|error| format!("{error:.4}")).unwrap_or_default();
            let (found, seeds) = (&bits.difference, by_seed.len());
            let _ = writeln!(
                table,
                "{first}\t{second}\t{seeds}\t{:.4}\t{:.4}\t{:+.4}\t{:+.4}\t{:+.4}\t{error}",
                bits.first, bits.second, found.value, found.low, found.high
            );
        }
        let json = Json { base_bits_per_byte: base.bits_per_byte, runs: results, comparisons: &comparisons };
        let json = serde_json::to_string(&json).map_err(|error| error.to_string())? + "\n";
        Ok(Self { runs, comparisons: table, json, compared: comparisons })
    }
}

/// The questions that can be answered: those of the design, and every other arm against the first.
fn questions(arms: Vec<&str>) -> Vec<(&str, &str)> {
    let own = |name: &str| arms.iter().copied().find(|arm| *arm == name);
    let mut questions: Vec<(&str, &str)> =
        QUESTIONS.iter().filter_map(|(first, second)| own(first).zip(own(second))).collect();
    let is_asked = |name: &str| QUESTIONS.iter().any(|(first, second)| *first == name || *second == name);
    if let Some(first) = arms.first() {
        questions.extend(arms.iter().filter(|arm| *arm != first && !is_asked(arm)).map(|arm| (*first, *arm)));
    }
    questions
}

/// Two arms over the seeds that both have; `None` where there is none.
fn compared(
    first: &str,
    second: &str,
    one: &BTreeMap<u64, &Validation>,
    other: &BTreeMap<u64, &Validation>,
) -> Result<Option<Compared>, String> {
    let both: Vec<(&Validation, &Validation)> =
        one.iter().filter_map(|(seed, one)| other.get(seed).map(|other| (*one, *other))).collect();
    if both.is_empty() {
        return Ok(None);
    }
    let means = [mean(both.iter().map(|(one, _)| *one)), mean(both.iter().map(|(_, other)| *other))];
    let bits = paired(&means[0], &means[1], SAMPLES, &mut SplitMix64::new(1))?;
    let by_seed: Vec<f64> = both.iter().map(|(one, other)| other.bits_per_byte - one.bits_per_byte).collect();
    let (count, middle) = (by_seed.len() as f64, by_seed.iter().sum::<f64>() / by_seed.len() as f64);
    let squares: f64 = by_seed.iter().map(|difference| (difference - middle).powi(2)).sum();
    let error_of_seeds = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    Ok(Some(Compared { first: first.to_owned(), second: second.to_owned(), bits, by_seed, error_of_seeds }))
}

/// What two arms foretell in the mean of the seeds that both have; `None` where there is none.
pub fn means(results: &[RunResult], first: &str, second: &str) -> Option<[Validation; 2]> {
    let of = |name: &str, seed: u64| results.iter().find(|run| run.arm.name == name && run.seed == seed);
    let both: Vec<[&Validation; 2]> = results
        .iter()
        .filter(|run| run.arm.name == first)
        .filter_map(|run| of(second, run.seed).map(|other| [&run.validation, &other.validation]))
        .collect();
    let side = |side: usize| mean(both.iter().map(|both| both[side]));
    (!both.is_empty()).then(|| [side(0), side(1)])
}

/// The bits of every pair in the mean of several runs.
fn mean<'a>(runs: impl Iterator<Item = &'a Validation>) -> Validation {
    let mut sum = Validation::default();
    let mut count = 0.0_f32;
    for run in runs {
        sum.bits.resize(run.bits.len(), 0.0);
        sum.bits.iter_mut().zip(&run.bits).for_each(|(sum, bits)| *sum += bits);
        sum.bits_per_byte += run.bits_per_byte;
        sum.bytes.clone_from(&run.bytes);
        count += 1.0;
    }
    sum.bits.iter_mut().for_each(|bits| *bits /= count);
    sum.bits_per_byte /= f64::from(count);
    sum
}

#[cfg(test)]
mod tests {
    use super::super::plan::Arm;
    use super::*;

    fn result(name: &str, seed: u64, bits: f32) -> RunResult {
        let bits: Vec<f32> = (0..20).map(|number| number as f32 + bits).collect();
        let bits_per_byte = f64::from(bits.iter().sum::<f32>()) / 200.0;
        RunResult {
            arm: Arm { name: name.into(), ..Arm::default() },
            seed,
            fingerprint: String::new(),
            pairs: 1,
            steps: 1,
            last_loss: 1.0,
            alpha: None,
            seconds: 1.0,
            validation: Validation { after: 1, bits_per_byte, bits, bytes: vec![10; 20] },
            scores: None,
        }
    }

    #[test]
    fn arms_are_compared_over_the_seeds_that_both_have() {
        let results =
            [result("B", 1, 2.0), result("D", 1, 1.0), result("B", 2, 3.0), result("D", 2, 1.0), result("D", 3, 9.0)];
        let tables = Tables::of(&results, &Validation::default()).unwrap();
        assert_eq!(tables.runs.lines().count(), 6);
        let row: Vec<&str> = tables.comparisons.lines().nth(1).unwrap().split('\t').collect();
        // −1 and −2 bits of 10 bytes: −0.15 in the mean, 0.05 their error.
        assert_eq!((row[0], row[1], row[2], row[5], row[8]), ("B", "D", "2", "-0.1500", "0.0500"));
        assert_eq!((row[6], row[7]), ("-0.1500", "-0.1500"));
        assert_eq!(tables.comparisons.lines().count(), 2);
    }

    #[test]
    fn arms_of_a_sweep_are_compared_with_the_first() {
        assert_eq!(questions(vec!["A", "C", "layers1"]), [("A", "C"), ("A", "layers1")]);
        assert_eq!(questions(vec!["c01", "c03"]), [("c01", "c03")]);
        assert!(questions(Vec::new()).is_empty());
    }
}
