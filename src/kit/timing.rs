//! The browser's clock, delays until changes rest, and updates at a pace that the eye can follow.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Returns the browser's clock in milliseconds.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Calls `work` before the browser draws the next frame, also when what asked for it is gone by then. Leptos would drop
/// the call with the effect that asked for it.
pub fn on_next_frame(work: impl FnOnce() + 'static) {
    let work = Closure::once_into_js(work);
    // Only a document that is not shown has no frames, and nothing has to be drawn there.
    let _ = window().request_animation_frame(work.unchecked_ref());
}

/// Delays an action until nothing has been asked for during a while.
#[derive(Clone, Copy)]
pub struct Debounce(StoredValue<Option<Timeout>, LocalStorage>);

impl Debounce {
    /// Creates a debounce that waits for nothing.
    pub fn new() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// Calls `act` after this many milliseconds, in place of the action that waited before.
    pub fn start(self, milliseconds: u32, act: impl FnOnce() + 'static) {
        let act: Box<dyn FnOnce()> = Box::new(act);
        self.0.try_set_value(Some(Timeout::new(milliseconds, act)));
    }

    /// Returns `true` if an action waits, or was performed and not cancelled since.
    pub fn waits(self) -> bool {
        self.0.try_with_value(Option::is_some).unwrap_or_default()
    }

    /// Cancels the waiting action. Returns `true` if there was one.
    pub fn cancel(self) -> bool {
        self.0.try_update_value(Option::take).flatten().is_some()
    }
}

/// Minimum milliseconds between two updates: as often as can be read, and drawing takes little time from the workers.
const MIN_UPDATE_MS: f64 = 500.0;
/// Milliseconds within which updates are collected and drawn together.
const COLLECT_MS: f64 = 20.0;

/// Acts soon, then at most every half second. Actions that fall due together are performed together, so that they are
/// drawn together.
#[derive(Clone, Copy)]
pub struct Pace {
    wait: Debounce,
    last: StoredValue<f64>,
    waiting: StoredValue<Vec<NamedAction>, LocalStorage>,
}

/// An action with its name.
type NamedAction = (&'static str, Box<dyn FnOnce()>);

impl Pace {
    /// Creates a pace that has performed nothing.
    pub fn new() -> Self {
        let waiting = StoredValue::new_local(Vec::new());
        Self { wait: Debounce::new(), last: StoredValue::new(f64::NEG_INFINITY), waiting }
    }

    /// Performs an action as soon as it is due, in place of the action that waits under the same name.
    pub fn act(self, name: &'static str, act: impl FnOnce() + 'static) {
        let is_first = self.waiting.try_update_value(|waiting| {
            let is_first = waiting.is_empty();
            waiting.retain(|(other, _)| *other != name);
            waiting.push((name, Box::new(act)));
            is_first
        });
        if is_first == Some(true) {
            let left = self.last.get_value() + MIN_UPDATE_MS - now();
            self.wait.start(left.max(COLLECT_MS).ceil() as u32, move || self.act_now());
        }
    }

    /// Performs all waiting actions now.
    pub fn act_now(self) {
        self.wait.cancel();
        let waiting = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
        if !waiting.is_empty() {
            self.last.try_set_value(now());
        }
        waiting.into_iter().for_each(|(_, act)| act());
    }

    /// Drops the action that waits under this name.
    pub fn forget(self, name: &'static str) {
        self.waiting.try_update_value(|waiting| waiting.retain(|(other, _)| *other != name));
    }
}
