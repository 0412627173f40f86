//! Second pass: separates transliteration from remarks, and finds the end of a line number.

use super::dividers;
use super::foreign::Format;
use super::headings::{self, speaks_of_a_break};
use super::labels::{self, Label, Mark};
use super::line_numbers;
use crate::{Language, LineKind};
use std::ops::Range;

/// Line of the cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// Whole line with its end.
    pub whole: Range<usize>,
    /// Place of the line number, if any.
    pub label: Option<Range<usize>>,
    /// `true` if only the numbers of the other lines make this a line number.
    pub inferred: bool,
    /// Text after the number, without the line end.
    pub body: Range<usize>,
    /// Kind of the line.
    pub kind: LineKind,
    /// Language of its words until one says otherwise.
    pub language: Language,
}

/// Splits the cleaned text into lines. If `infers`, a column of rising numbers is read as line numbers.
pub fn split(text: &str, infers: bool) -> Vec<RawLine> {
    let (mut lines, mut labels) = (Vec::new(), Vec::new());
    let mut start = 0;
    let mut in_translation = false;
    let mut language = Language::default();
    let bytes = text.as_bytes();
    let is_foreign = Format::of(text).is_some();
    while start < text.len() {
        let content = bytes.iter().skip(start).position(|byte| matches!(byte, b'\n' | b'\r'));
        let content_end = content.map_or(text.len(), |length| start + length);
        let ending = match (bytes.get(content_end), bytes.get(content_end + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        let line = text.get(start..content_end).unwrap_or("");
        let (mut kind, mut label) = match classify(line) {
            (kind, _) if is_foreign && kind != LineKind::Empty => (LineKind::Comment, None),
            found => found,
        };
        match kind {
            LineKind::Surface if line.trim_start().starts_with("@translation") => in_translation = true,
            LineKind::Surface if in_translation && line.trim_start().starts_with("@(") => kind = LineKind::Translation,
            LineKind::Heading => (in_translation, language) = (false, Language::default()),
            LineKind::Comment => language = declared_language(line).unwrap_or(language),
            LineKind::Text if in_translation => (kind, label) = (LineKind::Translation, None),
            _ => {}
        }
        let at = label.as_ref().filter(|label| label.mark != Mark::Bare).map(|label| &label.at);
        let at = at.map(|at| start + at.start..start + at.end);
        let body = at.as_ref().map_or(start, |at| at.end)..content_end;
        lines.push(RawLine { whole: start..content_end + ending, label: at, inferred: false, body, kind, language });
        labels.push(label);
        start = content_end + ending;
    }
    let kinds: Vec<LineKind> = lines.iter().map(|line: &RawLine| line.kind).collect();
    let inferred = if infers { line_numbers::inferred(&kinds, &labels) } else { Vec::new() };
    for place in inferred {
        if let (Some(line), Some(Some(label))) = (lines.get_mut(place), labels.get(place)) {
            line.number(label.at.clone());
        }
    }
    lines
}

impl RawLine {
    /// Makes this place, counted from the line's beginning, its number.
    pub fn number(&mut self, at: Range<usize>) {
        let at = self.whole.start + at.start..self.whole.start + at.end;
        self.body.start = at.end;
        (self.label, self.inferred) = (Some(at), true);
    }
}

/// Returns the language that `#atf: lang sux` declares for the text.
fn declared_language(line: &str) -> Option<Language> {
    let declared = line.trim().strip_prefix("#atf:")?.trim_start();
    let code = declared.strip_prefix("lang ").or_else(|| declared.strip_prefix("lang="))?;
    code.split_whitespace().next().map(dividers::language)
}

/// Returns the kind of the line, and its number.
fn classify(line: &str) -> (LineKind, Option<Label>) {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return (LineKind::Empty, None);
    }
    let kind = match trimmed.as_bytes() {
        [b'&', letter, digits @ ..] if letter.is_ascii_uppercase() && digits.len() > 2 => {
            digits.iter().take(3).all(u8::is_ascii_digit).then_some(LineKind::Heading)
        }
        [b'/', b'/', b' ' | b'\t' | b'(', ..] => Some(LineKind::Comment),
        // Oracc's notation for the normalised words under a line.
        [b';', b' ' | b'\t', ..] => Some(LineKind::Comment),
        [b'@', b'(', ..] => Some(LineKind::Surface),
        // No sign begins with its modifier.
        [b'@', letter, ..] if letter.is_ascii_alphabetic() => Some(LineKind::Surface),
        [b'$', rest @ ..] => is_state_remark(rest).then_some(LineKind::State),
        [b'#', rest @ ..] => remark(rest),
        [b'>', b'>', letter, ..] => letter.is_ascii_alphanumeric().then_some(LineKind::Comment),
        [b'(', .., b')'] if speaks_of_a_break(trimmed) => Some(LineKind::State),
        // Text after a number in parentheses is not part of a heading: (rev. 3') x
        [b'(', ..] if labels::label(trimmed).is_some_and(|label| label.at.end < trimmed.len()) => None,
        _ => headings::unmarked(trimmed),
    };
    match kind {
        Some(kind) => (kind, None),
        None => (LineKind::Text, labels::label(line)),
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
        [letter, ..] => letter.is_ascii_lowercase(),
        [] => false,
    }
}

fn remark(rest: &[u8]) -> Option<LineKind> {
    let word = first_word(rest);
    let after = rest.get(word.len()).copied();
    match word {
        b"tr" if matches!(after, Some(b'.' | b':')) => Some(LineKind::Translation),
        // No sign begins with the flag of a damaged one.
        _ => Some(LineKind::Comment),
    }
}
