//! How a spelling of a lexicon is like the word that is looked up.

use serde::{Deserialize, Serialize};

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
