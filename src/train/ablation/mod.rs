//! Results of the ablation so far, and the state of the present session.

pub mod control;
pub mod view;

use serde::{Deserialize, Serialize};
use tuppum_protocol::{AblationFound, AblationReport, AblationRun, AblationStep};

/// Results of the ablation so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ablation {
    /// Plan of the ablation; `None` before the first one.
    pub report: Option<AblationReport>,
    /// Finished runs.
    pub runs: Vec<AblationRun>,
    /// Comparisons computed from the runs.
    pub found: AblationFound,
}

/// A session of the ablation: from its start or continuation to its end or stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// `true` if the user asked to stop.
    pub stopping: bool,
    /// The latest step.
    pub at: Option<AblationStep>,
    /// Time of the first step of the session, in milliseconds of the browser's clock, and the number of steps since.
    pub since: Option<(f64, u32)>,
}

impl Ablation {
    /// Returns the mean bits per byte of an arm over its seeds, and the number of seeds; `None` before its first run.
    pub fn mean(&self, arm: &str) -> Option<(f64, usize)> {
        let own = self.runs.iter().filter(|run| run.arm == arm && run.problem.is_none());
        let own = own.map(|run| run.validation.bits_per_byte);
        let (sum, count) = own.fold((0.0, 0), |(sum, count), bits| (sum + bits, count + 1));
        (count > 0).then(|| (sum / count as f64, count))
    }

    /// Returns why a run of an arm failed, if one did.
    pub fn problem(&self, arm: &str) -> Option<String> {
        let own = self.runs.iter().filter(|run| run.arm == arm);
        own.filter_map(|run| run.problem.as_ref().map(|problem| format!("seed {}: {problem}", run.seed))).next()
    }

    /// Returns the number of runs in all; 0 before it is known.
    pub fn of(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.of)
    }

    /// Returns `true` if all runs are done.
    pub fn is_finished(&self) -> bool {
        self.of() > 0 && self.runs.len() >= self.of()
    }

    /// Adds a run; it replaces an earlier one of the same arm and seed.
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
