//! Jobs: requests that are being served.

use crate::event_loop::{CancellationToken, Turns};
use tuppum_nn::yielding::{Cancelled, Yield};
use tuppum_protocol::{Event, Phase, Progress, RequestId};

/// Request that is being served: receives its events and knows whether it is cancelled.
pub struct Job {
    /// Number of the request.
    pub id: RequestId,
    /// Cancels the request.
    pub token: CancellationToken,
    /// Sends an event to the page; returns `true` if that succeeded.
    pub post: fn(RequestId, Event) -> bool,
}

impl Job {
    /// Sends an event of the job. If that fails, the page was told that the job failed, and the job stops.
    pub fn emit(&self, event: impl Into<Event>) {
        if !(self.post)(self.id, event.into()) {
            self.token.cancel();
        }
    }

    /// Sends the progress of the job.
    pub fn progress(&self, phase: Phase, done: u64, total: u64) {
        self.emit(Progress { phase, done, total });
    }

    /// Returns a yielder for the layers of a model: it yields to the event loop, and stops the computation once the job
    /// is cancelled.
    pub fn yielder(&self) -> JobYield {
        JobYield { token: self.token.clone(), turns: Turns::new() }
    }
}

/// Yields to the event loop between layers, and stops once the job is cancelled.
#[derive(Clone)]
pub struct JobYield {
    token: CancellationToken,
    turns: Turns,
}

impl Yield for JobYield {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        self.turns.take_if_due().await;
        if self.token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
