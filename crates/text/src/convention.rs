//! The conventions of transliteration, and which of them a text is written in.

use super::style::{DeterminativeStyle, IndexStyle, LetterStyle, Style};
use serde::{Deserialize, Serialize};

/// A convention of transliteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Convention {
    /// Oracc's Unicode: `u₂`, `š`, `⸢a⸣`, logograms in capitals. The canonical form follows it.
    #[default]
    Oracc,
    /// C-ATF of CDLI: `u2`, `sz`, `a#`, `_logograms_` between underscores.
    Cdli,
    /// ATF of the electronic Babylonian Library: as Oracc's, with `a#`, `($___$)`, `%sux`, `tu₂/tu₄`.
    Ebl,
    /// Print editions: `ú`, `ḫ`, `ᵈ`, names with a capital.
    Print,
    /// Exports of texts for machines: print's letters, determinatives in braces, `<gap>`.
    Export,
}

impl Convention {
    /// All of them, in the order of a menu.
    pub const ALL: [Self; 5] = [Self::Oracc, Self::Cdli, Self::Ebl, Self::Print, Self::Export];

    /// Its name for a menu.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oracc => "Oracc",
            Self::Cdli => "CDLI (C-ATF)",
            Self::Ebl => "eBL",
            Self::Print => "Print edition",
            Self::Export => "Machine-readable export",
        }
    }

    /// How signs are written in it.
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

    /// Whether names begin with a capital in it, so that a lone capital before a syllable is no logogram.
    pub fn has_capital_names(self) -> bool {
        matches!(self, Self::Print | Self::Export)
    }
}

/// The convention that a text is read in, and what that rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionFound {
    /// The convention.
    pub convention: Convention,
    /// How much speaks for it, from 0 (nothing seen) to 1 (only this, or chosen by the user).
    pub confidence: f32,
    /// Whether the user chose it.
    pub is_chosen: bool,
    /// What speaks for it, most telling first.
    pub evidence: Vec<Evidence>,
}

/// Something seen in a text that speaks for a convention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What was seen, in words a reader knows: "indices as digits (u2)".
    pub what: String,
    /// How often.
    pub count: usize,
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
