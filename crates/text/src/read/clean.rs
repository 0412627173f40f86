//! First pass: drops invisible characters, composes accents, and replaces unusual spaces by plain ones. A map leads
//! back.

use super::accents::{compose, is_combining_mark};
use crate::Span;
use crate::letters::is_index;
use std::ops::Range;

/// Text for the later passes, with a map to the typed text.
pub struct Clean {
    /// Text without invisible characters, with composed accents.
    pub text: String,
    /// Typed range of each byte of `text`; `None` when nothing had to change.
    origins: Option<Vec<(u32, u32)>>,
    /// Number of dropped characters, and the place of the first.
    pub dropped: Option<(usize, Span)>,
    typed_length: usize,
}

impl Clean {
    /// Cleans what was typed.
    pub fn of(typed: &str) -> Self {
        if typed.is_ascii() && !typed.bytes().any(|byte| matches!(byte, 0 | 0x0b | 0x0c)) {
            return Self { text: typed.to_owned(), origins: None, dropped: None, typed_length: typed.len() };
        }
        let mut clean = Self {
            text: String::with_capacity(typed.len()),
            origins: Some(Vec::with_capacity(typed.len())),
            dropped: None,
            typed_length: typed.len(),
        };
        let mut rest = typed.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            let mut end = start + first.len_utf8();
            if is_invisible(first) || is_combining_mark(first) {
                // An accent without a letter would attach to another letter when brackets move.
                clean.drop_at(Span::new(start, end));
                continue;
            }
            if !carries_marks(first) {
                clean.push(plain_space(first), start, end);
                continue;
            }
            while let Some(&(place, mark)) = rest.peek() {
                if !is_combining_mark(mark) {
                    break;
                }
                end = place + mark.len_utf8();
                rest.next();
            }
            match typed.get(start..end) {
                Some(cluster) if end > start + first.len_utf8() || !first.is_ascii() => {
                    compose(cluster).chars().for_each(|letter| clean.push(letter, start, end));
                }
                _ => clean.push(first, start, end),
            }
        }
        if clean.text == typed {
            clean.origins = None;
        }
        clean
    }

    fn push(&mut self, letter: char, start: usize, end: usize) {
        self.text.push(letter);
        if let Some(origins) = &mut self.origins {
            origins.extend(std::iter::repeat_n((start as u32, end as u32), letter.len_utf8()));
        }
    }

    fn drop_at(&mut self, span: Span) {
        let (count, first) = self.dropped.unwrap_or((0, span));
        self.dropped = Some((count + 1, first));
    }

    /// Returns the typed place of a range of the cleaned text.
    pub fn typed(&self, range: &Range<usize>) -> Span {
        let Some(origins) = &self.origins else { return Span::new(range.start, range.end) };
        if range.is_empty() {
            let place = origins.get(range.start).map_or(self.typed_length, |origin| origin.0 as usize);
            return Span::new(place, place);
        }
        let start = origins.get(range.start).map_or(self.typed_length, |origin| origin.0 as usize);
        let end = origins.get(range.end - 1).map_or(self.typed_length, |origin| origin.1 as usize);
        Span::new(start, end.max(start))
    }
}

/// Composes the accents of a short text, letter by letter, as [`Clean::of`] does.
pub fn composed(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { Clean::of(text).text }
}

/// Returns `true` for characters that print nothing: byte-order and direction marks, zero-width characters, NUL, soft
/// hyphens.
fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\0' | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns `true` if an accent may stand on this character.
fn carries_marks(letter: char) -> bool {
    letter.is_alphabetic() && !is_index(letter)
}

fn plain_space(letter: char) -> char {
    match letter {
        '\n' | '\r' | '\t' | ' ' => letter,
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        space if space.is_whitespace() => ' ',
        other => other,
    }
}
