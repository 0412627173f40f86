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

    /// Whether anything is waited for.
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
const FOLLOWED: f64 = 400.0;

/// Acts at once, and again only a while later.
#[derive(Clone, Copy)]
pub struct Pace {
    waits: Debounce,
    last: StoredValue<f64>,
}

impl Pace {
    /// Nothing was done yet.
    pub fn new() -> Self {
        Self { waits: Debounce::new(), last: StoredValue::new(f64::NEG_INFINITY) }
    }

    /// Acts, now or as soon as it is time again, in place of what waits for that.
    pub fn act(self, act: impl FnOnce() + 'static) {
        let left = self.last.try_get_value().map_or(0.0, |last| last + FOLLOWED - now());
        if left <= 0.0 {
            self.act_now(act);
        } else {
            self.waits.start(left.ceil() as u32, move || self.act_now(act));
        }
    }

    /// Acts now, in place of what waits.
    pub fn act_now(self, act: impl FnOnce()) {
        self.cancel();
        self.last.try_set_value(now());
        act();
    }

    /// What waits is not done.
    pub fn cancel(self) {
        self.waits.cancel();
    }
}
