//! Passages on their way from the workers to the page: the one being written, and finished ones that are not shown yet.
//!
//! The passage being written is shown only once no passage has been finished for a moment: a row for a passage that is
//! done at once would flicker. Passages that finish within a moment are shown together. Drawing each on its own would slow
//! the translating workers down, and nobody could follow it.

use super::rendering::Rendering;
use crate::shell::timing::{Debounce, Pace};
use leptos::prelude::*;

/// Milliseconds before a passage being written is shown. Two short passages written together take less on an ordinary
/// machine; with a shorter delay their row would appear just before it goes.
const MOMENT: u32 = 700;

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
struct Desk {
    shown: Option<Writing>,
    waiting: Option<Writing>,
}

impl Desk {
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
    desk: StoredValue<Desk>,
    moment: Debounce,
}

impl BeingWritten {
    /// Returns the state in which no passage is being written.
    pub fn new() -> Self {
        Self { shown: RwSignal::new(None), desk: StoredValue::new(Desk::default()), moment: Debounce::new() }
    }

    /// Returns `true` if the passage at this place is shown.
    pub fn is_shown(self, place: (usize, usize)) -> bool {
        self.shown.with_untracked(|shown| is_at(shown, place))
    }

    /// Stores the present state of a passage, and shows a new one after the delay.
    pub fn note(self, writing: Writing) {
        if self.change(|desk| desk.note(writing)) == Some(true) {
            self.moment.start(MOMENT, move || {
                self.change(Desk::show);
            });
        }
    }

    /// Removes the passage at this place, which is finished.
    pub fn finish(self, place: (usize, usize)) {
        self.change(|desk| desk.finish(place));
    }

    /// Removes the passage being written, shown or not, and returns it.
    pub fn end(self) -> Option<Writing> {
        self.moment.cancel();
        self.change(Desk::end).flatten()
    }

    /// Changes the state, and updates the shown passage if it differs.
    fn change<T>(self, act: impl FnOnce(&mut Desk) -> T) -> Option<T> {
        let (outcome, shown) = self.desk.try_update_value(|desk| (act(desk), desk.shown.clone()))?;
        if *self.shown.read_untracked() != shown {
            self.shown.set(shown);
        }
        Some(outcome)
    }
}

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
        let mut desk = Desk::default();
        assert!(desk.note(writing(0, "")) && !desk.note(writing(0, "T")));
        assert_eq!((partial(&desk.shown), partial(&desk.waiting)), (None, Some("T")));
        desk.show();
        assert!(!desk.note(writing(0, "To")));
        desk.show();
        assert_eq!((partial(&desk.shown), partial(&desk.waiting)), (Some("To"), None));
        assert!(desk.note(writing(1, "m")), "the next one waits again");
        assert_eq!((partial(&desk.shown), partial(&desk.waiting)), (None, Some("m")));
    }

    #[test]
    fn what_is_finished_is_shown_no_more_and_leaves_the_others() {
        let mut desk = Desk::default();
        let place = |line| writing(line, "").rendering.place();
        desk.note(writing(0, "T"));
        desk.finish(place(0));
        desk.show();
        assert_eq!(desk.shown, None, "it was done within a moment");
        desk.note(writing(1, "m"));
        desk.finish(place(0));
        desk.show();
        assert_eq!(partial(&desk.shown), Some("m"));
        desk.finish(place(1));
        assert_eq!((desk.shown.is_none(), desk.end()), (true, None));
    }

    #[test]
    fn what_is_stopped_is_kept_be_it_shown_or_not() {
        for is_shown in [false, true] {
            let mut desk = Desk::default();
            desk.note(writing(0, "To the k"));
            if is_shown {
                desk.show();
            }
            assert_eq!(partial(&desk.end()), Some("To the k"), "shown: {is_shown}");
            assert_eq!((desk.shown, desk.waiting), (None, None));
        }
    }
}
