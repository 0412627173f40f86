//! Passages that are finished, until they are shown: at once, but together where several are finished in a moment. To
//! draw each on its own would take the time of those who translate, and nobody could follow it.

use super::writing::Writing;
use crate::shell::timing::Pace;
use leptos::prelude::*;

/// A passage that is finished, and what a screen reader is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The passage, of which nothing more will be written.
    pub passage: Writing,
    /// What is announced.
    pub told: String,
}

/// Those that are still to be shown; copied freely.
#[derive(Clone, Copy)]
pub struct ToBeShown {
    waiting: StoredValue<Vec<Finished>>,
    pace: Pace,
}

impl ToBeShown {
    /// None.
    pub fn new() -> Self {
        Self { waiting: StoredValue::new(Vec::new()), pace: Pace::new() }
    }

    /// Takes one more, which `show` will then find here with the others: now, if this cannot wait, or soon.
    pub fn push(self, finished: Finished, can_wait: bool, show: impl FnOnce() + 'static) {
        self.waiting.update_value(|waiting| waiting.push(finished));
        match can_wait {
            true => self.pace.act(show),
            false => self.pace.act_now(show),
        }
    }

    /// All of them, which then wait no more.
    pub fn take(self) -> Vec<Finished> {
        self.pace.cancel();
        self.waiting.try_update_value(std::mem::take).unwrap_or_default()
    }
}
