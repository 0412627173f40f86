//! Undo and redo: past and undone states of the work, each with the name of its step.

use crate::restore::state::work::Work;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Maximum number of steps.
const MAX_STEPS: usize = 1_000;
/// Maximum bytes of text in all steps together; older steps are dropped first.
const MAX_TEXT_BYTES: usize = 4_000_000;

/// Name of a typing step.
const TYPING: &str = "typing";
/// Bytes above which an insertion or deletion counts as pasted, dropped or cut instead of typed.
const MAX_TYPED_BYTES: usize = 40;
/// Bytes of typing after which the next word begins a new step, so that undo does not remove a long line at once.
const MIN_RUN_BYTES: usize = 24;

/// A step, with the state of the work on its other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Name of the step for the undo button: "accept šu".
    pub name: String,
    /// The work before the step or, for an undone step, after it.
    pub work: Work,
}

/// The present work with its past and undone steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The present work.
    pub present: Work,
    past: Vec<Step>,
    future: Vec<Step>,
    /// Name and place of the latest step if it can be continued, as typing in one place can.
    #[serde(skip)]
    going_on: Option<String>,
    /// Uninterrupted typing up to now.
    #[serde(skip)]
    run: Option<TypingRun>,
}

impl History {
    /// Creates a history without steps.
    pub fn beginning_with(present: Work) -> Self {
        Self { present, ..Self::default() }
    }

    /// Performs a step that can be undone. A change that changes nothing is not recorded.
    pub fn step(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Work)) {
        let before = self.present.clone();
        change(&mut self.present);
        if self.present != before {
            self.push(name.into(), before);
            self.going_on = None;
        }
    }

    /// Performs a step that may continue: with the same name and `place`, and nothing in between, it extends the latest
    /// step.
    pub fn step_on(&mut self, name: &str, place: usize, change: impl FnOnce(&mut Work)) {
        let going_on = Some(place_of(name, place));
        if self.going_on == going_on {
            change(&mut self.present);
        } else {
            self.step(name, change);
            self.going_on = going_on;
        }
    }

    /// Takes over the typed text. Typing that continues in one place is one step, and so is a long paste.
    pub fn type_text(&mut self, text: String) {
        if text == self.present.text {
            return;
        }
        let change = TextChange::between(&self.present.text, &text);
        let run = self.run.filter(|_| self.goes_on(&change));
        if run.is_none() {
            self.going_on = None;
        }
        self.step_on(TYPING, 0, |work| work.text = text);
        let bytes = run.map_or(0, |run| run.bytes) + change.bytes;
        self.run = (change.bytes <= MAX_TYPED_BYTES).then_some(TypingRun { end: change.end, bytes });
    }

    /// Returns `true` if taking over this text begins a step.
    pub fn begins_step(&self, text: &str) -> bool {
        !self.goes_on(&TextChange::between(&self.present.text, text))
    }

    fn goes_on(&self, change: &TextChange) -> bool {
        self.going_on == Some(place_of(TYPING, 0)) && self.run.is_some_and(|run| run.goes_on_with(change))
    }

    /// Returns the name of the step that undo would take back.
    pub fn undo_name(&self) -> Option<&str> {
        self.past.last().map(|step| step.name.as_str())
    }

    /// Returns the name of the step that redo would repeat.
    pub fn redo_name(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// Undoes the latest step; returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        Self::travel(&mut self.past, &mut self.future, &mut self.present, &mut self.going_on)
    }

    /// Repeats the step that was undone last; returns `false` if there is none.
    pub fn redo(&mut self) -> bool {
        Self::travel(&mut self.future, &mut self.past, &mut self.present, &mut self.going_on)
    }

    /// Returns the past states of the work, newest first.
    pub fn past(&self) -> impl Iterator<Item = &Work> {
        self.past.iter().rev().map(|step| &step.work)
    }

    /// Returns the approximate size of the history: the bytes of its texts.
    pub fn bytes(&self) -> usize {
        let steps = self.past.iter().chain(&self.future).map(|step| step.work.text.len());
        self.present.text.len() + steps.sum::<usize>()
    }

    /// Returns the present work with as many steps as fit into `most` bytes; the oldest are dropped.
    pub fn within(&self, most: usize) -> Self {
        let mut bytes = self.bytes();
        let mut gone = 0;
        while bytes > most && gone < self.past.len() {
            bytes -= self.past[gone].work.text.len();
            gone += 1;
        }
        let future = if bytes > most { Vec::new() } else { self.future.clone() };
        Self { past: self.past[gone..].to_vec(), future, ..Self::beginning_with(self.present.clone()) }
    }

    /// Returns the present work alone, for a storage that is too small for its steps.
    pub fn without_steps(&self) -> Self {
        Self::beginning_with(self.present.clone())
    }

    fn travel(from: &mut Vec<Step>, to: &mut Vec<Step>, present: &mut Work, going_on: &mut Option<String>) -> bool {
        let Some(step) = from.pop() else { return false };
        to.push(Step { name: step.name, work: std::mem::replace(present, step.work) });
        *going_on = None;
        true
    }

    fn push(&mut self, name: String, work: Work) {
        self.past.push(Step { name, work });
        self.future.clear();
        let mut bytes: usize = self.past.iter().map(|step| step.work.text.len()).sum();
        let mut gone = self.past.len().saturating_sub(MAX_STEPS);
        bytes -= self.past.iter().take(gone).map(|step| step.work.text.len()).sum::<usize>();
        while bytes > MAX_TEXT_BYTES && gone + 1 < self.past.len() {
            bytes -= self.past[gone].work.text.len();
            gone += 1;
        }
        self.past.drain(..gone);
    }
}

