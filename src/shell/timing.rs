//! The browser's clock, and waiting until changes rest.

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

    /// Waits no more. Whether anything was waited for.
    pub fn cancel(self) -> bool {
        self.0.try_update_value(Option::take).flatten().is_some()
    }
}
