//! How one sign agrees with another.

use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, ReadingId, Readings, TEXT_END};

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

    /// How every sign of the corpora agrees with one, in the order of the numbers by which signs are packed: what
    /// [`Agreement::of`] says of each, in a fraction of the time.
    pub(super) fn with_all(asked: AttestedSign, readings: &Readings) -> Vec<Self> {
        let count = 2 * readings.len();
        let other = match asked.reading {
            BREAK | TEXT_END => Self::End,
            ILLEGIBLE => Self::Unknown,
            _ => Self::Different,
        };
        let mut all = vec![other; count];
        let mut set = |reading: ReadingId, to: [Self; 2]| {
            let first = 2 * usize::from(reading);
            if let Some(both) = all.get_mut(first..first + 2) {
                both.copy_from_slice(&to);
            }
        };
        if other == Self::Different {
            let class = readings.class(asked.reading);
            for (reading, _) in (0..).zip(readings.classes()).filter(|(_, other)| **other == class) {
                set(reading, [Self::SameSign; 2]);
            }
            let (same, other) = (Self::Same, Self::SameReading);
            set(asked.reading, if asked.starts_word { [other, same] } else { [same, other] });
            set(ILLEGIBLE, [Self::Unknown; 2]);
        }
        set(BREAK, [Self::End; 2]);
        set(TEXT_END, if asked.reading == TEXT_END { [Self::Same; 2] } else { [Self::End; 2] });
        all
    }

    /// Whether both signs are known and the same, at least in writing.
    #[inline]
    pub(super) fn is_match(self) -> bool {
        matches!(self, Self::Same | Self::SameReading | Self::SameSign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_signs_agree_as_each_does() {
        let named = [("a", "𒀀"), ("ma", "𒈠"), ("e₄", "𒀀"), ("na", ""), ("ša", "")];
        let readings = Readings::new(named.map(|(name, glyph)| (name.to_owned(), glyph.to_owned())));
        let signs: Vec<AttestedSign> = (0..2 * readings.len() as u16).map(AttestedSign::unpacked).collect();
        for asked in &signs {
            let each: Vec<Agreement> = signs.iter().map(|sign| Agreement::of(*asked, *sign, &readings)).collect();
            assert_eq!(Agreement::with_all(*asked, &readings), each, "{asked:?}");
        }
    }
}
