//! Changes of the normaliser, cut into segments for a view that shows both forms side by side.

use super::{Document, Edit, Span};

/// Stretch of the typed text, changed or not. The segments of a document tile its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment<'a> {
    /// Stretch that is canonical as typed.
    Same(Span),
    /// Stretch that differs in canonical form.
    Changed(&'a Edit),
}

impl Segment<'_> {
    /// Returns the place in the source.
    pub fn span(&self) -> Span {
        match self {
            Segment::Same(span) => *span,
            Segment::Changed(edit) => edit.span,
        }
    }
}

/// Returns the segments of a document, in order.
pub fn segments(document: &Document) -> Vec<Segment<'_>> {
    let mut segments = Vec::with_capacity(document.edits.len() * 2 + 1);
    let mut done = 0;
    for edit in &document.edits {
        if edit.span.start > done {
            segments.push(Segment::Same(Span::new(done, edit.span.start)));
        }
        segments.push(Segment::Changed(edit));
        done = edit.span.end;
    }
    if done < document.source.len() {
        segments.push(Segment::Same(Span::new(done, document.source.len())));
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_tile_the_source() {
        let document = Document::read("a-na szar-ru-um u2-ul _LUGAL_");
        let shown: Vec<(&str, Option<&str>)> = segments(&document)
            .iter()
            .map(|segment| match segment {
                Segment::Same(span) => (span.of(&document.source), None),
                Segment::Changed(edit) => (edit.span.of(&document.source), Some(edit.canonical.as_str())),
            })
            .collect();
        let expected = [
            ("a-na ", None),
            ("szar-ru-um", Some("šar-ru-um")),
            (" ", None),
            ("u2-ul", Some("u₂-ul")),
            (" ", None),
            ("_LUGAL_", Some("LUGAL")),
        ];
        assert_eq!(shown, expected);
    }
}
