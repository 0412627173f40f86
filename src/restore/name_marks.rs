//! Marks on words of the reading view that are names, once names have been searched for.

use super::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{GlossedLine, NameEvidence};
use tuppum_text::Document;

/// Mark of a word: its CSS class and its tooltip.
pub type NameMark = (&'static str, String);

/// A marked word: its line, counted from 0, and the index of its first sign in the line.
type Marked = ((usize, usize), NameMark);

/// Marks of all names in the text.
#[derive(Clone, Copy)]
pub struct NameMarks(Memo<Vec<Marked>>);

impl NameMarks {
    /// Follows the text on the workbench.
    pub fn of(workbench: Workbench) -> Self {
        Self(Memo::new(move |_| {
            let document = workbench.document.get();
            let reading = workbench.work.with(|work| work.reading);
            workbench.corpora.glossed.with(|found| {
                let found = found.as_ref().filter(|found| found.text.0 == document.source && found.text.1 == reading);
                found.map(|found| marks(&document, &found.found)).unwrap_or_default()
            })
        }))
    }

    /// Returns the marks of a line with the index of each word's first sign. Tracked as a signal.
    pub fn of_line(self, line: usize) -> Vec<(usize, NameMark)> {
        self.0.with(|marks| {
            let own = marks.iter().filter(|((own, _), _)| *own == line);
            own.map(|((_, first), mark)| (*first, mark.clone())).collect()
        })
    }
}

fn marks(document: &Document, found: &[GlossedLine]) -> Vec<Marked> {
    let mut marks = Vec::new();
    for glossed in found {
        let Some(line) = document.lines.get(glossed.line) else { continue };
        for word in &glossed.words {
            let Some((name, likeliest)) = word.name.as_ref().and_then(|name| Some((name, name.likeliest()?))) else {
                continue;
            };
            let (class, by) = match name.by {
                NameEvidence::Own { .. } => ("word name own", "your list"),
                NameEvidence::Lexicon { .. } => ("word name", "the lexicon"),
                NameEvidence::Determinative => ("word name", "its determinative"),
                NameEvidence::Proposed => ("word name guess", "a model’s guess"),
            };
            let title = format!("Name: {} ({by})", likeliest.kind);
            if let Some(first) = line.signs.iter().position(|sign| sign.span.start == word.span.start) {
                marks.push(((glossed.line, first), (class, title)));
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{GlossedWord, KindProbability, NameKind, WordName};

    #[test]
    fn a_name_is_marked_where_its_first_sign_stands() {
        let document = Document::read("1. a-na {d}UTU\n2. a-šur");
        let name = |line: usize, first: usize, by: NameEvidence| {
            let span = document.lines[line].signs[first].span;
            let kinds = vec![KindProbability { kind: NameKind::God, probability: 0.9 }];
            let name = Some(WordName { kinds, by });
            let word = GlossedWord {
                span,
                written: String::new(),
                is_legible: true,
                is_numeral: false,
                found: None,
                glosses: Vec::new(),
                name,
            };
            GlossedLine { line, words: vec![word] }
        };
        let lexicon = NameEvidence::Lexicon { spelling: "{d}UTU".into(), name: "Šamaš".into(), count: 3 };
        let marks = marks(&document, &[name(0, 2, lexicon), name(1, 0, NameEvidence::Proposed)]);
        assert_eq!(marks.len(), 2);
        assert_eq!(marks[0], ((0, 2), ("word name", "Name: god (the lexicon)".to_owned())));
        assert_eq!((marks[1].0, marks[1].1.0), ((1, 0), "word name guess"));
    }
}
