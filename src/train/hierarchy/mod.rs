//! The hierarchy of what the corpora write: sign, reading, word, phrase.
//!
//! In truth it is a directed acyclic graph: a word has several readings, and is a child of all of them. [`builder`] cuts it to a
//! tree, [`graph`] makes the graph again from the labels, [`table`] writes and reads the tree, [`words`] counts the corpora.

pub mod builder;
pub mod graph;
pub mod table;
pub mod words;

pub use crate::signs::hierarchy::Kind;
use crate::text::{Document, SignKind};

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Number of the parent, which comes before; the root's is its own, 0.
    pub parent: usize,
    /// What it is.
    pub kind: Kind,
    /// Name of a sign (its glyph where it has none), a reading, a spelling, a phrase.
    pub label: String,
    /// The cuneiform of a sign; empty for all else.
    pub glyph: String,
    /// Occurrences in the corpora.
    pub count: u64,
}

/// The tree: node 0 is the root, parents come before children, children by falling count, every branch in one stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    /// The nodes.
    pub nodes: Vec<Node>,
}

impl Hierarchy {
    /// Numbers of the nodes of a kind, in order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.kind == kind).map(|(number, _)| number)
    }

    /// The parent of every node but the root, as `geometry` takes a tree.
    pub fn parents(&self) -> Vec<usize> {
        self.nodes.iter().skip(1).map(|node| node.parent).collect()
    }
}

/// The readings that a spelling consists of; `None` if any sign of it is none.
pub fn readings(spelling: &str) -> Option<Vec<String>> {
    let document = Document::read(spelling);
    let each = document.signs().map(|sign| match &sign.kind {
        SignKind::Reading(reading) => Some(reading.clone()),
        _ => None,
    });
    each.collect::<Option<Vec<String>>>().filter(|readings| !readings.is_empty())
}

/// Whether a reading is a determinative.
fn is_determinative(reading: &str) -> bool {
    reading.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_fall_into_readings() {
        let of = |spelling| readings(spelling).map(|readings| readings.join(" "));
        assert_eq!(of("{d}UTU-ši").as_deref(), Some("{d} UTU ši"));
        assert_eq!(of("KU₃.BABBAR").as_deref(), Some("KU₃ BABBAR"));
        assert_eq!(of("a-x"), None);
        assert_eq!(of(""), None);
    }
}
