//! Conventions of transliteration, the convention that a text is written in, and the style of its signs, so that
//! restorations are written as the user writes.

use serde::{Deserialize, Serialize};

/// Convention of transliteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Convention {
    /// Oracc's Unicode: `u₂`, `š`, `⸢a⸣`, logograms in capitals. The canonical form follows it.
    #[default]
    Oracc,
    /// C-ATF of CDLI: `u2`, `sz`, `a#`, `_logograms_` between underscores.
    Cdli,
    /// ATF of the electronic Babylonian Library: like Oracc's, with `a#`, `($___$)`, `%sux`, `tu₂/tu₄`.
    Ebl,
    /// Print editions: `ú`, `ḫ`, `ᵈ`, names with a capital.
    Print,
    /// Exports of texts for machines: the letters of print, determinatives in braces, `<gap>`.
    Export,
}

impl Convention {
    /// All conventions, in the order of a menu.
    pub const ALL: [Self; 5] = [Self::Oracc, Self::Cdli, Self::Ebl, Self::Print, Self::Export];

    /// Returns the name for a menu.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oracc => "Oracc",
            Self::Cdli => "CDLI (C-ATF)",
            Self::Ebl => "eBL",
            Self::Print => "Print edition",
            Self::Export => "Machine-readable export",
        }
    }

    /// Returns the style of signs in this convention.
    pub fn style(self) -> Style {
        let unicode = Style::default();
        match self {
            Self::Oracc => unicode,
            Self::Ebl => Style { determinatives: DeterminativeStyle::LowerBraces, ..unicode },
            Self::Cdli => Style {
                index: IndexStyle::Digit,
                letters: LetterStyle::Ascii,
                determinatives: DeterminativeStyle::LowerBraces,
                ..unicode
            },
            Self::Print => Style {
                index: IndexStyle::Accent,
                breve_h: true,
                determinatives: DeterminativeStyle::Raised,
                ..unicode
            },
            Self::Export => Style { index: IndexStyle::Accent, breve_h: true, ..unicode },
        }
    }

    /// Returns `true` if names begin with a capital in this convention, so that a single capital before a syllable is
    /// not a logogram.
    pub fn has_capital_names(self) -> bool {
        matches!(self, Self::Print | Self::Export)
    }
}

/// Convention that a text is read in, with the evidence for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionFound {
    /// The convention.
    pub convention: Convention,
    /// Confidence from 0 (no evidence) to 1 (only evidence for this convention, or the user's choice).
    pub confidence: f32,
    /// `true` if the user chose the convention.
    pub is_chosen: bool,
    /// Evidence for the convention, strongest first.
    pub evidence: Vec<ConventionEvidence>,
}

/// Feature of a text that is evidence for a convention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConventionEvidence {
    /// Description in words that a reader knows: "indices as digits (u2)".
    pub what: String,
    /// Number of occurrences.
    pub count: usize,
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, ReadingOptions};

    fn check(typed: &str, convention: Convention, evidence: &str) {
        let found = Document::read(typed).convention;
        assert_eq!(found.convention, convention, "{typed}: {found:?}");
        assert!(found.confidence > 0.5 && !found.is_chosen, "{typed}: {found:?}");
        assert!(found.evidence.iter().any(|own| own.what.contains(evidence)), "{typed}: {found:?}");
    }

    #[test]
    fn conventions_are_told_apart_by_what_they_alone_have() {
        check("1. a-na szar-ru-um _lugal_ u2-ul# {d}utu", Convention::Cdli, "underscores");
        check("o 1 a-na ⸢LUGAL⸣ u₂-ul {m}EN-ia ša₂", Convention::Oracc, "half brackets");
        check("1'. ($___$) [...] lu# GAL-u₂ tu₂/tu₄ %sux lugal", Convention::Ebl, "indentation");
        check("a-na Pu-šu-ki-in qí-bi-ma um-ma ᵈUTU-ba-ni ḫa-ṭù", Convention::Print, "accents");
        check("<gap> a-na {d}A-šùr ù ḫa-lá <big_gap>", Convention::Export, "gap");
    }

    #[test]
    fn little_evidence_gives_little_confidence() {
        let of = |typed: &str| Document::read(typed).convention;
        assert_eq!(of("").confidence, 0.0);
        assert_eq!((of("a-na").confidence, of("a-na").convention), (0.0, Convention::Oracc));
        assert!(of("a-na šu").confidence < of("a-na šu ⸢u₂⸣-ul ša₂ ŠA₃ {m}x ⸢a⸣").confidence);
    }

    #[test]
    fn a_chosen_convention_holds() {
        let options = ReadingOptions { convention: Some(Convention::Print), ..ReadingOptions::default() };
        let document = Document::read_with("A-šur i-na", &options);
        assert_eq!(document.canonical(), "a-šur i-na");
        assert_eq!(document.style, Convention::Print.style());
        assert!(document.convention.is_chosen && document.convention.confidence == 1.0);
        let options = ReadingOptions { convention: Some(Convention::Oracc), ..options };
        assert_eq!(Document::read_with("A-šur Pu-šu", &options).canonical(), "A-šur pu-šu");
    }
}
