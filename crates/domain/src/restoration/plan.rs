//! Turns a question into a plan: open places, fixed places, and the tokens around them.

use super::question::typed_word_starts;
use super::template::{Slot, Template, Unit};
use super::{Boundary, Filled, Question, Traces};
use std::ops::RangeInclusive;
use thiserror::Error;
use tuppum_text::encode::{Encoded, encode};
use tuppum_text::tokens::{BEGIN, ILLEGIBLE, INNER_ILLEGIBLE, TokenId, Vocabulary};
use tuppum_text::{Document, Sign, SignIndex, SignKind};

/// Largest number of gaps in one question. A thousand take minutes on a processor; more is a whole archive pasted by
/// mistake.
const MAX_GAPS: usize = 1000;
/// Range of the beam.
const BEAMS: RangeInclusive<usize> = 1..=20;
/// Range of the number of proposals per gap.
const TOPS: RangeInclusive<usize> = 1..=200;
/// Range of the length of a break in signs.
const LENGTHS: RangeInclusive<usize> = 1..=20;

/// Reason why a question cannot be answered, for the user.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum QuestionError {
    /// The question has no text.
    #[error("There is no text. Paste a transliteration with x for an illegible sign or [...] for a break.")]
    NoText,
    /// No sign is illegible, and none is chosen.
    #[error(
        "There is nothing to restore: no sign of the text is illegible. Write x for an illegible sign or [...] for a \
         break, or choose a sign that can be read to have it restored all the same."
    )]
    AllLegible,
    /// Every gap is left alone.
    #[error("There is nothing to restore: every gap is left alone. Choose at least one to restore.")]
    AllLeftAlone,
    /// The text has more gaps than fit in one question.
    #[error(
        "This text has {0} places to restore; at most {MAX_GAPS} fit in one question. Paste one tablet or passage at \
         a time, or leave some gaps alone."
    )]
    TooManyGaps(usize),
    /// A number of the question is too small or too large.
    #[error("The {name} is {value}; it must be {} to {}.", .range.start(), .range.end())]
    OutOfRange {
        /// Name of the number for the user.
        name: &'static str,
        value: usize,
        /// Range of possible values.
        range: RangeInclusive<usize>,
    },
    /// The question names a sign that the text does not have.
    #[error(
        "There is no sign number {number}: the text has {signs} signs, counted from 0. Was the text changed after the \
         sign was chosen?"
    )]
    NoSign {
        /// Number of the sign.
        number: SignIndex,
        /// Number of signs in the text.
        signs: usize,
    },
    /// A sign is filled with no readings.
    #[error("Sign number {0} was filled with no reading; give at least one.")]
    NoReading(SignIndex),
    /// A break is said to be shorter or longer than any that is searched.
    #[error(
        "The break at sign number {sign} is said to have {length} signs; it must be {} to {}.",
        LENGTHS.start(),
        LENGTHS.end()
    )]
    Length {
        /// Index of the break among the signs.
        sign: SignIndex,
        /// Number of signs that the break is said to have.
        length: usize,
    },
}

/// Extent of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One sign, or a break with as many signs as the user said.
    Signs(usize),
    /// A break of unknown length.
    Unknown,
}

/// One gap of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Index of the sign or break in the document.
    pub sign: SignIndex,
    pub extent: Extent,
    /// First unit, with what is known about the place.
    pub first: Unit,
}

/// A question prepared for the search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPlan {
    /// Text with its open places.
    pub template: Template,
    /// Gaps in order of place.
    pub gaps: Vec<Gap>,
}

impl SearchPlan {
    /// Plans a question about a document that was read from the question's text.
    ///
    /// # Errors
    /// Returns [`QuestionError`], for the user: nothing to restore, a sign index outside the text, a number out of
    /// range, too many gaps.
    pub fn new(question: &Question, document: &Document, vocabulary: &Vocabulary) -> Result<Self, QuestionError> {
        let signs: Vec<(&Sign, Option<f32>)> = document.signs().zip(typed_word_starts(document)).collect();
        check(question, signs.len())?;
        let mut plan = SearchPlan { template: Template::default(), gaps: Vec::new() };
        let Encoded { ids, signs: sign_at, .. } = encode(document, vocabulary);
        for (&id, sign_number) in ids.iter().zip(&sign_at) {
            let sign = sign_number.and_then(|number| Some((number, *signs.get(number)?)));
            match sign {
                Some((number, typed)) => plan.push_sign(question, number, typed, id, vocabulary),
                None if id == BEGIN => {}
                None => plan.template.push_token(id),
            }
        }
        match plan.gaps.len() {
            0 if question.filled.is_empty() => Err(nothing_to_restore(question)),
            1..=MAX_GAPS | 0 => Ok(plan),
            many => Err(QuestionError::TooManyGaps(many)),
        }
    }

