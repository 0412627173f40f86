//! Diagnostics of the reader, worded for the user and limited in number.

use super::clean::Clean;
use super::foreign::Format;
use super::lines::RawLine;
use super::sign::Reason;
use crate::{Diagnostic, Edit, LineKind, Severity, SignKind, Span};
use std::ops::Range;

/// Maximum number of diagnostics; a page of binary data would otherwise give one per byte.
const MAX_DIAGNOSTICS: usize = 100;

/// Collects diagnostics.
pub struct Report<'a> {
    clean: &'a Clean,
    kept: Vec<Diagnostic>,
    more: usize,
    /// Place of the first diagnostic that was not kept.
    next: Option<Span>,
    has_glyphs: bool,
    has_normalised: bool,
}

impl<'a> Report<'a> {
    /// Creates an empty report on this text.
    pub fn new(clean: &'a Clean) -> Self {
        Self { clean, kept: Vec::new(), more: 0, next: None, has_glyphs: false, has_normalised: false }
    }

    /// Adds a diagnostic at a place of the cleaned text.
    pub fn remark(
        &mut self,
        at: Range<usize>,
        other: Option<Range<usize>>,
        severity: Severity,
        message: &str,
        hint: Option<&str>,
    ) {
        let span = self.clean.typed(&at);
        let other = other.map(|other| self.clean.typed(&other));
        let message = message.to_owned();
        self.keep(Diagnostic { span, other, severity, message, hint: hint.map(str::to_owned), offer: None });
    }

    /// Adds a diagnostic at a place of the typed text.
    pub fn told(&mut self, span: Span, severity: Severity, message: String, hint: Option<String>, offer: Option<Edit>) {
        self.keep(Diagnostic { span, other: None, severity, message, hint, offer });
    }

    /// Returns `true` if one more diagnostic would be kept.
    pub fn has_room(&self) -> bool {
        self.kept.len() < MAX_DIAGNOSTICS
    }

