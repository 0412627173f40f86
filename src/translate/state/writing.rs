//! Passages on their way from the workers to the page: the one being written, and finished ones that are not shown
//! yet.
//!
//! The passage being written is shown only once no passage has been finished for a moment: a row for a passage that is
//! done at once would flicker. Passages that finish within a moment are shown together. Drawing each on its own would
//! slow the translating workers down, and nobody could follow it.

use super::rendering::Rendering;
use crate::kit::timing::{Debounce, Pace};
use leptos::prelude::*;

/// Milliseconds before a passage being written is shown. Two short passages written together take less on an ordinary
/// machine; with a shorter delay their row would appear just before it goes.
const SHOW_AFTER_MS: u32 = 700;

/// A passage with the text that it belongs to; of several being written, only the first one in the text is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Writing {
    /// Whole text that is translated.
    pub text: String,
    /// The passage as written so far.
    pub rendering: Rendering,
}

/// Passage being written, shown or still waiting to be.
#[derive(Debug, Default)]
struct WritingState {
    shown: Option<Writing>,
    waiting: Option<Writing>,
}

impl WritingState {
    /// Stores the present state of a passage; returns `true` if it is another passage than before.
    fn note(&mut self, writing: Writing) -> bool {
        let place = writing.rendering.place();
        let is_other = !is_at(&self.shown, place) && !is_at(&self.waiting, place);
        if is_at(&self.shown, place) {
            self.shown = Some(writing);
        } else {
            *self = Self { shown: None, waiting: Some(writing) };
        }
        is_other
    }

    /// Shows the waiting passage, after the delay.
    fn show(&mut self) {
        self.shown = self.waiting.take().or_else(|| self.shown.take());
    }

    /// Removes the passage at this place, which is finished.
    fn finish(&mut self, place: (usize, usize)) {
        self.shown.take_if(|writing| writing.rendering.place() == place);
        self.waiting.take_if(|writing| writing.rendering.place() == place);
    }

    /// Removes the passage being written, shown or not, and returns it.
    fn end(&mut self) -> Option<Writing> {
        let Self { shown, waiting } = std::mem::take(self);
        shown.or(waiting)
    }
}

fn is_at(writing: &Option<Writing>, place: (usize, usize)) -> bool {
    writing.as_ref().is_some_and(|writing| writing.rendering.place() == place)
}

/// Passage being written, with the delay before it is shown; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct BeingWritten {
    /// The passage, once it is shown.
    pub shown: RwSignal<Option<Writing>>,
    state: StoredValue<WritingState>,
    moment: Debounce,
}

impl BeingWritten {
    /// Returns the state in which no passage is being written.
    pub fn new() -> Self {
        Self { shown: RwSignal::new(None), state: StoredValue::new(WritingState::default()), moment: Debounce::new() }
    }

    /// Returns `true` if the passage at this place is shown.
    pub fn is_shown(self, place: (usize, usize)) -> bool {
        self.shown.with_untracked(|shown| is_at(shown, place))
    }

    /// Stores the present state of a passage, and shows a new one after the delay.
    pub fn note(self, writing: Writing) {
        if self.change(|state| state.note(writing)) == Some(true) {
            self.moment.start(SHOW_AFTER_MS, move || {
                self.change(WritingState::show);
            });
        }
    }

    /// Removes the passage at this place, which is finished.
    pub fn finish(self, place: (usize, usize)) {
        self.change(|state| state.finish(place));
    }

    /// Removes the passage being written, shown or not, and returns it.
    pub fn end(self) -> Option<Writing> {
        self.moment.cancel();
        self.change(WritingState::end).flatten()
    }

    /// Changes the state, and updates the shown passage if it differs.
    fn change<T>(self, act: impl FnOnce(&mut WritingState) -> T) -> Option<T> {
        let (outcome, shown) = self.state.try_update_value(|state| (act(state), state.shown.clone()))?;
        if *self.shown.read_untracked() != shown {
            self.shown.set(shown);
        }
        Some(outcome)
    }
}

/// Name of this queue's action in the job's [`Pace`].
const SHOW_FINISHED: &str = "passages";

/// A finished passage with its announcement for screen readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub passage: Writing,
    /// Text of the announcement.
    pub told: String,
}

/// The queue; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct FinishedQueue {
    waiting: StoredValue<Vec<Finished>>,
    pace: Pace,
}

impl FinishedQueue {
    /// Returns an empty queue that is shown at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { waiting: StoredValue::new(Vec::new()), pace }
    }

    /// Adds a passage and schedules `show`, which finds it here with the others: at once if it cannot wait, else soon.
    pub fn push(self, finished: Finished, can_wait: bool, show: impl FnOnce() + 'static) {
        self.waiting.update_value(|waiting| waiting.push(finished));
        self.pace.act(SHOW_FINISHED, show);
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
        self.pace.forget(SHOW_FINISHED);
        self.waiting.try_update_value(std::mem::take).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples;

    fn writing(line: usize, partial: &str) -> Writing {
        let mut rendering = examples::rendering(line, "a na", &[]);
        rendering.translated.partial = partial.to_owned();
        Writing { text: String::new(), rendering }
    }

    fn partial(writing: &Option<Writing>) -> Option<&str> {
        writing.as_ref().map(|writing| writing.rendering.translated.partial.as_str())
    }

    #[test]
    fn what_is_written_shows_after_a_moment_and_as_it_grows() {
        let mut state = WritingState::default();
        assert!(state.note(writing(0, "")) && !state.note(writing(0, "T")));
        assert_eq!((partial(&state.shown), partial(&state.waiting)), (None, Some("T")));
        state.show();
        assert!(!state.note(writing(0, "To")));
        state.show();
        assert_eq!((partial(&state.shown), partial(&state.waiting)), (Some("To"), None));
        assert!(state.note(writing(1, "m")), "the next one waits again");
        assert_eq!((partial(&state.shown), partial(&state.waiting)), (None, Some("m")));
    }

    #[test]
    fn what_is_finished_is_shown_no_more_and_leaves_the_others() {
        let mut state = WritingState::default();
        let place = |line| writing(line, "").rendering.place();
        state.note(writing(0, "T"));
        state.finish(place(0));
        state.show();
        assert_eq!(state.shown, None, "it was done within a moment");
        state.note(writing(1, "m"));
        state.finish(place(0));
        state.show();
        assert_eq!(partial(&state.shown), Some("m"));
        state.finish(place(1));
        assert_eq!((state.shown.is_none(), state.end()), (true, None));
    }

    #[test]
    fn what_is_stopped_is_kept_be_it_shown_or_not() {
        for is_shown in [false, true] {
            let mut state = WritingState::default();
            state.note(writing(0, "To the k"));
            if is_shown {
                state.show();
            }
            assert_eq!(partial(&state.end()), Some("To the k"), "shown: {is_shown}");
            assert_eq!((state.shown, state.waiting), (None, None));
        }
    }
}
