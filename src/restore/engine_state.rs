//! How the engine is and what it does, as the page shows it.

use tuppum_protocol::{DeviceReport, Failure, Progress};

/// How the engine is.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineState {
    /// Not started, or stopped by the user.
    Stopped,
    /// Starting: weights, warm-up, self-test.
    Opening(Option<Timed>),
    /// Ready to answer.
    Ready(DeviceReport),
    /// It could not start.
    Failed(Failure),
}

/// Progress with the time at which its phase began, in the browser's milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// How far.
    pub progress: Progress,
    /// Since when this phase.
    pub since: f64,
}

impl Timed {
    /// The next report of progress; the clock goes on while the phase stays.
    pub fn after(before: Option<&Self>, progress: Progress) -> Self {
        let since = before.filter(|before| before.progress.phase == progress.phase).map(|before| before.since);
        Self { progress, since: since.unwrap_or_else(now) }
    }
}

/// A job in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Number of the job on this page, by which late events are told from present ones.
    pub number: u32,
    /// What is being done.
    pub kind: JobKind,
    /// How far.
    pub progress: Option<Timed>,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq)]
pub enum JobKind {
    /// Restores.
    Restore,
    /// Finds which signs a proposal leans on.
    Influence,
}

/// What went wrong, and in which job.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What.
    pub failure: Failure,
    /// Whether the engine was starting.
    pub opening: bool,
}

/// The browser's clock in milliseconds.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}
