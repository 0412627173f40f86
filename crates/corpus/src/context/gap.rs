//! The signs around an open place, and their comparison with signs of the corpora.

use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, Readings, TEXT_END};

/// A sign that cannot be read.
const UNKNOWN: AttestedSign = AttestedSign { reading: ILLEGIBLE, starts_word: true };

/// Signs around an open place, nearest first, at most [`REACH`] on each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// Signs before the place. A near beginning of the text counts as a sign: [`TEXT_END`].
    pub left: Vec<AttestedSign>,
    /// Signs behind the place.
    pub right: Vec<AttestedSign>,
    /// `true` if a line begins with the open place.
    pub starts_line: bool,
    /// `true` if a line ends with the open place.
    pub ends_line: bool,
}

/// Item of the text asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContextItem {
    /// A sign; an open place is an illegible one.
    Sign(AttestedSign),
    /// End of a line.
    LineEnd,
    /// Beginning of the text.
    Begin,
}

impl Context {
    /// Returns the context of a place in a text.
    pub fn around(text: &[ContextItem], place: usize) -> Self {
        let (before, behind) = (text.get(..place).unwrap_or_default(), text.get(place + 1..).unwrap_or_default());
        let (left, starts_line) = side(before.iter().rev());
        let (right, ends_line) = side(behind.iter());
        Self { left, right, starts_line, ends_line }
    }
}

/// Returns the signs of one side, and `true` if a line ends right beside the place.
fn side<'a>(items: impl Iterator<Item = &'a ContextItem>) -> (Vec<AttestedSign>, bool) {
    let (mut signs, mut line_ends) = (Vec::with_capacity(REACH), false);
    for item in items {
        match item {
            // The word start of an illegible sign is never compared.
            ContextItem::Sign(sign) if sign.reading == ILLEGIBLE => signs.push(UNKNOWN),
            ContextItem::Sign(sign) => signs.push(*sign),
            ContextItem::LineEnd => line_ends |= signs.is_empty(),
            ContextItem::Begin => {
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

/// Returns the signs among the items.
pub fn signs_of(question: &[ContextItem]) -> Vec<AttestedSign> {
    let sign = |item: &ContextItem| if let ContextItem::Sign(sign) = item { Some(*sign) } else { None };
    question.iter().filter_map(sign).collect()
}

/// Number of signs compared on each side of a gap.
pub const REACH: usize = 10;

/// Agreement of a sign beside the gap with the sign at the same distance from a place of the corpora.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The signs differ.
    Different,
    /// The readings are the same, and a word begins with both or with neither.
    Same,
    /// The readings are the same, but a word begins with only one of them.
    SameReading,
    /// The readings differ, but both are readings of the same sign.
    SameSign,
    /// At least one sign is unknown: illegible, or an open place.
    Unknown,
    /// Nothing beyond can be compared: a break of unknown length, or the end of one of the texts.
    End,
}

impl Agreement {
    /// Number of kinds of agreement.
    pub(super) const COUNT: usize = 6;

    /// Compares two signs.
    #[inline]
    pub(super) fn of(asked: AttestedSign, attested: AttestedSign, readings: &Readings) -> Self {
        let is_end = |sign: AttestedSign| sign.reading == BREAK || sign.reading == TEXT_END;
        if is_end(asked) || is_end(attested) {
            return if asked.reading == TEXT_END && attested.reading == TEXT_END { Self::Same } else { Self::End };
        }
        if asked.reading == ILLEGIBLE || attested.reading == ILLEGIBLE {
            return Self::Unknown;
        }
        if asked.reading == attested.reading {
            return if asked.starts_word == attested.starts_word { Self::Same } else { Self::SameReading };
        }
        let is_same_sign = readings.class(asked.reading) == readings.class(attested.reading);
        if is_same_sign { Self::SameSign } else { Self::Different }
    }

    /// Returns `true` if both signs are known and the same, at least in writing.
    #[inline]
    pub(super) fn is_match(self) -> bool {
        matches!(self, Self::Same | Self::SameReading | Self::SameSign)
    }
}
