//! Names among the words of a transliteration: the kind of each, with its evidence. Plain data; `corpus` finds the
//! names.

mod kind;

pub use kind::NameKind;

use crate::gloss::spelling_match::SpellingMatch;
use serde::{Deserialize, Serialize};

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