    fn push_sign(
        &mut self,
        question: &Question,
        number: SignIndex,
        (sign, typed_word_start): (&Sign, Option<f32>),
        id: TokenId,
        vocabulary: &Vocabulary,
    ) {
        if let Some(filled) = question.filled.iter().find(|filled| filled.sign == number) {
            for (reading, starts_word) in &filled.readings {
                self.template.push_token(vocabulary.id(reading, *starts_word));
            }
            return;
        }
        let broken = matches!(sign.kind, SignKind::Illegible | SignKind::Gap);
        let is_chosen = question.chosen.contains(&number);
        if !is_chosen && (!broken || question.left_alone.contains(&number)) {
            self.template.push_token(id);
            return;
        }
        if question.only.as_ref().is_some_and(|only| !only.contains(&number)) {
            // Outside `only`, a chosen sign is treated as illegible too.
            let illegible = if sign.starts_word() { ILLEGIBLE } else { INNER_ILLEGIBLE };
            self.template.push_token(if is_chosen { illegible } else { id });
            return;
        }
        let choice = question.choices.iter().find(|choice| choice.sign == number);
        let gap = self.gaps.len();
        let first = Unit {
            gap,
            boundary: choice.map_or(Boundary::Unknown, |choice| choice.boundary),
            typed_word_start,
            traces: choice.map_or_else(Traces::default, |choice| choice.traces.clone()),
        };
        let extent = match (&sign.kind, choice.and_then(|choice| choice.length)) {
            (SignKind::Gap, Some(length)) => Extent::Signs(length),
            (SignKind::Gap, None) => Extent::Unknown,
            _ => Extent::Signs(1),
        };
        match extent {
            Extent::Unknown => self.template.slots.push(Slot::Break(gap)),
            Extent::Signs(length) => {
                // Only the first sign of a break inherits what is known about its place.
                self.template.push_unit(first.clone());
                (1..length).for_each(|_| self.template.push_unit(Unit::unknown(gap)));
            }
        }
        self.gaps.push(Gap { sign: number, extent, first });
    }
}

/// Refuses numbers out of range, naming them.
fn check(question: &Question, signs: usize) -> Result<(), QuestionError> {
    for (name, value, range) in [
        ("beam", question.beam, BEAMS),
        ("number of proposals per gap", question.top, TOPS),
        ("longest length of a break", question.longest, LENGTHS),
    ] {
        if !range.contains(&value) {
            return Err(QuestionError::OutOfRange { name, value, range });
        }
    }
    let named = question.chosen.iter().chain(&question.left_alone).chain(question.only.iter().flatten()).copied();
    let named = named.chain(question.choices.iter().map(|choice| choice.sign));
    let mut named = named.chain(question.filled.iter().map(|filled| filled.sign));
    if let Some(outside) = named.find(|&sign| sign >= signs) {
        return Err(QuestionError::NoSign { number: outside, signs });
    }
    let empty = |filled: &&Filled| filled.readings.is_empty();
    if let Some(filled) = question.filled.iter().find(empty) {
        return Err(QuestionError::NoReading(filled.sign));
    }
    let length = question.choices.iter().filter_map(|choice| Some((choice.sign, choice.length?)));
    match length.into_iter().find(|(_, length)| !LENGTHS.contains(length)) {
        Some((sign, length)) => Err(QuestionError::Length { sign, length }),
        None => Ok(()),
    }
}

fn nothing_to_restore(question: &Question) -> QuestionError {
    if question.text.trim().is_empty() {
        QuestionError::NoText
    } else if question.left_alone.is_empty() {
        QuestionError::AllLegible
    } else {
        QuestionError::AllLeftAlone
    }
}

#[cfg(test)]
mod tests {
    use super::super::GapChoice;
    use super::*;
    use crate::restoration::toy::vocabulary;
    use tuppum_text::tokens::{GAP, LINE_END};

    fn plan(question: &Question) -> Result<SearchPlan, QuestionError> {
        SearchPlan::new(question, &Document::read(&question.text), &vocabulary())
    }

    fn planned(question: &Question) -> SearchPlan {
        plan(question).unwrap_or_else(|error| panic!("{error}"))
    }