    /// Keeps a diagnostic while there is room; a warning replaces the last note.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() < MAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
            return;
        }
        let note = match diagnostic.severity {
            Severity::Warning => self.kept.iter().rposition(|kept| kept.severity == Severity::Note),
            Severity::Note => None,
        };
        let left_out = match note.and_then(|place| self.kept.get_mut(place)) {
            Some(kept) => std::mem::replace(kept, diagnostic),
            None => diagnostic,
        };
        self.more += 1;
        self.next.get_or_insert(left_out.span);
    }

    /// Reports a bracket that opened while another of its kind was open.
    pub fn opened_twice(&mut self, at: Range<usize>, first: Option<Range<usize>>) {
        self.remark(
            at,
            first,
            Severity::Warning,
            "A bracket opens here while another of the same kind is still open; it is not counted.",
            Some("Close the first bracket before this one, or delete one of them."),
        );
    }

    /// Reports a closing bracket that was never opened.
    pub fn not_opened(&mut self, at: Range<usize>, has_content: bool) {
        let message = if has_content {
            "This bracket closes, but none was opened; it is taken to begin after the last closing bracket or with \
             the line."
        } else {
            "This bracket closes, but none was opened and there is no sign before it."
        };
        self.remark(at, None, Severity::Warning, message, Some("Write the opening bracket where the damage begins."));
    }

    /// Reports a bracket that is still open at the end of its line and does not run on.
    pub fn not_closed(&mut self, at: Range<usize>) {
        self.remark(
            at,
            None,
            Severity::Warning,
            "This bracket is never closed; it is taken to end with the line.",
            Some("Write the closing bracket where the damage ends."),
        );
    }

    /// Reports letters that are not a reading.
    pub fn unreadable(&mut self, at: Range<usize>, typed: &str, reason: Reason) {
        let mut shown: String = typed.chars().take(24).flat_map(char::escape_debug).collect();
        if typed.chars().nth(24).is_some() {
            shown.push('…');
        }
        let (why, hint) = match reason {
            Reason::Foreign(letter) if letter.is_alphanumeric() => (
                format!("the letter “{letter}” is not used in transliteration"),
                "Replace the letter, or leave it: it stays as typed.",
            ),
            Reason::Foreign(letter) => (
                format!(
                    "the character {} (U+{:04X}) is not used in transliteration",
                    letter.escape_debug(),
                    letter as u32
                ),
                "Delete it, or leave it: it stays as typed.",
            ),
            Reason::Normalised => (
                "long vowels belong to normalised Akkadian, not to signs".to_owned(),
                "Write the signs one by one, joined by hyphens (be-li₂, not bēlī).",
            ),
            Reason::MixedCase => (
                "capitals and small letters are mixed within one sign".to_owned(),
                "Put a hyphen or a dot between the signs, or write the sign in one case.",
            ),
            Reason::NoVowel => (
                "a syllable without a vowel is not a reading".to_owned(),
                "Write logograms in capitals; check for a missing vowel.",
            ),
            Reason::TooLong => {
                ("no reading has this many letters".to_owned(), "Put hyphens between the signs of a word.")
            }
            Reason::Index => (
                "its index is written twice or without letters".to_owned(),
                "Write either an accent or an index digit after the letters.",
            ),
            Reason::Structure => {
                ("its number, bars or parentheses are incomplete".to_owned(), "Compare 1(diš), kuₓ(DU) and |KA×U|.")
            }
        };
        self.remark(at, None, Severity::Warning, &format!("“{shown}” cannot be read: {why}."), Some(hint));
    }

    /// Reports numbers that are read as line numbers without being marked as such.
    pub fn inferred_numbers(&mut self, lines: &[RawLine]) {
        let labels: Vec<_> = lines.iter().filter(|line| line.inferred).filter_map(|line| line.label.clone()).collect();
        let Some(first) = labels.first().cloned() else { return };
        let shown: Vec<&str> = labels.iter().take(3).filter_map(|label| self.clean.text.get(label.clone())).collect();
        let shown = shown.iter().map(|label| label.trim()).collect::<Vec<_>>().join(", ");
        let message = match labels.len() {
            1 => format!("One line begins with a number that fits its place ({shown}): taken for a line number."),
            count => {
                let more = if count > 3 { " …" } else { "" };
                format!(
                    "{count} lines begin with a number that fits their place ({shown}{more}): taken for line numbers."
                )
            }
        };
        let hint = "If they are numerals of the text, have them read as such; a full stop marks a line number: 1.";
        self.remark(first, None, Severity::Note, &message, Some(hint));
    }

    /// Reports a text in a format that is not a transliteration.
    pub fn foreign(&mut self, lines: &[RawLine]) {
        let Some(format) = Format::of(&self.clean.text) else { return };
        let first = lines.iter().find(|line| line.kind != LineKind::Empty).map(|line| line.body.clone());
        let message = format!("This is {}, not a transliteration.", format.name());
        let hint = "None of its lines is read. Open the file that it was made from, or paste only the lines of the \
                    transliteration.";
        self.remark(first.unwrap_or_default(), None, Severity::Warning, &message, Some(hint));
    }

    /// Reports a cuneiform sign, only the first time.
    pub fn glyph(&mut self, at: Range<usize>) {
        if !std::mem::replace(&mut self.has_glyphs, true) {
            let message = "Signs in cuneiform are read by their names, for a sign alone does not say which of its \
                           readings is meant.";
            let hint = "Write the reading that you want in its place; the sign list has all readings of a sign.";
            self.remark(at, None, Severity::Note, message, Some(hint));
        }
    }

    /// Reports words in normalised spelling, only the first time.
    pub fn normalised(&mut self, at: Range<usize>) {
        if !std::mem::replace(&mut self.has_normalised, true) {
            let message = "Words in normalised spelling (after %n) are no signs; they are kept as typed.";
            self.remark(at, None, Severity::Note, message, Some("Write %akk before words in signs."));
        }
    }

    /// Reports a second reading of a sign.
    pub fn alternative(&mut self, at: Range<usize>, first: Option<&SignKind>) {
        let read = match first {
            Some(SignKind::Reading(reading)) => format!("it is read {reading}"),
            _ => "it is read as one sign".to_owned(),
        };
        let message = format!("Two readings are given for one sign; {read}, and the other stays beside it.");
        self.remark(at, None, Severity::Note, &message, Some("Delete the reading that you do not want."));
    }

    /// Returns all diagnostics in order of place. The last one counts those that were not kept.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if let Some((count, span)) = self.clean.dropped {
            let message = if count == 1 {
                "One invisible character (byte-order, direction or zero-width mark) is left out of the reading."
                    .to_owned()
            } else {
                format!(
                    "{count} invisible characters (byte-order, direction or zero-width marks) are left out of the \
                     reading."
                )
            };
            let hint = Some("Nothing is lost: what you typed stays as it is.".to_owned());
            self.kept.push(Diagnostic { span, other: None, severity: Severity::Note, message, hint, offer: None });
        }
        self.kept.sort_by_key(|diagnostic| diagnostic.span);
        if let Some(span) = self.next {
            let message = format!("… and {} more further on.", self.more);
            self.kept.push(Diagnostic {
                span,
                other: None,
                severity: Severity::Note,
                message,
                hint: None,
                offer: None,
            });
        }
        self.kept
    }
}
