//! Words that are not signs: marks between words, changes of language, protocols of commentaries.

use crate::Language;

/// Language and script of the words after a `%`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// Language of the words.
    pub language: Language,
    /// `true` if the words are in normalised spelling and not signs (`%n`).
    pub normalised: bool,
}

/// Codes of Sumerian and its dialects.
const SUMERIAN: [&str; 5] = ["e", "eg", "es", "s", "sux"];

/// Codes of Akkadian and its dialects.
const AKKADIAN: [&str; 15] =
    ["a", "akk", "eakk", "lb", "ma", "mb", "n", "na", "nb", "oa", "oakk", "ob", "peakk", "sb", "ur3akk"];

/// Marks of a commentary for the words that follow: a quotation, the base text, the commentary, uncertain.
const PROTOCOLS: [&str; 4] = ["!qt", "!bs", "!cm", "!zz"];

/// The indentation of eBL's ATF.
pub const INDENTATION: &str = "($___$)";

/// Returns `true` if a word of these characters stands between words and is not a sign: `|`, `:?#`, `&2`, `%sux`,
/// `!cm`.
pub fn is_divider(word: &str) -> bool {
    let is_mark = |letter: char| "|:./*&¦•⁝$=-–—+,;~".contains(letter);
    let is_column = |digits: &str| digits.len() <= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let marks = word.trim_end_matches(['#', '?', '!']);
    let is_row_of_marks = |marks: &str| marks.chars().all(is_mark) && !marks.contains("..");
    shift(word).is_some()
        || PROTOCOLS.contains(&word)
        || word == INDENTATION
        || matches!(marks, ":'" | ":’" | ":′" | ":\"")
        || word.strip_prefix('&').is_some_and(is_column)
        || (matches!(marks.len(), 1..=6) && is_row_of_marks(marks))
}

/// Returns the shift that a word such as `%sux` announces for the words after it.
pub fn shift(word: &str) -> Option<Shift> {
    let code = word.strip_prefix('%')?;
    let is_code = matches!(code.len(), 1..=16)
        && code.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-');
    is_code.then(|| Shift { language: language(code), normalised: code == "n" })
}

/// Returns the language of a code such as `akk-x-oldbab` or `sux`.
pub fn language(code: &str) -> Language {
    let first = code.split('-').next().unwrap_or(code);
    match first {
        _ if SUMERIAN.contains(&first) => Language::Sumerian,
        _ if AKKADIAN.contains(&first) => Language::Akkadian,
        _ => Language::Other,
    }
}
