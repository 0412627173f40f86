//! What the ablation has found so far, and how its present sitting stands.

use serde::{Deserialize, Serialize};
use tuppum_protocol::{AblationFound, AblationReport, AblationRun, AblationStep};

/// What the ablation has found so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ablation {
    /// Of what it is made; none before the first one.
    pub report: Option<AblationReport>,
    /// The runs so far.
    pub runs: Vec<AblationRun>,
    /// What they tell.
    pub found: AblationFound,
}

/// A sitting: from a start or a going on to the end, or to a stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sitting {
    /// Whether it is asked to stop.
    pub stopping: bool,
    /// The step that was made last.
    pub at: Option<AblationStep>,
    /// When the first step was made, in the browser's milliseconds, and how many steps since.
    pub since: Option<(f64, u32)>,
}

impl Ablation {
    /// Mean bits per byte of an arm over its seeds, and how many these are; none before its first run.
    pub fn mean(&self, arm: &str) -> Option<(f64, usize)> {
        let own = self.runs.iter().filter(|run| run.arm == arm && run.problem.is_none());
        let own = own.map(|run| run.validation.bits_per_byte);
        let (sum, count) = own.fold((0.0, 0), |(sum, count), bits| (sum + bits, count + 1));
        (count > 0).then(|| (sum / count as f64, count))
    }

    /// Why runs of an arm came to nothing, if any did.
    pub fn problem(&self, arm: &str) -> Option<String> {
        let own = self.runs.iter().filter(|run| run.arm == arm);
        own.filter_map(|run| run.problem.as_ref().map(|problem| format!("seed {}: {problem}", run.seed))).next()
    }

    /// How many runs there will be; 0 before it is known.
    pub fn of(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.of)
    }

    /// Whether all runs are made.
    pub fn is_finished(&self) -> bool {
        self.of() > 0 && self.runs.len() >= self.of()
    }

    /// Takes a run, in place of the same one made before.
    pub fn take(&mut self, run: AblationRun) {
        self.runs.retain(|other| (&other.arm, other.seed) != (&run.arm, run.seed));
        self.runs.push(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::translation::training::Validation;

    #[test]
    fn a_run_that_is_told_twice_counts_once() {
        let run = |arm: &str, seed, bits_per_byte| AblationRun {
            arm: arm.into(),
            seed,
            validation: Validation { bits_per_byte, ..Validation::default() },
            problem: None,
        };
        let mut ablation =
            Ablation { report: Some(AblationReport { of: 3, ..Default::default() }), ..Default::default() };
        for run in [run("A", 1, 9.0), run("A", 2, 3.0), run("A", 1, 5.0)] {
            ablation.take(run);
        }
        assert_eq!((ablation.mean("A"), ablation.mean("B")), (Some((4.0, 2)), None));
        assert!(!ablation.is_finished());
        ablation.take(run("B", 1, 1.0));
        assert!(ablation.is_finished() && !Ablation::default().is_finished());
    }
}
