//! Undo and redo: the states of the work, each with the name of the step that led to it.

use super::work::Work;
use serde::{Deserialize, Serialize};

/// How many steps are kept.
const MOST_STEPS: usize = 200;
/// How many bytes of typed text all kept steps may hold together; older steps are let go first.
const MOST_TEXT: usize = 4_000_000;

/// The name of the step of who types.
const TYPING: &str = "typing";
/// What comes or goes at once and is longer than so many bytes was pasted, dropped or cut, not typed.
const PASTED: usize = 40;

/// A state of the work before a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the step did, as the undo button says it: "accept šu".
    pub name: String,
    /// The work before it (when undone: after it).
    pub work: Work,
}

/// The present work with the way back and the way forth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The work as it is.
    pub present: Work,
    past: Vec<Step>,
    future: Vec<Step>,
    /// What the newest step goes on with, if it can: typing in one place.
    #[serde(skip)]
    going_on: Option<String>,
}

impl History {
    /// A history that begins with this work.
    pub fn beginning_with(present: Work) -> Self {
        Self { present, ..Self::default() }
    }

    /// Does a step that can be undone. A step that changes nothing leaves no trace.
    pub fn step(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Work)) {
        let before = self.present.clone();
        change(&mut self.present);
        if self.present != before {
            self.push(name.into(), before);
            self.going_on = None;
        }
    }

    /// Does a step that goes on: with the same name and `place` again and nothing between, it stays one step.
    pub fn step_on(&mut self, name: &str, place: usize, change: impl FnOnce(&mut Work)) {
        let going_on = Some(place_of(name, place));
        if self.going_on == going_on {
            change(&mut self.present);
        } else {
            self.step(name, change);
            self.going_on = going_on;
        }
    }

    /// Takes over what was typed; typing without another step between is one step, and a long paste is one.
    pub fn type_text(&mut self, text: String) {
        if text == self.present.text {
            return;
        }
        let is_pasted = changed(&self.present.text, &text) > PASTED;
        if is_pasted {
            self.going_on = None;
        }
        self.step_on(TYPING, 0, |work| work.text = text);
        if is_pasted {
            self.going_on = None;
        }
    }

    /// Whether this text is that before the newest step, which was a paste: the text field took it back by itself.
    pub fn takes_a_paste_back(&self, text: &str) -> bool {
        let before = self.past.last().filter(|step| step.name == TYPING && step.work.text == text);
        before.is_some() && changed(&self.present.text, text) > PASTED
    }

    /// Whether taking over this text begins a step.
    pub fn begins_step(&self, text: &str) -> bool {
        self.going_on != Some(place_of(TYPING, 0)) || changed(&self.present.text, text) > PASTED
    }

    /// Whether the newest step is typing, which the text field takes back in smaller steps; also where there is none.
    pub fn typed_last(&self) -> bool {
        self.undo_name().is_none_or(|name| name == TYPING)
    }

    /// The name of the step that undo would take back.
    pub fn undo_name(&self) -> Option<&str> {
        self.past.last().map(|step| step.name.as_str())
    }

    /// The name of the step that redo would do again.
    pub fn redo_name(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// Takes the newest step back; false when there is none.
    pub fn undo(&mut self) -> bool {
        Self::travel(&mut self.past, &mut self.future, &mut self.present, &mut self.going_on)
    }

    /// Does the step again that was taken back last; false when there is none.
    pub fn redo(&mut self) -> bool {
        Self::travel(&mut self.future, &mut self.past, &mut self.present, &mut self.going_on)
    }

    /// The works before the present one, newest first.
    pub fn past(&self) -> impl Iterator<Item = &Work> {
        self.past.iter().rev().map(|step| &step.work)
    }

    /// About how many bytes the history takes: its texts.
    pub fn bytes(&self) -> usize {
        let steps = self.past.iter().chain(&self.future).map(|step| step.work.text.len());
        self.present.text.len() + steps.sum::<usize>()
    }

    /// The present alone, for a store that is too small for all of it.
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
        let mut gone = self.past.len().saturating_sub(MOST_STEPS);
        bytes -= self.past.iter().take(gone).map(|step| step.work.text.len()).sum::<usize>();
        while bytes > MOST_TEXT && gone + 1 < self.past.len() {
            bytes -= self.past[gone].work.text.len();
            gone += 1;
        }
        self.past.drain(..gone);
    }
}

/// What a step of this name goes on with.
fn place_of(name: &str, place: usize) -> String {
    format!("{name} {place}")
}

/// How many bytes came or went between two texts, whichever is more, where both begin and end alike.
fn changed(before: &str, after: &str) -> usize {
    let shorter = before.len().min(after.len());
    let alike = |(one, other): &(u8, u8)| one == other;
    let begin = before.bytes().zip(after.bytes()).take_while(alike).count();
    let end = before.bytes().rev().zip(after.bytes().rev()).take_while(alike).count().min(shorter - begin);
    before.len().max(after.len()) - begin - end
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
        assert!(history.typed_last());
        history.step("choose", |work| work.beam = 2);
        assert!(!history.typed_last());
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
    fn a_paste_is_known_when_the_field_takes_it_back() {
        let long = "a-na be-li₂-ia qi₂-bi₂-ma um-ma ARAD-ka-ma";
        let mut history = History::default();
        history.type_text("x".into());
        assert!(history.begins_step(long) && !history.begins_step("x x"));
        history.type_text(long.into());
        assert!(
            history.takes_a_paste_back("x") && !history.takes_a_paste_back("") && !history.takes_a_paste_back(long)
        );
        history.step("choose", |work| work.beam = 2);
        assert!(!history.takes_a_paste_back("x"));
    }

    #[test]
    fn what_came_and_went_is_measured_between_what_stayed() {
        for (before, after, expected) in
            [("", "abc", 3), ("abc", "", 3), ("a b", "a x b", 2), ("aa", "aaa", 1), ("abcd", "abXd", 1)]
        {
            assert_eq!(changed(before, after), expected, "{before} {after}");
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
        assert!((2..=5).contains(&undone), "{undone} steps of 1 MB kept within {MOST_TEXT} bytes");
    }

    #[test]
    fn steps_are_bounded() {
        let mut history = History::default();
        for beam in 1..=MOST_STEPS + 50 {
            history.step("beam", |work| work.beam = beam);
        }
        assert_eq!(history.past.len(), MOST_STEPS);
    }
}
