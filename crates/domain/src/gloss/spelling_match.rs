//! Relations between a spelling of a lexicon and the word looked up, and the meaning of Oracc's letters for parts of
//! speech and kinds of names.

use serde::{Deserialize, Serialize};

/// Relation of a spelling of a lexicon to the word looked up, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SpellingMatch {
    /// The readings are the same.
    AsSpelt,
    /// The readings are the same except for capital and small letters.
    Capitals,
    /// The sound is the same, written with other signs (`qi₂-bi₄-ma`, `qi-bi-ma`).
    OtherSigns,
    /// The sound is the same except for doubled letters (`a-ta`, `at-ta`).
    DoubledLetters,
    /// The spelling lacks an ending of the word: `-ma`, `-mi`, or a pronoun (`-šu`).
    Ending,
    /// Only one of the two has a final m (`a-wi-lum`, `a-wi-lu`).
    FinalM,
    /// The determinatives differ, or one of the two has none.
    Determinatives,
    /// The signs are the same, some in another reading of about the same sound (`GIŠ`, `GEŠ`).
    OtherReading,
}

impl SpellingMatch {
    /// All relations, in the order in which they are tried.
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

    /// Returns the label beside a gloss.
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

/// Returns the part of speech in words, or the letters themselves if unknown.
pub fn part_of_speech(letters: &str) -> &str {
    match letters {
        "N" => "noun",
        "V" => "verb",
        "AJ" => "adjective",
        "AV" => "adverb",
        "NU" => "number",
        "PRP" => "preposition",
        "PP" => "possessive pronoun",
        "IP" => "independent pronoun",
        "DP" => "demonstrative pronoun",
        "QP" => "interrogative pronoun",
        "RP" => "reflexive pronoun",
        "XP" => "indefinite pronoun",
        "REL" => "relative pronoun",
        "DET" => "determinative pronoun",
        "CNJ" => "conjunction",
        "SBJ" => "subjunction",
        "MOD" => "modal particle",
        "J" => "interjection",
        "PN" => "person",
        "RN" => "ruler",
        "DN" => "god",
        "GN" => "region",
        "SN" => "settlement",
        "EN" => "ethnic name",
        "TN" => "temple",
        "WN" => "watercourse",
        "MN" => "month",
        "CN" => "star",
        "ON" => "object",
        "LN" => "line or clan",
        "QN" => "quarter",
        other => other,
    }
}
