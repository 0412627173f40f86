//! The names in a transliteration: what each is of, and how that is known. Plain data; names are found where the
//! lexicon is.

mod kind;

pub use kind::NameKind;

use serde::{Deserialize, Serialize};
use tuppum_text::Span;

/// A word of a transliteration that is a name, or may be one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundName {
    /// Number of the line among all lines of the transliteration, from 0.
    pub line: usize,
    /// Place in the source, from the first character of its first sign to the last one of its last.
    pub span: Span,
    /// The word in canonical transliteration.
    pub written: String,
    /// What it may be of, the likeliest first.
    pub kinds: Vec<KindProbability>,
    /// How that is known.
    pub by: NameEvidence,
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
    /// A model proposes it by its signs and by the words around it: a guess.
    Proposed,
}
