//! One request being served.

use super::event_loop::{CancellationToken, Turns};
use tuppum_nn::yielding::{Cancelled, Yield};
use tuppum_protocol::{Event, Phase, Progress, RequestId};

/// One request being served: where its events go, and whether it is cancelled.
pub struct Job {
    /// Number of the request.
    pub id: RequestId,
    /// Cancels the request.
    pub token: CancellationToken,
    /// Receives the events of the request, and says whether they reach the page.
    pub post: fn(RequestId, Event) -> bool,
}

impl Job {
    /// Posts an event of the job. Where that fails, the page has been told that the job failed, and it stops.
    pub fn emit(&self, event: impl Into<Event>) {
        if !(self.post)(self.id, event.into()) {
            self.token.cancel();
        }
    }

    /// Posts the progress of the job.
    pub fn progress(&self, phase: Phase, done: u64, total: u64) {
        self.emit(Progress { phase, done, total });
    }

    /// Yields to the event loop between layers and ends when the job is cancelled.
    pub fn yielder(&self) -> JobYield {
        JobYield { token: self.token.clone(), turns: Turns::new() }
    }
}

/// Lets the worker handle messages between layers, and stops when one of them was a cancel.
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