    fn choice(sign: SignIndex) -> GapChoice {
        GapChoice { sign, boundary: Boundary::Unknown, traces: Traces::default(), length: None }
    }

    #[test]
    fn illegible_signs_and_breaks_are_gaps_unless_left_alone() {
        let plan = planned(&Question { left_alone: vec![1, 5], ..Question::about("a x b x\n... ...") });
        let signs: Vec<SignIndex> = plan.gaps.iter().map(|gap| gap.sign).collect();
        assert_eq!(signs, [3, 4]);
        let (a, b) = (vocabulary().id("a", true), vocabulary().id("b", true));
        let token = Slot::Token;
        let slots = [token(a), token(ILLEGIBLE), token(b), Slot::Unit(0), token(LINE_END), Slot::Break(1), token(GAP)];
        assert_eq!(plan.template.slots[..7], slots);
    }

    #[test]
    fn only_the_gaps_named_are_restored() {
        let question = Question { chosen: vec![0], only: Some(vec![3]), ..Question::about("a b x x ...") };
        let plan = planned(&question);
        let signs: Vec<SignIndex> = plan.gaps.iter().map(|gap| gap.sign).collect();
        assert_eq!(signs, [3]);
        let token = Slot::Token;
        let b = token(vocabulary().id("b", true));
        assert_eq!(plan.template.slots[..5], [token(ILLEGIBLE), b, token(ILLEGIBLE), Slot::Unit(0), token(GAP)]);
    }

    #[test]
    fn chosen_signs_are_gaps_and_filled_ones_are_read() {
        let filled = Filled { sign: 3, readings: vec![("b".into(), true), ("c".into(), false)] };
        let question = Question { chosen: vec![0], filled: vec![filled], ..Question::about("a b x ...") };
        let plan = planned(&question);
        let token = |reading: &str, starts: bool| Slot::Token(vocabulary().id(reading, starts));
        let slots = [Slot::Unit(0), token("b", true), Slot::Unit(1), token("b", true), token("c", false)];
        assert_eq!(plan.template.slots[..5], slots);
    }

    #[test]
    fn a_break_of_known_length_has_as_many_units() {
        let known = GapChoice { length: Some(3), boundary: Boundary::Inside, ..choice(1) };
        let plan = planned(&Question { choices: vec![known], ..Question::about("a ... x") });
        assert_eq!(plan.gaps[0].extent, Extent::Signs(3));
        assert_eq!(plan.template.units.iter().map(|unit| unit.gap).collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert_eq!(plan.template.units[0].boundary, Boundary::Inside);
        assert_eq!(plan.template.units[1].boundary, Boundary::Unknown);
    }

    #[test]
    fn hyphens_and_spaces_say_what_they_can() {
        let plan = planned(&Question { chosen: vec![0, 1], ..Question::about("a-b x a-x") });
        let typed: Vec<Option<f32>> = plan.template.units.iter().map(|unit| unit.typed_word_start).collect();
        assert_eq!(typed, [Some(0.98), Some(0.02), None, Some(0.02)]);
    }

    #[test]
    fn when_all_is_filled_nothing_is_open_and_nothing_wrong() {
        let filled = vec![Filled { sign: 1, readings: vec![("b".into(), true)] }];
        assert!(planned(&Question { filled, ..Question::about("a x") }).gaps.is_empty());
    }

    #[test]
    fn questions_without_sense_are_refused_in_a_sentence() {
        let check = |question: Question, expected: &str| {
            let message = plan(&question).unwrap_err().to_string();
            assert!(message.contains(expected), "{question:?}: {message}");
        };
        check(Question::about(" \n"), "There is no text.");
        check(Question::about("a b"), "no sign of the text is illegible");
        check(Question { left_alone: vec![0], ..Question::about("x") }, "every gap is left alone");
        check(Question { chosen: vec![2], ..Question::about("a x") }, "no sign number 2: the text has 2 signs");
        check(Question { choices: vec![choice(9)], ..Question::about("a x") }, "no sign number 9");
        check(Question { beam: 0, ..Question::about("x") }, "The beam is 0; it must be 1 to 20.");
        check(Question { longest: 99, ..Question::about("x") }, "longest length of a break is 99");
        let filled = vec![Filled { sign: 0, readings: Vec::new() }];
        check(Question { filled, ..Question::about("x") }, "filled with no reading");
        let choices = vec![GapChoice { length: Some(0), ..choice(0) }];
        check(Question { choices, ..Question::about("...") }, "said to have 0 signs");
        check(Question::about("x ".repeat(1001)), "1001 places to restore; at most 1000");
    }
}
