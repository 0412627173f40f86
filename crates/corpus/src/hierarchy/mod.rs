//! The hierarchy of what the corpora write: sign, reading, word, phrase.
//!
//! In truth it is a directed acyclic graph: a word has several readings, and is a child of all of them. [`builder`]
//! cuts it to a tree, [`graph`] makes the graph again from the labels, [`table`] writes the tree, which
//! [`tuppum_text::signs::hierarchy`] holds and reads, [`words`] counts the corpora.

pub mod builder;
pub mod graph;
pub mod table;
pub mod words;

pub use tuppum_text::signs::hierarchy::{Hierarchy, Kind, Node};
use tuppum_text::{Document, SignKind};

/// The readings of a spelling; `None` if it holds a sign that is no reading.
pub fn readings(spelling: &str) -> Option<Vec<String>> {
    let document = Document::read(spelling);
    let each = document.signs().map(|sign| match &sign.kind {
        SignKind::Reading(reading) => Some(reading.clone()),
        _ => None,
    });
    each.collect::<Option<Vec<String>>>().filter(|readings| !readings.is_empty())
}

/// Whether a reading is a determinative.
pub(crate) fn is_determinative(reading: &str) -> bool {
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
