//! Second pass: which lines are transliteration, which only speak about it, and where a line number ends.

use super::dividers;
use crate::{Language, LineKind};
use std::ops::Range;

/// A line of the cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// The whole line with its end.
    pub whole: Range<usize>,
    /// The line number, if any.
    pub label: Option<Range<usize>>,
    /// What follows the number, without the line's end.
    pub body: Range<usize>,
    /// Kind of the line.
    pub kind: LineKind,
    /// The language that its words stand in until one says otherwise.
    pub language: Language,
}

/// Words that follow `@` in an ATF file.
const SURFACES: &[&str] = &[
    "tablet",
    "envelope",
    "prism",
    "bulla",
    "cylinder",
    "cone",
    "brick",
    "fragment",
    "object",
    "obverse",
    "reverse",
    "left",
    "right",
    "top",
    "bottom",
    "edge",
    "upper",
    "lower",
    "column",
    "seal",
    "surface",
    "face",
    "sealing",
    "side",
    "colophon",
    "division",
    "composite",
    "score",
    "end",
    "docket",
    "catchline",
    "date",
    "signature",
    "signatures",
    "summary",
    "witnesses",
    "h1",
    "h2",
    "h3",
    "m",
    "translation",
    "label",
    "para",
    "note",
    "unit",
    "span",
    "rev",
    "obv",
];

/// Words that may stand before a line number: surfaces, edges and columns.
const LABEL_WORDS: &[&str] = &[
    "o", "o.", "r", "r.", "obv", "obv.", "rev", "rev.", "vs", "vs.", "rs", "rs.", "e", "e.", "b.e.", "le.", "l.e.",
    "le", "lo.", "lo.e.", "u.e.", "r.e.", "s", "s.", "t.e.", "col", "col.", "i", "ii", "iii", "iv", "v", "vi", "vii",
    "viii", "ix", "x", "i'", "ii'", "iii'", "iv'", "v'", "vi'",
];

/// Splits the cleaned text into lines.
pub fn split(text: &str) -> Vec<RawLine> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut in_translation = false;
    let mut language = Language::default();
    let bytes = text.as_bytes();
    while start < text.len() {
        let content = bytes.iter().skip(start).position(|byte| matches!(byte, b'\n' | b'\r'));
        let content_end = content.map_or(text.len(), |length| start + length);
        let ending = match (bytes.get(content_end), bytes.get(content_end + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        let line = text.get(start..content_end).unwrap_or("");
        let (mut kind, mut label) = classify(line);
        match kind {
            LineKind::Surface if line.trim_start().starts_with("@translation") => in_translation = true,
            LineKind::Heading => (in_translation, language) = (false, Language::default()),
            LineKind::Comment => language = declared_language(line).unwrap_or(language),
            LineKind::Text if in_translation => (kind, label) = (LineKind::Translation, None),
            _ => {}
        }
        let label = label.map(|range| start + range.start..start + range.end);
        let body = label.as_ref().map_or(start, |range| range.end)..content_end;
        lines.push(RawLine { whole: start..content_end + ending, label, body, kind, language });
        start = content_end + ending;
    }
    lines
}

/// The language that `#atf: lang sux` declares for the text.
fn declared_language(line: &str) -> Option<Language> {
    let declared = line.trim().strip_prefix("#atf:")?.trim_start();
    let code = declared.strip_prefix("lang ").or_else(|| declared.strip_prefix("lang="))?;
    code.split_whitespace().next().map(dividers::language)
}

/// What kind of line this is, and where its number stands.
pub fn classify(line: &str) -> (LineKind, Option<Range<usize>>) {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return (LineKind::Empty, None);
    }
    let kind = match trimmed.as_bytes() {
        [b'&', letter, digits @ ..] if letter.is_ascii_uppercase() && digits.len() > 2 => {
            digits.iter().take(3).all(u8::is_ascii_digit).then_some(LineKind::Heading)
        }
        [b'/', b'/', b' ' | b'\t' | b'(', ..] => Some(LineKind::Comment),
        [b'@', b'(', ..] => Some(LineKind::Surface),
        [b'@', rest @ ..] => {
            let word = first_word(rest);
            SURFACES.iter().any(|surface| surface.as_bytes() == word).then_some(LineKind::Surface)
        }
        [b'$', rest @ ..] => is_state_remark(rest).then_some(LineKind::State),
        [b'#', rest @ ..] => remark(rest),
        [b'>', b'>', letter, ..] => letter.is_ascii_alphanumeric().then_some(LineKind::Comment),
        [b'(', .., b')'] => speaks_of_a_break(trimmed).then_some(LineKind::State),
        _ => None,
    };
    match kind {
        Some(kind) => (kind, None),
        None => (LineKind::Text, label(line)),
    }
}

