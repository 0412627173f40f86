//! Jobs: requests that are being served. A job yields to the event loop between layers, so that the worker handles
//! messages.

use crate::bindings::now;
use crate::queue::CancellationToken;
use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use tuppum_nn::yielding::{Cancelled, Yield};
use tuppum_protocol::{Event, Phase, Progress, RequestId};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

/// Maximum milliseconds of computing without yielding to the event loop: a cancel then takes effect within 200 ms even
/// if a layer takes most of that.
const TURN_MILLISECONDS: f64 = 50.0;

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

/// Yields to the event loop when that is due.
#[derive(Clone)]
pub struct Turns {
    channel: Option<MessageChannel>,
    last: Rc<Cell<f64>>,
}

impl Turns {
    /// Starts counting time now.
    pub fn new() -> Self {
        Self { channel: MessageChannel::new().ok(), last: Rc::new(Cell::new(now())) }
    }

    /// Yields to the event loop once, if the last time was long ago.
    pub async fn take_if_due(&self) {
        if now() - self.last.get() >= TURN_MILLISECONDS {
            self.take().await;
        }
    }

    /// Yields to the event loop once, by sending a message to itself, which unlike a timer has no minimum delay.
    pub async fn take(&self) {
        if let Some(channel) = &self.channel {
            let turn = Promise::new(&mut |resolve, _| {
                channel.port1().set_onmessage(Some(&resolve));
                // This cannot fail for a value without transferables; if it did, yielding would be skipped.
                if channel.port2().post_message(&JsValue::NULL).is_err() {
                    let _ = resolve.call0(&JsValue::NULL);
                }
            });
            let _ = JsFuture::from(turn).await;
        }
        self.last.set(now());
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self::new()
    }
}
