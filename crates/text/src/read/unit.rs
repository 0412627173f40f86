//! Result of the fifth pass: units and words.

use super::rules::Rules;
use crate::letters;
use crate::{Joiner, Language, SignKind, State};
use std::ops::Range;

/// Sign of a line, or a mark without a sign that is printed as typed (`|`, `o`).
#[derive(Clone, Debug)]
pub struct Unit {
    /// Place of its own characters in the cleaned text.
    pub at: Range<usize>,
    /// Kind of the sign; `None` for a mark that is not a sign.
    pub kind: Option<SignKind>,
    /// State of preservation of the unit.
    pub state: State,
    /// Number of the bracket pair around the unit, 0 for none; neighbours with the same number share their brackets.
    pub pair: u32,
    /// Joiner to the unit before.
    pub joiner: Joiner,
    /// Language of the unit.
    pub language: Language,
    /// Canonical form with braces, without joiner and brackets.
    pub print: String,
}

/// Units of a word and the rules that changed it.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Units of the word, as places in the line's list.
    pub units: Range<usize>,
    /// Rules that changed the word.
    pub rules: Rules,
}

/// Returns `true` if two prints that touch are read as two signs again.
pub fn stays_apart(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return true };
    let ends = last.is_ascii_digit() || letters::is_index(last) || matches!(last, ')' | '|' | '}');
    let is_letter = first.is_alphabetic() && !letters::is_index(first);
    (before == "x" && after == "x") || last == '}' || first == '{' || (ends && is_letter)
}
