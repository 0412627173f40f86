//! How a sign stands in an edition, as corpora keep it with a letter: one word for reader, corpora, training and
//! counts.

use super::document::{Sign, SignKind, State};

/// How a sign stands in an edition.
///
/// The reader keeps what stands at a place and how well that is preserved apart, since an illegible sign, too, may
/// stand in brackets; [`Sign::standing`] brings both together as the corpora do.
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
    /// All of them with their letters in the corpora.
    pub const LETTERS: [(Self, char); 5] = [
        (Self::Preserved, 'P'),
        (Self::Damaged, 'D'),
        (Self::Restored, 'M'),
        (Self::Illegible, 'X'),
        (Self::Break, 'G'),
    ];

    /// Its letter in the corpora.
    pub fn letter(self) -> char {
        Self::LETTERS.iter().find(|(own, _)| *own == self).map_or('X', |(_, letter)| *letter)
    }

    /// The state of a letter; `None` where it stands for none.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::LETTERS.iter().find(|(_, own)| *own == letter).map(|(own, _)| *own)
    }

    /// Whether the sign is there and can be read, damaged or not: evidence, and a target when models are scored.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Preserved | Self::Damaged)
    }

    /// Whether there is a reading, on the tablet or by the editor: a target when models are trained.
    pub fn is_legible(self) -> bool {
        self.is_read() || self == Self::Restored
    }
}

impl Sign {
    /// How it stands in the edition. What is no reading in any convention counts as damaged.
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
