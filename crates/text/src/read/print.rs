//! Last pass: the canonical form of each word, and the edits where it differs from the typed text.

use super::clean::Clean;
use super::lines::RawLine;
use super::rules::{Rule, Rules};
use super::unit::{Unit, Word};
use crate::{Edit, Joiner, Span, State};
use std::ops::Range;

/// Rule name of an edit that only drops or composes characters.
pub const INVISIBLE: &str = "invisible or composed characters";

/// Canonical form of a word.
#[derive(Debug)]
pub struct Printed {
    /// Place of the typed word in the cleaned text.
    pub at: Range<usize>,
    /// Canonical form of the word.
    pub canonical: String,
    /// Rules that changed the word.
    pub rules: Rules,
}

/// Prints the words of a line, with brackets around sequences of signs that share a pair.
pub fn words(units: &[Unit], words: &[Word]) -> Vec<Printed> {
    let pair_at = |place: Option<usize>| place.and_then(|place| units.get(place)).map_or(0, |unit| unit.pair);
    let opens_gloss = |place: usize| {
        let before = place.checked_sub(1).and_then(|before| units.get(before));
        before.is_some_and(|before| before.kind.is_none() && matches!(before.print.as_str(), "{(" | "{{"))
    };
    let print = |word: &Word| {
        let mut canonical = String::new();
        for place in word.units.clone() {
            let Some(unit) = units.get(place) else { continue };
            let is_first = place == word.units.start;
            canonical.push_str(match unit.joiner {
                Joiner::Space if is_first || opens_gloss(place) => "",
                Joiner::Space => " ",
                Joiner::Hyphen => "-",
                Joiner::Dot => ".",
                Joiner::Plus => "+",
                Joiner::Nothing => "",
            });
            let (opening, closing) = match unit.state {
                State::Preserved => ("", ""),
                State::Damaged => ("⸢", "⸣"),
                State::Missing => ("[", "]"),
            };
            // Neighbours of the same pair share their brackets, across the words of a line too.
            if pair_at(place.checked_sub(1)) != unit.pair {
                canonical.push_str(opening);
            }
            canonical.push_str(&unit.print);
            if pair_at(Some(place + 1)) != unit.pair {
                canonical.push_str(closing);
            }
        }
        Printed { at: word.at.clone(), canonical, rules: word.rules }
    };
    words.iter().map(print).collect()
}

/// Returns the canonical form of a whole line, without its end.
pub fn line(text: &str, line: &RawLine, printed: &[Printed]) -> String {
    let mut canonical = String::with_capacity(line.whole.len());
    let mut done = line.whole.start;
    for word in printed {
        canonical.push_str(text.get(done..word.at.start).unwrap_or(""));
        canonical.push_str(&word.canonical);
        done = word.at.end;
    }
    canonical.push_str(text.get(done..line.body.end).unwrap_or(""));
    canonical
}

/// Appends the edits of a line: one per word or space that differs. `printed` is empty for lines that stay as typed.
pub fn edits(typed: &str, clean: &Clean, line: &RawLine, span: Span, printed: &[Printed], edits: &mut Vec<Edit>) {
    let mut done = line.whole.start;
    let mut typed_done = span.start;
    let mut note = |place: Span, canonical: &str, rule: &dyn Fn() -> String| {
        if place.of(typed) != canonical {
            edits.push(Edit { span: place, canonical: canonical.to_owned(), rule: rule() });
        }
    };
    let invisible = || INVISIBLE.to_owned();
    for word in printed {
        let place = clean.typed(&word.at);
        let between = clean.text.get(done..word.at.start).unwrap_or("");
        note(Span::new(typed_done, place.start), between, &invisible);
        let rule = || {
            let mut rules = word.rules;
            if clean.text.get(word.at.clone()) != Some(place.of(typed)) {
                rules.add(Rule::Invisible);
            }
            with_example(rules.names(), place.of(typed), &word.canonical)
        };
        note(place, &word.canonical, &rule);
        done = word.at.end;
        typed_done = place.end;
    }
    let rest = clean.text.get(done..line.whole.end).unwrap_or("");
    note(Span::new(typed_done, span.end), rest, &invisible);
}

fn with_example(names: String, typed: &str, canonical: &str) -> String {
    if canonical.is_empty() { names } else { format!("{names}: {typed} is {canonical}") }
}
