//! Names among the words of a transliteration: the kind of each, with its evidence. Plain data; `corpus` finds the
//! names.

use crate::gloss::spelling_match::SpellingMatch;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Name that a word of a transliteration is or may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordName {
    /// Possible kinds, most likely first.
    pub kinds: Vec<KindProbability>,
    /// Evidence.
    pub by: NameEvidence,
}

impl WordName {
    /// Returns the most likely kind.
    pub fn likeliest(&self) -> Option<KindProbability> {
        self.kinds.first().copied()
    }
}

/// Probability of a kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindProbability {
    pub kind: NameKind,
    /// Probability from 0 to 1.
    pub probability: f32,
}

/// Evidence for a name's kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameEvidence {
    /// The lexicon has words of this spelling as names.
    Lexicon {
        /// Spelling in the lexicon, which may be another one of the same signs or sounds.
        spelling: String,
        /// Name that this spelling writes most often.
        name: String,
        /// Number of words of the lexicon's corpus with this spelling and name.
        count: u32,
    },
    /// The user's own list of names has the word.
    Own {
        /// Spelling in the list, which may be another one of the same signs or sounds.
        spelling: String,
        /// Relation of the spelling to the word.
        by: SpellingMatch,
        name: String,
        /// Rendering of the name in a translation.
        rendering: String,
    },
    /// The word's determinative allows only this kind: `{d}` gods, `{ID₂}` watercourses.
    Determinative,
    /// A model proposes it by the word's signs and the words around it: a guess.
    Proposed,
}

/// Kind of a name, as classified in Oracc's lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NameKind {
    /// A god (`DN`).
    God,
    /// A king or queen (`RN`).
    Ruler,
    /// Any other person (`PN`).
    Person,
    /// A city or village (`SN`).
    Settlement,
    /// A land or region (`GN`).
    Region,
    /// A people (`EN`).
    People,
    /// A temple (`TN`).
    Temple,
    /// A river or canal (`WN`).
    Watercourse,
    /// A star or constellation (`CN`).
    Star,
    /// A month (`MN`).
    Month,
}

impl NameKind {
    pub const ALL: [Self; 10] = [
        Self::God,
        Self::Ruler,
        Self::Person,
        Self::Settlement,
        Self::Region,
        Self::People,
        Self::Temple,
        Self::Watercourse,
        Self::Star,
        Self::Month,
    ];

    /// Oracc's letters for the kind.
    pub fn letters(self) -> &'static str {
        match self {
            Self::God => "DN",
            Self::Ruler => "RN",
            Self::Person => "PN",
            Self::Settlement => "SN",
            Self::Region => "GN",
            Self::People => "EN",
            Self::Temple => "TN",
            Self::Watercourse => "WN",
            Self::Star => "CN",
            Self::Month => "MN",
        }
    }

    /// Returns the kind for Oracc's letters; `None` if they stand for no kind of name, or for one too rare to be
    /// recognised (objects, clans, quarters).
    pub fn of_letters(letters: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letters() == letters)
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::God => "god",
            Self::Ruler => "ruler",
            Self::Person => "person",
            Self::Settlement => "settlement",
            Self::Region => "region",
            Self::People => "people",
            Self::Temple => "temple",
            Self::Watercourse => "watercourse",
            Self::Star => "star",
            Self::Month => "month",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_letters() {
        for kind in NameKind::ALL {
            assert_eq!(NameKind::of_letters(kind.letters()), Some(kind));
        }
        assert_eq!((NameKind::of_letters("N"), NameKind::of_letters("LN")), (None, None));
    }
}
