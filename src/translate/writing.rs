//! The passage being written. It is shown once that takes a moment: a row for each passage that is done at once would
//! only flicker, and drawing it take the time of those who translate.

use super::rendering::Rendering;
use crate::shell::timing::Debounce;
use leptos::prelude::*;

/// So long nothing is shown of a passage, in milliseconds.
const MOMENT: u32 = 400;

/// What is there of a passage; of several being written the first in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Writing {
    /// The text that is translated.
    pub text: String,
    /// What is there of it.
    pub rendering: Rendering,
}

/// The passage being written and whether it is shown yet; copied freely.
#[derive(Clone, Copy)]
pub struct BeingWritten {
    /// What is shown of it.
    pub shown: RwSignal<Option<Writing>>,
    waiting: StoredValue<Option<Writing>>,
    moment: Debounce,
}

impl BeingWritten {
    /// None is being written.
    pub fn new() -> Self {
        Self { shown: RwSignal::new(None), waiting: StoredValue::new(None), moment: Debounce::new() }
    }

    /// Takes note of what is there of a passage by now.
    pub fn note(self, writing: Writing) {
        let place = writing.rendering.place();
        if is_at(&self.shown.read_untracked(), place) {
            self.shown.set(Some(writing));
        } else if self.waiting.with_value(|waiting| is_at(waiting, place)) {
            self.waiting.set_value(Some(writing));
        } else {
            self.shown.set(None);
            self.waiting.set_value(Some(writing));
            self.moment.start(MOMENT, move || self.shown.set(self.take_waiting()));
        }
    }

    /// The passage at this place is finished.
    pub fn finish(self, place: (usize, usize)) {
        if is_at(&self.shown.read_untracked(), place) {
            self.shown.set(None);
        }
        if self.waiting.with_value(|waiting| is_at(waiting, place)) {
            self.take_waiting();
        }
    }

    /// None is being written any more: what was there of one, be it shown or not.
    pub fn end(self) -> Option<Writing> {
        let waiting = self.take_waiting();
        let shown = self.shown.get_untracked();
        if shown.is_some() {
            self.shown.set(None);
        }
        shown.or(waiting)
    }

    fn take_waiting(self) -> Option<Writing> {
        self.moment.cancel();
        self.waiting.try_update_value(Option::take).flatten()
    }
}

fn is_at(writing: &Option<Writing>, place: (usize, usize)) -> bool {
    writing.as_ref().is_some_and(|writing| writing.rendering.place() == place)
}
