//! Results of the runs of an ablation, as their folders store them, and their tables: a row for each run, and every arm
//! against others with intervals.

use super::plan::Arm;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::Path;
use tuppum_cli::failure::Result;
use tuppum_domain::translation::training::Validation;
use tuppum_eval::ablation::{ArmComparison, Outcome, all_compared};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::TranslationScores;

/// Result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// Arm of the run.
    pub arm: Arm,
    /// Seed of the run.
    pub seed: u64,
    /// Checksum of pairs and settings.
    pub fingerprint: String,
    /// Checksum of the model that the run began with, its bias included; unknown for runs that older versions began.
    #[serde(default)]
    pub base: Option<String>,
    /// Maximum number of pairs to translate; unknown for runs that older versions ended.
    #[serde(default)]
    pub translate: Option<usize>,
    /// Number of pairs trained with.
    pub pairs: usize,
    /// Number of steps.
    pub steps: u32,
    /// Loss of the last step.
    pub last_loss: f32,
    /// Strength of the bias in the last step.
    pub alpha: Option<f32>,
    /// Seconds of the session in which the run ended.
    pub seconds: f64,
    /// Loss of the run on the validation pairs.
    pub validation: Validation,
    /// Scores of some translations, if they were asked for.
    pub scores: Option<TranslationScores>,
}

/// Returns the result in a run's folder, where it is there.
///
/// # Errors
/// When it is none.
pub fn read(folder: &Path) -> Result<Option<RunResult>> {
    let Ok(json) = std::fs::read(folder.join("result.json")) else { return Ok(None) };
    let found = serde_json::from_slice(&json).map_err(|error| {
        format!("{}/result.json: {error}; delete the folder to make the run again", folder.display())
    })?;
    Ok(Some(found))
}

/// The tables as text.
#[derive(Debug)]
pub struct Tables {
    /// A row per run.
    pub runs: String,
    /// A row per comparison.
    pub comparisons: String,
    /// Runs and comparisons as JSON.
    pub json: String,
    /// The comparisons.
    pub compared: Vec<ArmComparison>,
}

#[derive(Serialize)]
struct Json<'a> {
    base_bits_per_byte: f64,
    runs: &'a [RunResult],
    comparisons: &'a [ArmComparison],
}

impl Tables {
    /// Returns the tables of some runs; `base` is the measurement of the model before any of them, `texts` are the
    /// texts of the measured pairs.
    ///
    /// # Errors
    /// The runs were measured on different pairs.
    pub fn of(results: &[RunResult], base: &Validation, texts: &TextGroups) -> Result<Self> {
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
        let comparisons = all_compared(&outcomes(results), texts)?;
        let mut table =
            "first\tsecond\tseeds\tbits_first\tbits_second\tdifference\tlow\thigh\terror_of_seeds\n".to_owned();
        for ArmComparison { first, second, bits, by_seed, error_of_seeds, .. } in &comparisons {
            let error = error_of_seeds.map(|error| format!("{error:.4}")).unwrap_or_default();
            let (found, seeds) = (&bits.difference, by_seed.len());
            let _ = writeln!(
                table,
                "{first}\t{second}\t{seeds}\t{:.4}\t{:.4}\t{:+.4}\t{:+.4}\t{:+.4}\t{error}",
                bits.first, bits.second, found.value, found.low, found.high
            );
        }
        let json = Json { base_bits_per_byte: base.bits_per_byte, runs: results, comparisons: &comparisons };
        let json = serde_json::to_string(&json)? + "\n";
        Ok(Self { runs, comparisons: table, json, compared: comparisons })
    }
}

/// Outcomes of the runs, for comparing them.
pub fn outcomes(results: &[RunResult]) -> Vec<Outcome<'_>> {
    results.iter().map(|run| Outcome { arm: &run.arm.name, seed: run.seed, validation: &run.validation }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, seed: u64, bits: f32) -> RunResult {
        let bits: Vec<f32> = (0..20).map(|number| number as f32 + bits).collect();
        let bits_per_byte = f64::from(bits.iter().sum::<f32>()) / 200.0;
        RunResult {
            arm: Arm { name: name.into(), ..Arm::default() },
            seed,
            fingerprint: String::new(),
            base: None,
            translate: None,
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
        let tables = Tables::of(&results, &Validation::default(), &TextGroups::each_its_own(20)).unwrap();
        assert_eq!(tables.runs.lines().count(), 6);
        let row: Vec<&str> = tables.comparisons.lines().nth(1).unwrap().split('\t').collect();
        // −1 and −2 bits of 10 bytes: −0.15 in the mean, 0.05 their error.
        assert_eq!((row[0], row[1], row[2], row[5], row[8]), ("B", "D", "2", "-0.1500", "0.0500"));
        assert_eq!((row[6], row[7]), ("-0.1500", "-0.1500"));
        assert_eq!(tables.comparisons.lines().count(), 2);
    }
}
