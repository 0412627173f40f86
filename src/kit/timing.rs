//! The browser's clock, waiting until changes rest, and acting no more often than can be followed.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

/// The browser's clock in milliseconds.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Acts once nothing has been asked for during a while.
#[derive(Clone, Copy)]
pub struct Debounce(StoredValue<Option<Timeout>, LocalStorage>);

impl Debounce {
    /// Waits for nothing yet.
    pub fn new() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// Acts after so many milliseconds, in place of what was waited for before.
    pub fn start(self, milliseconds: u32, act: impl FnOnce() + 'static) {
        let act: Box<dyn FnOnce()> = Box::new(act);
        self.0.try_set_value(Some(Timeout::new(milliseconds, act)));
    }

    /// Whether anything is waited for, or was done without [`Debounce::cancel`].
    pub fn waits(self) -> bool {
        self.0.try_with_value(Option::is_some).unwrap_or_default()
    }

    /// Waits no more. Whether anything was waited for.
    pub fn cancel(self) -> bool {
        self.0.try_update_value(Option::take).flatten().is_some()
    }
}

/// So often at most something is shown that changes quickly, in milliseconds: as often as can be read, and drawing
/// takes little of the time of those who compute.
const FOLLOWED: f64 = 500.0;
/// What comes within so many milliseconds is shown at the same time.
const TOGETHER: f64 = 20.0;

/// Acts soon, and again only a while later; what is then to be done is done together, so that it is drawn together.
#[derive(Clone, Copy)]
pub struct Pace {
    wait: Debounce,
    last: StoredValue<f64>,
    waiting: StoredValue<Vec<Named>, LocalStorage>,
}

/// What is to be done, and its name.
type Named = (&'static str, Box<dyn FnOnce()>);

impl Pace {
    /// Nothing was done yet.
    pub fn new() -> Self {
        let waiting = StoredValue::new_local(Vec::new());
        Self { wait: Debounce::new(), last: StoredValue::new(f64::NEG_INFINITY), waiting }
    }

    /// Does it as soon as it is time again, in place of what waits under the same name.
    pub fn act(self, name: &'static str, act: impl FnOnce() + 'static) {
        let is_first = self.waiting.try_update_value(|waiting| {
            let is_first = waiting.is_empty();
            waiting.retain(|(other, _)| *other != name);
            waiting.push((name, Box::new(act)));
            is_first
        });
        if is_first == Some(true) {
            let left = self.last.get_value() + FOLLOWED - now();
            self.wait.start(left.max(TOGETHER).ceil() as u32, move || self.act_now());
        }
    }

    /// Does what waits, if anything does.
    pub fn act_now(self) {
        self.wait.cancel();
        let waiting = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
        if !waiting.is_empty() {
            self.last.try_set_value(now());
        }
        waiting.into_iter().for_each(|(_, act)| act());
    }

    /// What waits under this name is not done.
    pub fn forget(self, name: &'static str) {
        self.waiting.try_update_value(|waiting| waiting.retain(|(other, _)| *other != name));
    }
}
