//! What is asked: the signs around an open place.

use super::agreement::REACH;
use crate::attested::{AttestedSign, ILLEGIBLE, TEXT_END};

/// A sign that cannot be read.
const UNKNOWN: AttestedSign = AttestedSign { reading: ILLEGIBLE, starts_word: true };

/// The signs around an open place, the nearest first, at most [`REACH`] on each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// Before it. The text's beginning, where it is near, is a sign too: [`TEXT_END`].
    pub left: Vec<AttestedSign>,
    /// Behind it.
    pub right: Vec<AttestedSign>,
    /// Whether a line begins with the open place.
    pub starts_line: bool,
    /// Whether a line ends with it.
    pub ends_line: bool,
}

/// A sign or line end of the text asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// A sign; open places are illegible ones.
    Sign(AttestedSign),
    /// The end of a line.
    LineEnd,
    /// The beginning of the text.
    Begin,
}

impl Context {
    /// The context of a place in a text.
    pub fn around(text: &[Question], place: usize) -> Self {
        let (before, behind) = (text.get(..place).unwrap_or_default(), text.get(place + 1..).unwrap_or_default());
        let (left, starts_line) = side(before.iter().rev());
        let (right, ends_line) = side(behind.iter());
        Self { left, right, starts_line, ends_line }
    }
}

/// The signs of one side, and whether a line ends right beside the place.
fn side<'a>(items: impl Iterator<Item = &'a Question>) -> (Vec<AttestedSign>, bool) {
    let (mut signs, mut line_ends) = (Vec::with_capacity(REACH), false);
    for item in items {
        match item {
            // Whether a word begins with a sign that cannot be read is never compared.
            Question::Sign(sign) if sign.reading == ILLEGIBLE => signs.push(UNKNOWN),
            Question::Sign(sign) => signs.push(*sign),
            Question::LineEnd => line_ends |= signs.is_empty(),
            Question::Begin => {
                signs.push(AttestedSign { reading: TEXT_END, starts_word: true });
                line_ends |= signs.len() == 1;
            }
        }
        if signs.len() == REACH {
            break;
        }
    }
    (signs, line_ends)
}

/// The signs of a question.
pub fn signs_of(question: &[Question]) -> Vec<AttestedSign> {
    let sign = |item: &Question| if let Question::Sign(sign) = item { Some(*sign) } else { None };
    question.iter().filter_map(sign).collect()
}
