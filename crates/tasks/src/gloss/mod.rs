//! The words of a transliteration with what a lexicon has under their spelling: lemma, guide word and part of speech.
//! Plain data; the lexicon lies where it is looked up.

mod part_of_speech;
mod table;

pub use part_of_speech::part_of_speech;
pub use table::table;

use serde::{Deserialize, Serialize};
use tuppum_text::Span;

/// A line of a transliteration with the glosses of its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossedLine {
    /// Number of the line among all lines of the transliteration, from 0.
    pub line: usize,
    /// Its words in order, those without a gloss too.
    pub words: Vec<GlossedWord>,
}

/// A word with what the lexicon has for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossedWord {
    /// Place in the source, from the first character of its first sign to the last one of its last.
    pub span: Span,
    /// The word in canonical transliteration.
    pub written: String,
    /// Whether every sign of it can be read. Others are not looked up.
    pub is_legible: bool,
    /// Whether it is written with numerals only: then it may be a number, whatever the lexicon has under it.
    pub is_numeral: bool,
    /// How the word was found in the lexicon; `None` where it was not.
    pub found: Option<FoundSpelling>,
    /// The lemmata under that spelling, the commonest first.
    pub glosses: Vec<Gloss>,
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

/// How a spelling of a lexicon is like the word that is looked up, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SpellingMatch {
    /// It has the same readings.
    AsSpelt,
    /// It has the same readings, with small letters for capitals or capitals for small letters.
    Capitals,
    /// It sounds the same, written with other signs (`qi₂-bi₄-ma`, `qi-bi-ma`).
    OtherSigns,
    /// It sounds the same but for letters written twice (`a-ta`, `at-ta`).
    DoubledLetters,
    /// It lacks an ending that the word has: `-ma`, `-mi`, or a pronoun (`-šu`).
    Ending,
    /// It lacks the last m, or has one (`a-wi-lum`, `a-wi-lu`).
    FinalM,
    /// It has other determinatives, or one of both has none.
    Determinatives,
    /// It has the same signs, some of them in another reading of about the same sound (`GIŠ`, `GEŠ`).
    OtherReading,
}

impl SpellingMatch {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::AsSpelt,
        Self::Capitals,
        Self::OtherSigns,
        Self::DoubledLetters,
        Self::Ending,
        Self::FinalM,
        Self::Determinatives,
        Self::OtherReading,
    ];

    /// What is shown beside a gloss.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsSpelt => "as spelt",
            Self::Capitals => "small letters and capitals aside",
            Self::OtherSigns => "same sound, other signs",
            Self::DoubledLetters => "doubled letters aside",
            Self::Ending => "without its ending",
            Self::FinalM => "final m aside",
            Self::Determinatives => "determinatives aside",
            Self::OtherReading => "same signs, other reading",
        }
    }
}
