//! Writing habits of a transliteration, so that restorations are written as the user writes.

use serde::{Deserialize, Serialize};

/// Style of a user's signs, detected from the text; canonical form is `Style::default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    /// Style of the index of a reading.
    pub index: IndexStyle,
    /// Style of š, ṣ, ṭ and ʾ.
    pub letters: LetterStyle,
    /// `true` if `h` is written `ḫ`.
    pub breve_h: bool,
    /// Style of determinatives.
    pub determinatives: DeterminativeStyle,
}

/// Style of the index of a reading.
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

/// Style of the letters outside ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LetterStyle {
    /// `š ṣ ṭ ʾ`.
    #[default]
    Unicode,
    /// `sz s, t, '` (C-ATF).
    Ascii,
}

/// Style of determinatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeterminativeStyle {
    /// `{d}UTU`, `{KI}`: Oracc capitals.
    #[default]
    Braces,
    /// `{d}utu`, `{ki}`: C-ATF lower case.
    LowerBraces,
    /// `ᵈUTU` or `d.UTU` as in print editions; written back with raised letters.
    Raised,
}
