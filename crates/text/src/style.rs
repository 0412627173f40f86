//! The writing habits of a transliteration, so that proposals come back as the user writes.

use serde::{Deserialize, Serialize};

/// How a user writes signs. Detected from the text; canonical form is `Style::default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    /// How the index of a reading is written.
    pub index: IndexStyle,
    /// How š, ṣ, ṭ and ʾ are written.
    pub letters: LetterStyle,
    /// Whether `h` is written `ḫ`.
    pub breve_h: bool,
    /// How determinatives are written.
    pub determinatives: DeterminativeStyle,
}

/// How the index of a reading is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexStyle {
    /// `u₂`, `u₃`, `u₄`.
    #[default]
    Subscript,
    /// `u2`, `u3`, `u4`.
    Digit,
    /// `ú`, `ù`, `u₄`.
    Accent,
}

/// How the letters outside ASCII are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LetterStyle {
    /// `š ṣ ṭ ʾ`.
    #[default]
    Unicode,
    /// `sz s, t, '` (C-ATF).
    Ascii,
}

/// How determinatives are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeterminativeStyle {
    /// `{d}UTU`, `{KI}`: Oracc capitals.
    #[default]
    Braces,
    /// `{d}utu`, `{ki}`: C-ATF lower case.
    LowerBraces,
    /// `ᵈUTU` or `d.UTU` as print editions; written back with raised letters.
    Raised,
}
