//! Words of a transliteration with their entries in a lexicon: lemma, guide word and part of speech. Plain data; the
//! lexicon is in `corpus`.

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
    /// Words in order, including those without a gloss.
    pub words: Vec<GlossedWord>,
}

/// A word with its entries in the lexicon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlossedWord {
    /// Place in the source, from the first character of the first sign to the last of the last.
    pub span: Span,
    /// Word in canonical transliteration.
    pub written: String,
    /// `true` if every sign can be read. Other words are not looked up.
    pub is_legible: bool,
    /// `true` if the word consists of numerals only, determinatives aside. Without a determinative it is a number and
    /// not looked up; with one (`{d}30`) it may still be a number.
    pub is_numeral: bool,
    /// Spelling found in the lexicon; `None` if there is none.
    pub found: Option<FoundSpelling>,
    /// Lemmata under that spelling, most frequent first.
    pub glosses: Vec<Gloss>,
    /// Name that the word is or may be, if names were requested.
    pub name: Option<WordName>,
}

impl GlossedWord {
    /// Returns `true` for a number: numerals without a determinative. `{d}30` is the moon god.
    pub fn is_number(&self) -> bool {
        self.is_numeral && !self.written.contains('{')
    }
}

/// Spelling of the lexicon under which a word was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSpelling {
    /// Spelling; of several equally near ones the most frequent.
    pub spelling: String,
    /// Relation of the spelling to the word as it is written.
    pub by: SpellingMatch,
}

/// A lemma of a lexicon with its frequency in this spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gloss {
    /// Lemma (`šarru`) or name (`Šamaš`).
    pub lemma: String,
    /// Guide word in English (`king`); may be empty, above all for names.
    pub guide_word: String,
    /// Oracc's letters for the part of speech (`N`, `V`, `PN`), which [`part_of_speech`] puts into words.
    pub part_of_speech: String,
    /// Number of words of the lexicon's corpus with this spelling and lemma.
    pub count: u32,
}
