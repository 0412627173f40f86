//! Giving the event loop a turn between layers, so that the worker handles messages, and cancelling a job.

use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, DedicatedWorkerGlobalScope, MessageChannel};

/// The longest stretch of computing without a turn of the event loop, so that a cancel takes effect within 200 ms even
/// when a layer takes most of that.
const TURN_MILLISECONDS: f64 = 50.0;

/// Cancels one job. Clones cancel the same one.
#[derive(Clone)]
pub struct CancellationToken {
    cancelled: Rc<Cell<bool>>,
    network: Option<AbortController>,
}

impl CancellationToken {
    /// The token of a job that is not cancelled.
    pub fn new() -> Self {
        Self { cancelled: Rc::new(Cell::new(false)), network: AbortController::new().ok() }
    }

    /// Cancels the job; what it fetches is stopped at once.
    pub fn cancel(&self) {
        self.cancelled.set(true);
        if let Some(controller) = &self.network {
            controller.abort();
        }
    }

    /// Whether the job is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// The signal for requests that the browser can break off.
    pub fn signal(&self) -> Option<AbortSignal> {
        self.network.as_ref().map(AbortController::signal)
    }
}

impl Default for CancellationToken {
    fn default() -> Self {
        Self::new()
    }
}

/// Gives the event loop a turn when one is due.
#[derive(Clone)]
pub struct Turns {
    channel: Option<MessageChannel>,
    last: Rc<Cell<f64>>,
}

impl Turns {
    /// Starts counting now.
    pub fn new() -> Self {
        Self { channel: MessageChannel::new().ok(), last: Rc::new(Cell::new(now())) }
    }

    /// Waits for one turn of the event loop if the last was long ago.
    pub async fn take_if_due(&self) {
        if now() - self.last.get() >= TURN_MILLISECONDS {
            self.take().await;
        }
    }

    /// Waits for one turn of the event loop. A message to oneself costs no waiting, unlike a timer.
    pub async fn take(&self) {
        if let Some(channel) = &self.channel {
            let turn = Promise::new(&mut |resolve, _| {
                channel.port1().set_onmessage(Some(&resolve));
                // cannot fail for a value without transferables; if it did, the turn would be skipped
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

/// What `work` yields, or nothing when it takes longer than `milliseconds`.
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

/// The global object of this worker.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Milliseconds since the worker began.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// Lets through about ten values a second, or fewer.
pub struct Throttle {
    /// So many milliseconds lie between two.
    between: f64,
    last: Cell<f64>,
}

impl Throttle {
    /// Lets the first value through.
    pub fn new() -> Self {
        Self::every(100.0)
    }

    /// Lets the first value through, and another after so many milliseconds.
    pub fn every(between: f64) -> Self {
        Self { between, last: Cell::new(f64::NEG_INFINITY) }
    }

    /// Whether a value may pass now; the last of a row (`done == total`) always may.
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
