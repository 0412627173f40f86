//! Passages that are finished, until they are shown: soon, and together where several are finished in a moment. To draw
//! each on its own would take the time of those who translate, and nobody could follow it.

use super::writing::Writing;
use crate::kit::timing::Pace;
use leptos::prelude::*;

/// What waits at a job's pace.
const PASSAGES: &str = "passages";

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
    /// None; they are shown at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { waiting: StoredValue::new(Vec::new()), pace }
    }

    /// Takes one more, which `show` will then find here with the others: now, if this cannot wait, or soon.
    pub fn push(self, finished: Finished, can_wait: bool, show: impl FnOnce() + 'static) {
        self.waiting.update_value(|waiting| waiting.push(finished));
        self.pace.act(PASSAGES, show);
        if !can_wait {
            self.pace.act_now();
        }
    }

    /// Shows now those that wait; whether there were any.
    pub fn show_now(self) -> bool {
        let is_any = self.waiting.try_with_value(|waiting| !waiting.is_empty()).unwrap_or_default();
        self.pace.act_now();
        is_any
    }

    /// All of them, which then wait no more.
    pub fn take(self) -> Vec<Finished> {
        self.pace.forget(PASSAGES);
        self.waiting.try_update_value(std::mem::take).unwrap_or_default()
    }
}