fn first_word(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(bytes.len());
    bytes.get(..end).unwrap_or_default()
}

fn is_state_remark(rest: &[u8]) -> bool {
    match rest {
        [b' ' | b'\t', b'(' | b'[' | b'>' | b'<', ..] | [b'(', ..] => true,
        [b' ' | b'\t', letter, ..] => letter.is_ascii_alphanumeric(),
        _ => false,
    }
}

fn remark(rest: &[u8]) -> Option<LineKind> {
    let word = first_word(rest);
    let after = rest.get(word.len()).copied();
    match word {
        b"tr" if matches!(after, Some(b'.' | b':')) => Some(LineKind::Translation),
        // no sign begins with the flag of a damaged one
        _ => Some(LineKind::Comment),
    }
}

/// Whether a remark says that writing is lost: `3 lines broken`, `(break)`, `rest of obverse missing`.
pub fn speaks_of_a_break(remark: &str) -> bool {
    const LOST: &[&str] =
        &["broken", "break", "missing", "lost", "destroyed", "lacuna", "illegible", "traces", "effaced", "abgebrochen"];
    remark
        .split(|letter: char| !letter.is_alphabetic())
        .any(|word| LOST.iter().any(|lost| lost.eq_ignore_ascii_case(word)))
}

/// The line number at the beginning of a text line: `1.`, `3'.`, `(5)`, `o 12.`, `o i 12`.
fn label(line: &str) -> Option<Range<usize>> {
    let start = line.len() - line.trim_start().len();
    let mut place = start;
    let mut words = 0;
    loop {
        let rest = line.get(place..)?;
        let word_end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = rest.get(..word_end)?;
        if is_number(word, words > 0 || rest.get(word_end..)?.starts_with('\t')) {
            return Some(start..place + word_end);
        }
        if words == 3 || !LABEL_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            return None;
        }
        words += 1;
        let after = rest.get(word_end..)?;
        place += word_end + (after.len() - after.trim_start().len());
    }
}

/// Whether a word is a line number; one without point or prime counts only where `bare` allows it.
fn is_number(word: &str, bare: bool) -> bool {
    let inner = word.strip_prefix('(').unwrap_or(word);
    let opened = inner.len() < word.len();
    let Some((mut tail, mut primed)) = single_number(inner) else { return false };
    // eBL numbers two lines in one as a range: 7-8.
    if let Some((after, also)) = tail.strip_prefix(['-', '–']).and_then(single_number)
        && matches!(after, "." | ":")
    {
        (tail, primed) = (after, primed || also);
    }
    match tail {
        "" => (bare || primed) && !opened,
        "." | ":" => !opened,
        ")" | ".)" => true,
        _ => false,
    }
}

/// What follows the number that a word begins with, `12`, `3'`, `65'a` or `r+1`, and whether it has a prime.
fn single_number(word: &str) -> Option<(&str, bool)> {
    let surface = |word: &'_ str| word.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    let word = match word.split_once('+') {
        Some((before, after)) if before.len() == 1 && surface(before) => after,
        _ => word,
    };
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if !(1..=4).contains(&(word.len() - digits.len())) {
        return None;
    }
    let after_letter = digits.strip_prefix(['a', 'b', 'c', 'd']).unwrap_or(digits);
    let tail = after_letter.trim_start_matches(['\'', '’', '′', '″']);
    let primed = tail.len() < after_letter.len();
    let tail = if primed { tail.strip_prefix(['a', 'b', 'c', 'd']).unwrap_or(tail) } else { tail };
    Some((tail, primed))
}
