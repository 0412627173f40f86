//! Hierarchy of the corpora: sign, reading, word, phrase.
//!
//! In truth it is a directed acyclic graph, since a word is a child of all its readings. [`builder`] cuts it to a tree,
//! [`graph`] rebuilds the graph from the labels, [`table`] writes the tree, which [`tuppum_text::signs::hierarchy`]
//! holds and reads, and [`words`] counts the corpora.

pub mod builder;
pub mod graph;
pub mod words;

use std::fmt::Write;
use tuppum_text::signs::hierarchy::HEADER;
pub use tuppum_text::signs::hierarchy::{Hierarchy, Kind, Node};
use tuppum_text::{Document, SignKind};

/// Returns the readings of a spelling; `None` if it contains a sign that is not a reading.
pub fn readings(spelling: &str) -> Option<Vec<String>> {
    let document = Document::read(spelling);
    let each = document.signs().map(|sign| match &sign.kind {
        SignKind::Reading(reading) => Some(reading.clone()),
        _ => None,
    });
    each.collect::<Option<Vec<String>>>().filter(|readings| !readings.is_empty())
}

/// Returns `true` for a determinative.
pub(crate) fn is_determinative(reading: &str) -> bool {
    reading.starts_with('{')
}

/// Writes the tree as a table: a header, then one node per row, as [`Hierarchy::parse`] reads it.
pub fn table(tree: &Hierarchy) -> String {
    let mut table = format!("{HEADER}\n");
    for (number, Node { parent, kind, label, glyph, count }) in tree.nodes().iter().enumerate() {
        if number > 0 {
            let _ = write!(table, "{parent}");
        }
        let _ = writeln!(table, "\t{}\t{label}\t{glyph}\t{count}", kind.name());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t7\n0\tsign\tA\t𒀀\t7\n1\treading\ta\t\t7\n";

    #[test]
    fn spellings_fall_into_readings() {
        let of = |spelling| readings(spelling).map(|readings| readings.join(" "));
        assert_eq!(of("{d}UTU-ši").as_deref(), Some("{d} UTU ši"));
        assert_eq!(of("KU₃.BABBAR").as_deref(), Some("KU₃ BABBAR"));
        assert_eq!(of("a-x"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn what_is_read_is_written_back() {
        let tree = Hierarchy::parse(TABLE).unwrap();
        assert_eq!(table(&tree), TABLE);
        assert_eq!(tree.parents(), [0, 1]);
        assert_eq!(tree.of_kind(Kind::Reading).collect::<Vec<_>>(), [2]);
    }
}
