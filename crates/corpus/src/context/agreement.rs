//! How one sign agrees with another.

use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, Readings, TEXT_END};

/// How many signs on each side of a gap are compared.
pub const REACH: usize = 10;

/// How a sign beside the gap agrees with the one at the same distance from a place of the corpora.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Another sign.
    Different,
    /// The same reading, and a word begins with both or with neither.
    Same,
    /// The same reading, but a word begins with one of them only.
    SameReading,
    /// Another reading of the same sign.
    SameSign,
    /// One of the two is not known: illegible, or open itself.
    Unknown,
    /// Nothing can be compared from here on: a break of unknown length, or the end of one of the texts.
    End,
}

impl Agreement {
    /// How many kinds of agreement there are.
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

    /// Whether both signs are known and the same, at least in writing.
    #[inline]
    pub(super) fn is_match(self) -> bool {
        matches!(self, Self::Same | Self::SameReading | Self::SameSign)
    }
}
