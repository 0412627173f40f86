//! Comparison of one sign with another.

use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, Readings, TEXT_END};

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
