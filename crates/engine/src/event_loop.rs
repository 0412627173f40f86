//! Yielding to the event loop between layers, so that the worker handles messages, and cancelling a job.

use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, DedicatedWorkerGlobalScope, MessageChannel};

/// Maximum milliseconds of computing without yielding to the event loop: a cancel then takes effect within 200 ms even
/// if a layer takes most of that.
const TURN_MILLISECONDS: f64 = 50.0;

/// Cancels one job. Clones cancel the same job.
#[derive(Clone)]
pub struct CancellationToken {
    cancelled: Rc<Cell<bool>>,
    network: Option<AbortController>,
}

impl CancellationToken {
    /// Returns the token of a job that is not cancelled.
    pub fn new() -> Self {
        Self { cancelled: Rc::new(Cell::new(false)), network: AbortController::new().ok() }
    }

    /// Cancels the job and aborts its network requests at once.
    pub fn cancel(&self) {
        self.cancelled.set(true);
        if let Some(controller) = &self.network {
            controller.abort();
        }
    }

    /// Returns `true` if the job is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// Returns the signal for requests that the browser can abort.
    pub fn signal(&self) -> Option<AbortSignal> {
        self.network.as_ref().map(AbortController::signal)
    }
}

impl Default for CancellationToken {
    fn default() -> Self {
        Self::new()
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

/// Returns the result of `work`, or `None` if it takes longer than `milliseconds`.
pub async fn within<T>(milliseconds: i32, work: impl Future<Output = T>) -> Option<T> {
    let late = Promise::new(&mut |resolve, _| {
        let set = scope().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
        if set.is_err() {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let mut work = std::pin::pin!(work);
    let mut late = JsFuture::from(late);
    std::future::poll_fn(move |context| {
        if let std::task::Poll::Ready(value) = work.as_mut().poll(context) {
            return std::task::Poll::Ready(Some(value));
        }
        std::pin::Pin::new(&mut late).poll(context).map(|_| None)
    })
    .await
}

/// Returns the global object of this worker.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Returns the milliseconds since the worker started.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// Limits the rate of values sent to the page.
pub struct Throttle {
    /// Minimum milliseconds between two values.
    between: f64,
    last: Cell<f64>,
}

impl Throttle {
    /// Returns a throttle that passes the first value, then at most ten a second.
    pub fn new() -> Self {
        Self::every(100.0)
    }

    /// Returns a throttle that passes the first value, then one every `between` milliseconds.
    pub fn every(between: f64) -> Self {
        Self { between, last: Cell::new(f64::NEG_INFINITY) }
    }

    /// Returns `true` if a value may pass now; the last of a series (`done == total`) always passes.
    pub fn passes(&self, done: u64, total: u64) -> bool {
        let due = done == total || now() - self.last.get() >= self.between;
        if due {
            self.last.set(now());
        }
        due
    }
}

impl Default for Throttle {
    fn default() -> Self {
        Self::new()
    }
}