/// Returns the key by which a continuing step is recognised.
fn place_of(name: &str, place: usize) -> String {
    format!("{name} {place}")
}

/// Uninterrupted typing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TypingRun {
    /// Position reached, in bytes of the text.
    end: usize,
    /// Bytes inserted or deleted so far.
    bytes: usize,
}

impl TypingRun {
    /// Returns `true` if a change continues the typing: at its end, not pasted, and no new word once the typing is
    /// long.
    fn goes_on_with(self, change: &TextChange) -> bool {
        let touches = change.place.contains(&self.end);
        touches && change.bytes <= MAX_TYPED_BYTES && !(self.bytes > MIN_RUN_BYTES && change.begins_word)
    }
}

/// Difference between two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct TextChange {
    /// End of the changed part in the new text, in bytes.
    pub end: usize,
    /// Bytes inserted or deleted, whichever is more.
    bytes: usize,
    /// Possible positions in the old text: among equal letters nobody can tell which one changed.
    place: RangeInclusive<usize>,
    /// `true` if a space or a new line was inserted.
    begins_word: bool,
}

impl TextChange {
    /// Finds the difference between the common beginning and the common end of two texts.
    pub fn between(before: &str, after: &str) -> Self {
        let shorter = before.len().min(after.len());
        let alike = |(one, other): &(u8, u8)| one == other;
        let begin = before.bytes().zip(after.bytes()).take_while(alike).count();
        let alike_at_end = before.bytes().rev().zip(after.bytes().rev()).take_while(alike).count();
        let end = alike_at_end.min(shorter - begin);
        let last = before.len() - alike_at_end;
        let came = &after.as_bytes()[begin..after.len() - end];
        Self {
            end: after.len() - end,
            bytes: before.len().max(after.len()) - begin - end,
            place: begin.min(last)..=begin.max(last),
            begins_word: came.iter().any(u8::is_ascii_whitespace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_then_redo_is_where_we_were() {
        let mut history = History::beginning_with(Work::on("x"));
        history.step("treat a as broken", |work| work.chosen.push(3));
        let after = history.present.clone();
        assert_eq!(history.undo_name(), Some("treat a as broken"));
        assert!(history.undo());
        assert_eq!(history.present, Work::on("x"));
        assert_eq!(history.redo_name(), Some("treat a as broken"));
        assert!(history.redo());
        assert_eq!(history.present, after);
        assert!(!history.redo());
    }

    #[test]
    fn typing_is_one_step_until_something_else_happens() {
        let mut history = History::default();
        for text in ["a", "a-", "a-na"] {
            history.type_text(text.into());
        }
        history.step("choose", |work| work.beam = 2);
        history.type_text("a-na x".into());
        assert!(history.undo() && history.undo());
        assert_eq!(history.present.text, "a-na");
        assert!(history.undo());
        assert_eq!(history.present, Work::default());
        assert!(!history.undo());
    }

    #[test]
    fn a_long_paste_is_a_step_of_its_own() {
        let [one, two] =
            ["a-na be-li₂-ia qi₂-bi₂-ma um-ma ARAD-ka-ma", "1(diš) MA.NA KU₃.BABBAR ša a-šur-i-di₂ ir-de-u₂"];
        let mut history = History::default();
        for text in ["x", one, two, &format!("{two} x"), &format!("{two} x x"), one] {
            history.type_text(text.into());
        }
        let mut texts = Vec::new();
        while history.undo() {
            texts.push(history.present.text.clone());
        }
        assert_eq!(texts, [&format!("{two} x x"), two, one, "x", ""]);
    }

    #[test]
    fn edits_in_other_places_are_steps_of_their_own() {
        let mut history = History::beginning_with(Work::on("1. szul-mu a-na x EN-ia"));
        for text in
            ["1. szul-mu a-na x EN-iax", "1. szul-mu a-na x EN-ia", "1. DI-mu a-na x EN-ia", "1. DI-mu a-na [x EN-ia"]
        {
            history.type_text(text.into());
        }
        assert!(!history.begins_step("1. DI-mu a-na [xx EN-ia"), "of equal letters none tells which came");
        history.type_text("1. DI-mu a-na [x x] EN-ia".into());
        let mut texts = Vec::new();
        while history.undo() {
            texts.push(history.present.text.clone());
        }
        let before = "1. szul-mu a-na x EN-ia";
        assert_eq!(texts, ["1. DI-mu a-na [x EN-ia", "1. DI-mu a-na x EN-ia", before, before]);
    }

    #[test]
    fn a_long_line_is_taken_back_some_words_at_a_time() {
        let long = "a-na be-li₂-ia qi₂-bi₂-ma um-ma ARAD-ka-ma";
        let mut history = History::default();
        (1..=long.chars().count()).for_each(|end| history.type_text(long.chars().take(end).collect()));
        let mut texts = Vec::new();
        while history.undo() {
            texts.push(history.present.text.clone());
        }
        assert_eq!(texts, ["a-na be-li₂-ia qi₂-bi₂-ma", ""]);
    }

    #[test]
    fn a_small_store_gets_the_newest_steps() {
        let mut history = History::default();
        (1..=5).for_each(|number| history.step("write", |work| work.text = number.to_string().repeat(10)));
        assert!(history.undo());
        assert_eq!(history.within(50), history.within(usize::MAX));
        let mut small = history.within(30);
        assert_eq!((small.bytes(), small.redo()), (30, true));
        assert!(small.undo() && small.undo() && !small.undo());
        assert_eq!(history.within(5), history.without_steps());
    }

    #[test]
    fn what_was_typed_letter_by_letter_and_deleted_comes_back() {
        let long = "a-na be-li₂-ia qi₂-bi₂-ma um-ma ARAD-ka-ma um-ma";
        let mut history = History::default();
        (1..=long.chars().count()).for_each(|end| history.type_text(long.chars().take(end).collect()));
        history.type_text(String::new());
        history.type_text("x".into());
        assert!(history.undo() && history.undo());
        assert_eq!(history.present.text, long);
    }

    #[test]
    fn what_came_and_went_is_measured_between_what_stayed() {
        for (before, after, expected) in
            [("", "abc", 3), ("abc", "", 3), ("a b", "a x b", 2), ("aa", "aaa", 1), ("abcd", "abXd", 1)]
        {
            assert_eq!(TextChange::between(before, after).bytes, expected, "{before} {after}");
        }
    }

    #[test]
    fn going_on_in_another_place_is_another_step() {
        let mut history = History::default();
        for (place, beam) in [(0, 1), (0, 2), (1, 3)] {
            history.step_on("beam", place, |work| work.beam = beam);
        }
        assert!(history.undo());
        assert_eq!(history.present.beam, 2);
        assert!(history.undo());
        assert_eq!(history.present, Work::default());
    }

    #[test]
    fn a_new_step_closes_the_way_forth() {
        let mut history = History::beginning_with(Work::on("x"));
        history.step("one", |work| work.beam = 1);
        history.undo();
        history.step("two", |work| work.beam = 2);
        assert_eq!(history.redo_name(), None);
    }

    #[test]
    fn nothing_changed_is_no_step() {
        let mut history = History::beginning_with(Work::on("x"));
        history.step("nothing", |_| ());
        history.type_text("x".into());
        assert_eq!(history.undo_name(), None);
    }

    #[test]
    fn old_steps_are_let_go_when_the_texts_grow_large() {
        let mut history = History::default();
        for round in 0..10 {
            history.step("paste", |work| work.text = "x ".repeat(500_000) + &round.to_string());
        }
        let mut undone = 0;
        while history.undo() {
            undone += 1;
        }
        assert!((2..=5).contains(&undone), "{undone} steps of 1 MB kept within {MAX_TEXT_BYTES} bytes");
    }

    #[test]
    fn steps_are_bounded() {
        let mut history = History::default();
        for beam in 1..=MAX_STEPS + 50 {
            history.step("beam", |work| work.beam = beam);
        }
        assert_eq!(history.past.len(), MAX_STEPS);
    }
}
