//! State of a training run on the page. `control` starts, pauses, resumes and scores the run, `view` shows it, `curve`
//! draws its losses, `stored` lists the runs in the browser, and `trouble` shows failures and unsaved steps.

pub mod control;
pub mod curve;
pub mod stored;
pub mod trouble;
pub mod view;

use tuppum_protocol::{FailureKind, Task, TrainingReport};

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// The engine loads the model and translates the first samples.
    Starting,
    /// The engine loads a run whose steps are all done, to show and score it.
    Opening,
    /// The engine makes steps.
    Running,
    /// The user asked for a pause; the engine writes a checkpoint.
    Pausing,
    /// The run stopped before its last step and can be resumed.
    Paused,
    /// All steps are done.
    Finished,
}

impl RunStatus {
    /// Returns the word that the page shows.
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Opening => "opening",
            Self::Running => "running",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Finished => "finished",
        }
    }

    /// Returns the first state of a stored run that is loaded again, with `made` of its `of` steps done.
    pub fn resumed(made: u32, of: u32) -> Self {
        if of > 0 && made >= of { Self::Opening } else { Self::Starting }
    }

    /// Returns `true` if the engine works on the run.
    pub fn is_busy(self) -> bool {
        matches!(self, Self::Starting | Self::Opening | Self::Running | Self::Pausing)
    }
}

/// The run that the page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub name: String,
    /// Kind of model that the run trains.
    pub task: Task,
    pub status: RunStatus,
    /// Latest report of the engine on the run.
    pub report: Option<TrainingReport>,
    /// Number of steps done.
    pub step: u32,
    /// Number of steps in all; 0 until the engine reports it.
    pub of: u32,
    /// Number of steps in the stored checkpoint.
    pub stored: u32,
    /// `true` if closing the run failed because it could not be stored.
    pub close_failed: bool,
    /// Kind of the last failure, if the run stopped for one.
    pub failed: Option<FailureKind>,
    /// Time of the first step since the last pause, in milliseconds of the browser's clock, and the number of steps
    /// done then.
    pub since: Option<(f64, u32)>,
}

impl Run {
    /// Returns `true` if the run is paused or finished with steps that exist only in this page's memory.
    pub fn is_unsaved(&self) -> bool {
        !self.status.is_busy() && self.step > self.stored
    }

    /// Returns `true` if leaving the page now would interrupt the run.
    pub fn is_under_way(&self) -> bool {
        self.status.is_busy() && self.step > 0
    }
}

#[cfg(test)]
mod tests {
    use super::RunStatus;

    #[test]
    fn a_run_without_steps_left_is_opened_and_not_started() {
        assert_eq!(RunStatus::resumed(50, 50), RunStatus::Opening);
        for (made, of) in [(0, 50), (49, 50), (0, 0)] {
            assert_eq!(RunStatus::resumed(made, of), RunStatus::Starting, "{made} of {of}");
        }
        assert!(RunStatus::Opening.is_busy(), "no other run may begin meanwhile");
    }
}
