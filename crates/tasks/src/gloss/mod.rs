//! The words of a transliteration with what a lexicon has under their spelling: lemma, guide word and part of speech.
//! Plain data; the lexicon lies where it is looked up.

mod part_of_speech;
pub(crate) mod spelling_match;
mod table;

pub use part_of_speech::part_of_speech;
pub use spelling_match::SpellingMatch;
pub use table::table;

use crate::names::WordName;
use serde::{Deserialize, Serialize};
use tuppum_text::Span;

/// A line of a transliteration with the glosses of its words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlossedLine {
    /// Number of the line among all lines of the transliteration, from 0.
    pub line: usize,
    /// Its words in order, those without a gloss too.
    pub words: Vec<GlossedWord>,
}

/// A word with what the lexicon has for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlossedWord {
    /// Place in the source, from the first character of its first sign to the last one of its last.
    pub span: Span,
    /// The word in canonical transliteration.
    pub written: String,
    /// Whether every sign of it can be read. Others are not looked up.
    pub is_legible: bool,
    /// Whether it is written with numerals only, determinatives aside. Without a determinative it is a number, and not
    /// looked up; with one (`{d}30`) it may be one all the same.
    pub is_numeral: bool,
    /// How the word was found in the lexicon; `None` where it was not.
    pub found: Option<FoundSpelling>,
    /// The lemmata under that spelling, the commonest first.
    pub glosses: Vec<Gloss>,
    /// What it names, where it is a name or may be one, and names were asked for.
    pub name: Option<WordName>,
}

impl GlossedWord {
    /// Whether it is a number: numerals without a determinative. `{d}30` is the moon god.
    pub fn is_number(&self) -> bool {
        self.is_numeral && !self.written.contains('{')
    }
}

/// The spelling of the lexicon under which a word was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSpelling {
    /// The spelling; of several that are as near the commonest.
    pub spelling: String,
    /// What it has to do with the word as it is written.
    pub by: SpellingMatch,
}

/// What a lemma of a lexicon is, and how often it was written so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gloss {
    /// The lemma (`šarru`), or the name (`Šamaš`).
    pub lemma: String,
    /// The guide word in English (`king`); may be empty, above all of names.
    pub guide_word: String,
    /// Oracc's letters for the part of speech (`N`, `V`, `PN`); [`part_of_speech`] says them in words.
    pub part_of_speech: String,
    /// How many words of the lexicon's corpus are written so and have this lemma.
    pub count: u32,
}
