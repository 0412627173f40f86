//! Matches readings with the visible traces of a sign.

use crate::restoration::Traces;
use tuppum_text::is_logogram;
use tuppum_text::signs::fold;

/// A reading split for comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Folded letters, without index and braces.
    letters: String,
    /// Index: `₂`, `₁₃`, `ₓ`, or empty.
    index: String,
    /// `true` for a logogram: letters, all of them capitals, and neither a determinative nor a number.
    logogram: bool,
}

impl Form {
    /// Splits a canonical reading.
    pub(super) fn of(reading: &str) -> Form {
        let value = reading.split('(').next().unwrap_or("");
        let letters =
            fold(reading).chars().filter(|letter| !is_index(*letter) && !matches!(letter, '{' | '}')).collect();
        Form {
            letters,
            index: value.chars().filter(|letter| is_index(*letter)).collect(),
            logogram: is_logogram(reading),
        }
    }
}

/// Traces as typed by the user, prepared for comparison.
#[derive(Debug)]
pub(super) struct Pattern {
    starts_with: Fragment,
    contains: Fragment,
    logogram: Option<bool>,
}

impl Pattern {
    /// Reads traces in any convention.
    pub(super) fn new(traces: &Traces) -> Pattern {
        Pattern {
            starts_with: Fragment::new(&traces.starts_with),
            contains: Fragment::new(&traces.contains),
            logogram: traces.logogram,
        }
    }

    /// Returns `true` if a reading may have left these traces.
    pub(super) fn fits(&self, form: &Form) -> bool {
        self.logogram.is_none_or(|logogram| logogram == form.logogram)
            && form.letters.starts_with(&self.starts_with.letters)
            && self.starts_with.has_index_of(form)
            && form.letters.contains(&self.contains.letters)
            && self.contains.has_index_of(form)
    }
}

/// Piece of a reading.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fragment {
    letters: String,
    /// Index as typed; if none was typed, any index fits.
    index: String,
}

impl Fragment {
    /// Reads `sz`, `s,`, `t,` and `'` as š, ṣ, ṭ and ʾ, and accents and digits after a letter as indices.
    fn new(typed: &str) -> Fragment {
        let mut fragment = Fragment::default();
        let mut letters = fold(typed.trim()).chars().collect::<Vec<_>>().into_iter().peekable();
        while let Some(letter) = letters.next() {
            let next = letters.peek().copied();
            let (plain, consumed) = match (letter, next) {
                ('s', Some('z')) => ('š', true),
                ('s', Some(',')) => ('ṣ', true),
                ('t', Some(',')) => ('ṭ', true),
                ('\'' | '’', _) => ('ʾ', false),
                _ => (letter, false),
            };
            if consumed {
                letters.next();
            }
            let after_letter = fragment.letters.chars().next_back().is_some_and(char::is_alphabetic);
            if let Some(vowel) = ACUTE.iter().chain(&GRAVE).find(|(accented, _)| *accented == plain) {
                fragment.letters.push(vowel.1);
                fragment.index = if ACUTE.contains(vowel) { "₂" } else { "₃" }.into();
            } else if let Some(digit) = plain.to_digit(10).filter(|_| after_letter) {
                fragment.index.extend(char::from_u32('₀' as u32 + digit));
            } else if is_index(plain) {
                fragment.index.push(plain);
            } else if !matches!(plain, '{' | '}') {
                fragment.letters.push(plain);
            }
        }
        fragment
    }

    fn has_index_of(&self, form: &Form) -> bool {
        self.index.is_empty() || self.index == form.index
    }
}

/// Vowels with the accent of index 2, and without it.
const ACUTE: [(char, char); 4] = [('á', 'a'), ('é', 'e'), ('í', 'i'), ('ú', 'u')];
/// Vowels with the accent of index 3, and without it.
const GRAVE: [(char, char); 4] = [('à', 'a'), ('è', 'e'), ('ì', 'i'), ('ù', 'u')];

/// Returns `true` if the letter is part of an index.
fn is_index(letter: char) -> bool {
    matches!(letter, '₀'..='₉' | 'ₓ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(reading: &str, starts_with: &str, contains: &str, logogram: Option<bool>) -> bool {
        let traces = Traces { starts_with: starts_with.into(), contains: contains.into(), logogram };
        Pattern::new(&traces).fits(&Form::of(reading))
    }

    #[test]
    fn any_case_any_convention_index_only_if_typed() {
        for (reading, starts_with, expected) in [
            ("šu₂", "", true),
            ("šu₂", "š", true),
            ("šu₂", "SZ", true),
            ("ŠUM", "šu", true),
            ("ṣa", "s,", true),
            ("ṭup", "t,u", true),
            ("ʾu₄", "'", true),
            ("hu", "ḫu", true),
            ("bi₂", "bí", true),
            ("bi₂", "bi2", true),
            ("bi₂", "bi₃", false),
            ("bi", "bi₂", false),
            ("dam₃", "dà", true),
            ("ša", "s", false),
            ("{KI}", "ki", true),
            ("{LU₂}", "{lu", true),
            ("1(diš)", "1(", true),
            ("mar", "ar", false),
        ] {
            assert_eq!(fits(reading, starts_with, "", None), expected, "{reading} starts with {starts_with}");
        }
    }

    #[test]
    fn contains_looks_anywhere() {
        assert!(fits("BABBAR", "", "bb", None));
        assert!(fits("tuš", "t", "sz", None));
        assert!(!fits("tuš", "t", "sza", None));
        assert!(fits("UTUₓ(ERIM)", "", "erim", None));
    }

    #[test]
    fn logograms_are_capitals_but_no_determinatives_or_numbers() {
        for (reading, expected) in [
            ("LUGAL", true),
            ("KU₃", true),
            ("UTUₓ(ERIM)", true),
            ("|KA×UD|", true),
            ("lugal", false),
            ("šu₂", false),
            ("{KI}", false),
            ("1(AŠ)", false),
            ("15", false),
            ("?", false),
        ] {
            assert_eq!(fits(reading, "", "", Some(true)), expected, "{reading}");
            assert_eq!(fits(reading, "", "", Some(false)), !expected, "{reading}");
        }
    }
}
