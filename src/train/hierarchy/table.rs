//! The tree as a file: a header, then a node a row.

use super::{Hierarchy, Kind, Node};
use std::fmt::Write;

pub use crate::signs::hierarchy::HEADER;

impl Hierarchy {
    /// The file.
    pub fn table(&self) -> String {
        let mut table = format!("{HEADER}\n");
        for (number, Node { parent, kind, label, glyph, count }) in self.nodes.iter().enumerate() {
            if number > 0 {
                let _ = write!(table, "{parent}");
            }
            let _ = writeln!(table, "\t{}\t{label}\t{glyph}\t{count}", kind.name());
        }
        table
    }

    /// Reads the file.
    ///
    /// # Errors
    /// A sentence that names the first row that is not as it should be, and why.
    pub fn parse(table: &str) -> Result<Self, String> {
        let mut lines = table.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("the table must begin with {HEADER:?}"));
        }
        let mut nodes: Vec<Node> = Vec::new();
        for (row, line) in (2..).zip(lines) {
            let wrong = |what: &str| format!("row {row}: {what}");
            let cells: Vec<&str> = line.split('\t').collect();
            let [parent, kind, label, glyph, count] = cells[..] else {
                return Err(wrong(&format!("there should be five cells, found {}", cells.len())));
            };
            let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
            let kind = kind.ok_or_else(|| wrong("the kind is none of root, sign, reading, word and phrase"))?;
            if (kind == Kind::Root) != nodes.is_empty() || (kind == Kind::Root) != parent.is_empty() {
                return Err(wrong("the first node, and no other, is the root and has no parent"));
            }
            let parent = if nodes.is_empty() { Some(0) } else { parent.parse().ok() };
            let parent = parent.filter(|parent| *parent < nodes.len().max(1));
            let parent = parent.ok_or_else(|| wrong("the parent must be the number of a node before"))?;
            let count = count.parse().map_err(|_| wrong(&format!("{count:?} is no count")))?;
            nodes.push(Node { parent, kind, label: label.into(), glyph: glyph.into(), count });
        }
        if nodes.is_empty() { Err("the table has no root".into()) } else { Ok(Hierarchy { nodes }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t7\n0\tsign\tA\t𒀀\t7\n1\treading\ta\t\t7\n";

    #[test]
    fn what_is_written_is_read_back() {
        let tree = Hierarchy::parse(TABLE).unwrap();
        assert_eq!(tree.table(), TABLE);
        assert_eq!(tree.parents(), [0, 1]);
        assert_eq!(tree.of_kind(Kind::Reading).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |table: &str| Hierarchy::parse(table).err().unwrap_or_default();
        assert!(message("parent\tkind\n").starts_with("the table must begin with"));
        assert_eq!(message(&format!("{HEADER}\n")), "the table has no root");
        assert!(message(&format!("{TABLE}0\tsign\n")).starts_with("row 5: there should be five cells, found 2"));
        assert!(message(&format!("{TABLE}3\tword\ta-na\t\t1\n")).starts_with("row 5: the parent must be"));
        assert!(message(&format!("{TABLE}\troot\ta\t\t1\n")).starts_with("row 5: the first node"));
        assert!(message(&format!("{TABLE}0\tverb\ta\t\t1\n")).starts_with("row 5: the kind is none"));
        assert_eq!(message(&format!("{TABLE}0\tsign\ta\t\tmany\n")), "row 5: \"many\" is no count");
    }
}
