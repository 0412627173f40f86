//! Labels of lines as in their edition, with side and column where the label alone is ambiguous.

use super::rendering::Rendering;
use std::collections::BTreeSet;
use std::ops::Range;
use tuppum_protocol::translation::Passage;
use tuppum_text::{Document, LineKind};

/// Roman numerals by which editions count the columns of a side.
const COLUMNS: [&str; 12] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// Position of a line on its tablet.
#[derive(Clone, Debug, Default, PartialEq)]
struct TabletPosition {
    side: String,
    column: String,
    label: String,
}

impl TabletPosition {
    /// Returns side and column as a prefix of the label.
    fn prefix(&self) -> String {
        [&self.side, &self.column].into_iter().filter(|part| !part.is_empty()).map(|part| format!("{part} ")).collect()
    }

    /// Moves to the side or column of a surface line, such as `@obverse` or `@column 2`.
    fn enter(&mut self, typed: &str) {
        let name = typed.trim().trim_start_matches('@').trim_end_matches(['?', '!']);
        let (first, number) = name.split_once(' ').unwrap_or((name, ""));
        match first {
            "column" => {
                let roman =
                    number.trim_end_matches('\'').parse().ok().and_then(|n: usize| COLUMNS.get(n.checked_sub(1)?));
                roman.copied().unwrap_or(number).clone_into(&mut self.column);
                return;
            }
            "obverse" => "o".clone_into(&mut self.side),
            "reverse" => "r".clone_into(&mut self.side),
            "tablet" | "object" | "fragment" => self.side.clear(),
            _ => name.clone_into(&mut self.side),
        }
        self.column.clear();
    }
}

/// Returns the labels of some lines of a document: `3`, `1–4`; where two lines of the document have the same label, `o
/// 1–r 4` (obverse, reverse) or `o ii 3` (second column), as Oracc writes.
pub fn lines_of(document: &Document, lines: &Range<usize>) -> String {
    let mut number = 0;
    let mut here = TabletPosition::default();
    let (mut all, mut asked, mut twice) = (BTreeSet::new(), Vec::new(), false);
    for (place, line) in document.lines.iter().enumerate() {
        match line.kind {
            LineKind::Surface => here.enter(line.span.of(&document.source)),
            LineKind::Text => {
                number += 1;
                here.label = line.label_in(&document.source).map_or_else(|| number.to_string(), str::to_owned);
                twice |= !all.insert(here.label.clone());
                asked.extend(lines.contains(&place).then(|| here.clone()));
            }
            _ => {}
        }
    }
    let prefix = |position: &TabletPosition| if twice { position.prefix() } else { String::new() };
    match asked.as_slice() {
        [] => (lines.start + 1).to_string(),
        [only] => prefix(only) + &only.label,
        [first, .., last] => {
            let again = if prefix(last) == prefix(first) { String::new() } else { prefix(last) };
            format!("{}{}–{again}{}", prefix(first), first.label, last.label)
        }
    }
}

/// Returns the label of a translated passage: that of the passage `now` in the present text, or of an outdated one the
/// label in the text that it was made for.
pub fn label(document: &Document, rendering: &Rendering, now: Option<&Passage>) -> String {
    match now {
        Some(passage) => lines_of(document, &passage.lines),
        None if rendering.label.is_empty() => lines_of(document, &rendering.translated.lines),
        None => rendering.label.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_named_as_the_edition_names_them() {
        let document = Document::read("@obverse\n1'. a-na\n2'. um-ma\n\nqi₂-bi₂-ma");
        for (lines, expected) in [(1..2, "1'"), (1..3, "1'–2'"), (4..5, "3"), (0..9, "1'–3")] {
            assert_eq!(lines_of(&document, &lines), expected);
        }
    }

    #[test]
    fn sides_and_columns_tell_equal_labels_apart() {
        let typed = "@tablet\n@obverse\n@column 1\n1. a\n2. na\n@column 2\n1. um\n@reverse\n1. ma\n@left edge\n1. qi₂";
        let document = Document::read(typed);
        for (lines, expected) in [
            (3..4, "o i 1"),
            (6..7, "o ii 1"),
            (8..9, "r 1"),
            (10..11, "left edge 1"),
            (3..5, "o i 1–2"),
            (3..9, "o i 1–r 1"),
        ] {
            assert_eq!(lines_of(&document, &lines), expected);
        }
    }

    #[test]
    fn an_outdated_passage_keeps_the_label_that_it_had() {
        let document = Document::read("7. a-na");
        let mut one = crate::translate::state::toy::rendering(0, "um-ma", &["thus"]);
        assert_eq!(label(&document, &one, None), "7");
        "3".clone_into(&mut one.label);
        assert_eq!(label(&document, &one, None), "3");
    }
}
