//! Queue of finished passages that are not shown yet. Several that finish within a moment are shown together: drawing
//! each on its own would slow the translating workers down, and nobody could follow it.

use super::writing::Writing;
use crate::shell::timing::Pace;
use leptos::prelude::*;

/// Name of this queue's action in the job's [`Pace`].
const PASSAGES: &str = "passages";

/// A finished passage with its announcement for screen readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub passage: Writing,
    /// Text of the announcement.
    pub told: String,
}

/// The queue; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct ToBeShown {
    waiting: StoredValue<Vec<Finished>>,
    pace: Pace,
}

impl ToBeShown {
    /// Returns an empty queue that is shown at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { waiting: StoredValue::new(Vec::new()), pace }
    }

    /// Adds a passage and schedules `show`, which finds it here with the others: at once if it cannot wait, else soon.
    pub fn push(self, finished: Finished, can_wait: bool, show: impl FnOnce() + 'static) {
        self.waiting.update_value(|waiting| waiting.push(finished));
        self.pace.act(PASSAGES, show);
        if !can_wait {
            self.pace.act_now();
        }
    }

    /// Shows the waiting passages now; returns `true` if there were any.
    pub fn show_now(self) -> bool {
        let is_any = self.waiting.try_with_value(|waiting| !waiting.is_empty()).unwrap_or_default();
        self.pace.act_now();
        is_any
    }

    /// Removes all passages from the queue and returns them.
    pub fn take(self) -> Vec<Finished> {
        self.pace.forget(PASSAGES);
        self.waiting.try_update_value(std::mem::take).unwrap_or_default()
    }
}
