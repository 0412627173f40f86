//! State of a sign in an edition, which corpora keep as a letter: the same type for reader, corpora, training and
//! counts.

use super::document::{Sign, SignKind, State};

/// State of a sign in an edition.
///
/// The reader keeps the kind of a sign and its preservation apart, since an illegible sign may also stand in brackets;
/// [`Sign::standing`] combines both as the corpora do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignState {
    /// Whole (`P`).
    Preserved,
    /// Damaged but read (`D`).
    Damaged,
    /// Missing and restored by the editor (`M`).
    Restored,
    /// Illegible (`X`).
    Illegible,
    /// A break of unknown length (`G`).
    Break,
}

impl SignState {
    /// All states with their letters in the corpora.
    pub const LETTERS: [(Self, char); 5] = [
        (Self::Preserved, 'P'),
        (Self::Damaged, 'D'),
        (Self::Restored, 'M'),
        (Self::Illegible, 'X'),
        (Self::Break, 'G'),
    ];

    /// Returns the letter in the corpora.
    pub fn letter(self) -> char {
        Self::LETTERS.iter().find(|(own, _)| *own == self).map_or('X', |(_, letter)| *letter)
    }

    /// Returns the state of a letter; `None` for other letters.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::LETTERS.iter().find(|(_, own)| *own == letter).map(|(own, _)| *own)
    }

    /// Returns `true` if the sign is there and can be read, damaged or not: it is evidence, and a target when models
    /// are scored.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Preserved | Self::Damaged)
    }

    /// Returns `true` if there is a reading, on the tablet or by the editor: it is a target when models are trained.
    pub fn is_legible(self) -> bool {
        self.is_read() || self == Self::Restored
    }
}

impl Sign {
    /// Returns the state of the sign in the edition. Characters that are not a reading in any convention count as
    /// damaged.
    pub fn standing(&self) -> SignState {
        match (&self.kind, self.state) {
            (SignKind::Illegible, _) => SignState::Illegible,
            (SignKind::Gap, _) => SignState::Break,
            (SignKind::Unreadable, _) | (SignKind::Reading(_), State::Damaged) => SignState::Damaged,
            (SignKind::Reading(_), State::Preserved) => SignState::Preserved,
            (SignKind::Reading(_), State::Missing) => SignState::Restored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn every_state_has_a_letter_of_its_own() {
        for (state, letter) in SignState::LETTERS {
            assert_eq!((state.letter(), SignState::of_letter(letter)), (letter, Some(state)));
        }
        assert_eq!(SignState::of_letter('O'), None);
    }

    #[test]
    fn signs_stand_as_the_corpora_write_them() {
        for (typed, letters) in
            [("a-na", "PP"), ("⸢a⸣-na#", "DD"), ("[a-na] x", "MMX"), ("[x] [...]", "XG"), ("a ... [(na)]", "PGM")]
        {
            let document = Document::read(typed);
            let found: String = document.signs().map(|sign| sign.standing().letter()).collect();
            assert_eq!(found, letters, "{typed}");
        }
    }

    #[test]
    fn what_is_read_is_legible() {
        let read: String =
            SignState::LETTERS.iter().filter(|(own, _)| own.is_read()).map(|(_, letter)| letter).collect();
        let legible: String =
            SignState::LETTERS.iter().filter(|(own, _)| own.is_legible()).map(|(_, letter)| letter).collect();
        assert_eq!((read.as_str(), legible.as_str()), ("PD", "PDM"));
    }
}
