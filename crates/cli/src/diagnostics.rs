//! The reader's diagnostics as text, with line, column and a caret.

use std::fmt::Write;
use tuppum_text::{Diagnostic, Document, Severity, Span};
use unicode_normalization::char::is_combining_mark;

/// Maximum number of diagnostics shown: the first ones help, more is noise.
const MAX_DIAGNOSTICS: usize = 20;
/// Maximum number of characters shown of a line.
const WIDTH: usize = 100;

/// Renders all diagnostics of a document; `name` is the file.
pub fn render(document: &Document, name: &str) -> String {
    let mut out = String::new();
    for diagnostic in document.diagnostics.iter().take(MAX_DIAGNOSTICS) {
        // Writing into a string never fails.
        let _ = render_one(&mut out, document, diagnostic, name);
    }
    let more = document.diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if more > 0 {
        let _ = writeln!(out, "... and {more} more remarks");
    }
    out
}

fn render_one(out: &mut String, document: &Document, diagnostic: &Diagnostic, name: &str) -> std::fmt::Result {
    let grave = match diagnostic.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
    };
    let place = Place::of(&document.source, diagnostic.span);
    let margin = " ".repeat(place.line.to_string().len());
    writeln!(out, "{grave}: {}", diagnostic.message)?;
    writeln!(out, "{margin}--> {name}:{}:{}", place.line, place.column)?;
    writeln!(out, "{margin} |")?;
    writeln!(out, "{} | {}", place.line, place.shown)?;
    writeln!(out, "{margin} | {}{}", " ".repeat(place.before), "^".repeat(place.wide))?;
    if let Some(other) = diagnostic.other {
        let other = Place::of(&document.source, other);
        writeln!(out, "{margin} = see also line {}, column {}", other.line, other.column)?;
    }
    if let Some(hint) = &diagnostic.hint {
        writeln!(out, "{margin} = help: {hint}")?;
    }
    Ok(())
}

/// A span as a reader looks for it: line, column and text.
#[derive(Debug, PartialEq)]
struct Place {
    line: usize,
    column: usize,
    /// Part of the line that fits, with control characters replaced.
    shown: String,
    /// Columns shown before the caret.
    before: usize,
    /// Number of carets.
    wide: usize,
}

impl Place {
    fn of(source: &str, span: Span) -> Self {
        let (head, tail) = source.split_at_checked(span.start).unwrap_or((source, ""));
        let line = head.matches('\n').count() + 1;
        let own_head = head.rsplit('\n').next().unwrap_or("");
        let own_tail = tail.split(['\n', '\r']).next().unwrap_or("");
        let marked = own_tail.get(..span.len().min(own_tail.len())).unwrap_or(own_tail);
        let (column, skipped) = (columns(own_head) + 1, columns(own_head).saturating_sub(WIDTH / 2));
        let mut shown = String::new();
        let mut place = 0;
        for letter in own_head.chars().chain(own_tail.chars()) {
            let combining = is_combining_mark(letter);
            place += usize::from(!combining);
            if place > skipped && place <= skipped + WIDTH {
                shown.push(if letter.is_control() { '\u{FFFD}' } else { letter });
            }
        }
        let before = columns(own_head) - skipped;
        Self { line, column, shown, before, wide: columns(marked).clamp(1, WIDTH.saturating_sub(before).max(1)) }
    }
}

/// Returns the number of columns that a text takes; combining marks take none.
fn columns(text: &str) -> usize {
    text.chars().filter(|letter| !is_combining_mark(*letter)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_line_column_and_caret() {
        let source = "a-na\nšar-ru₃ ??? x\n";
        let start = source.find("???").unwrap_or(0);
        let place = Place::of(source, Span::new(start, start + 3));
        assert_eq!((place.line, place.column, place.before, place.wide), (2, 9, 8, 3));
        assert_eq!(place.shown, "šar-ru₃ ??? x");
    }

    #[test]
    fn combining_marks_take_no_column_and_controls_are_shown() {
        let source = "s\u{30C}a \u{7}!";
        let place = Place::of(source, Span::new(source.len() - 1, source.len()));
        assert_eq!((place.column, place.before), (5, 4));
        assert!(place.shown.ends_with("\u{FFFD}!"));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = format!("{}!{}", "a ".repeat(500), "b ".repeat(500));
        let place = Place::of(&source, Span::new(1000, 1001));
        assert_eq!(place.shown.chars().count(), WIDTH);
        assert_eq!(place.shown.chars().nth(place.before), Some('!'));
    }

    #[test]
    fn a_remark_looks_like_a_compilers() {
        let mut document = Document::read("a-na ]\n");
        document.diagnostics = vec![Diagnostic {
            span: Span::new(5, 6),
            other: None,
            severity: Severity::Warning,
            message: "a bracket closes that was never opened".into(),
            hint: Some("write [ where the break begins".into()),
            offer: None,
        }];
        let expected = "warning: a bracket closes that was never opened\n --> text.txt:1:6\n  |\n\
                        1 | a-na ]\n  |      ^\n  = help: write [ where the break begins\n";
        assert_eq!(render(&document, "text.txt"), expected);
    }
}
