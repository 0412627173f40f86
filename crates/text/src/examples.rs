//! Real texts with real damage, as examples.

/// Example text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Short name, for an address.
    pub key: &'static str,
    /// Title for the reader.
    pub title: &'static str,
    /// Origin of the text and its licence.
    pub source: &'static str,
    /// Transliteration, in the convention of its source.
    pub text: &'static str,
}

/// All examples, one for each of three genres and two conventions.
pub const ALL: &[Example] = &[
    Example {
        key: "letter",
        title: "Old Assyrian letter",
        source: "Letter of Ahaha to Aššur-mutappil, from Kültepe (Kanesh). Cuneiform Digital Library Initiative, \
                 P361583 (cdli.earth); the beginning of the obverse.",
        text: "&P361583\n\
               @obverse\n\
               1. a-na a-szur-mu-ta-pi2#-[il5 qi2]-bi#-ma\n\
               2. um-ma a-ha-ha#-ma 1(u) _ma-na_\n\
               3. _ku3-ki_ ku-ra-ra ub-lam _ku3-babbar_-szu x\n\
               4. sza [...] _ku3-sig17_\n\
               5. sza [...] x-a-szur\n\
               6. il5-qe2# [_ku3_]-_sig17_\n",
    },
    Example {
        key: "inscription",
        title: "Royal inscription",
        source: "Assyrian royal inscription, Q004739 iv 14'-17'. Royal Inscriptions of Assyria online (RIAo), \
                 oracc.org/riao; transliteration CC0.",
        text: "iv 14' {m}{d}ba-ba₆-⸢PAP-AŠ⸣ x-ni ⸢it-ti⸣-šu₂\n\
               iv 15' ina {URU}ni-⸢bu⸣-x ⸢e-sir⸣-[šu₂ URU] šu-a-tu₂ ina pil-ši\n\
               iv 16 u₃ {GIŠ}na-pi-⸢li si-mil⸣-[ti ak]-šud {m}{d}ba-ba₆-PAP-AŠ\n\
               iv 17 a-di {d}URI₃.⸢GAL⸣ a-⸢lik pa⸣-ni-šu DUMU.MEŠ-šu\n",
    },
    Example {
        key: "archive",
        title: "Letter from the Assyrian state archives",
        source: "Letter of Ṭab-ṣil-Ešarra to the king, P334036 o 1-9 (SAA 1). State Archives of Assyria Online (SAAo), \
                 oracc.org/saao; transliteration CC0.",
        text: "o 1 a-na LUGAL EN-ia\n\
               o 2 ARAD-ka {m}DUG₃.GA-ṣil-E₂.ŠAR₂\n\
               o 3 lu DI-mu a-na LUGAL EN-ia₂\n\
               o 4 aš-šur {d}NIN.LIL₂ a-[na LUGAL]\n\
               o 5 EN-ia lik-[ru-bu]\n\
               o 6 a-na {LU₂}NAGAR-MEŠ [a-sa-al]\n\
               o 7 mu-ku at-a ba-x x x\n\
               o 8 re-eh-ti [dul-li]\n\
               o 9 ina {URU}sa-[pir-ri-te] ⸢ep⸣-ša₂\n",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convention::{IndexStyle, LetterStyle};
    use crate::{Document, LineKind, Severity, SignKind};

    #[test]
    fn examples_read_without_complaint() {
        for example in ALL {
            let document = Document::read(example.text);
            assert!(document.diagnostics.iter().all(|told| told.severity == Severity::Note), "{}", example.key);
            assert!(document.signs().any(|sign| sign.kind == SignKind::Illegible), "{} has gaps", example.key);
            let texts = document.lines.iter().filter(|line| line.kind == LineKind::Text);
            assert!(
                texts.clone().all(|line| line.label.is_some() && !line.signs.is_empty()),
                "{} is numbered",
                example.key
            );
            assert!((3..=9).contains(&texts.count()), "{} is short", example.key);
        }
    }

    #[test]
    fn the_letter_reads_as_the_corpus_has_it() {
        let letter = ALL.iter().find(|example| example.key == "letter").unwrap();
        let document = Document::read(letter.text);
        assert_eq!(document.style.index, IndexStyle::Digit);
        assert_eq!(document.style.letters, LetterStyle::Ascii);
        let expected = "&P361583\n@obverse\n\
                        1. a-na a-šur-mu-ta-⸢pi₂⸣-[il₅ qi₂]-⸢bi⸣-ma\n\
                        2. um-ma a-ha-⸢ha⸣-ma 1(u) MA-NA\n\
                        3. KU₃-KI ku-ra-ra ub-lam KU₃-BABBAR-šu x\n\
                        4. ša [...] KU₃-SIG₁₇\n\
                        5. ša [...] x-a-šur\n\
                        6. il₅-⸢qe₂⸣ [KU₃]-SIG₁₇\n";
        assert_eq!(document.canonical(), expected);
    }
}
