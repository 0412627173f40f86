//! The names among the words of a transliteration: what each is of, and how that is known. Plain data; names are found
//! where the lexicon is.

mod kind;

pub use kind::NameKind;

use crate::gloss::spelling_match::SpellingMatch;
use serde::{Deserialize, Serialize};

/// What a word of a transliteration names, or may name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordName {
    /// What it may be of, the likeliest first.
    pub kinds: Vec<KindProbability>,
    /// How that is known.
    pub by: NameEvidence,
}

impl WordName {
    /// The likeliest kind.
    pub fn likeliest(&self) -> Option<KindProbability> {
        self.kinds.first().copied()
    }
}

/// How likely a name is of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindProbability {
    /// The kind.
    pub kind: NameKind,
    /// From 0 to 1.
    pub probability: f32,
}

/// How it is known what a name is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameEvidence {
    /// The lexicon has words of that spelling as names.
    Lexicon {
        /// The spelling in the lexicon, which may be another one of the same signs or sounds.
        spelling: String,
        /// The commonest name of that spelling.
        name: String,
        /// How many words of the lexicon's corpus are that name, written so.
        count: u32,
    },
    /// A list of names of the user's own has it.
    Own {
        /// The spelling in the list, which may be another one of the same signs or sounds.
        spelling: String,
        /// How it is like the word.
        by: SpellingMatch,
        /// The name.
        name: String,
        /// How it is to be rendered in a translation.
        rendering: String,
    },
    /// Its determinative leaves but this kind: `{d}` gods, `{ID₂}` watercourses.
    Determinative,
    /// A model proposes it by its signs and by the words around it: a guess.
    Proposed,
}
