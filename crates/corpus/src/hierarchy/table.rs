//! Writes the tree as a table: a header, then one node per row, as [`Hierarchy::parse`] reads it.

use super::{Hierarchy, Node};
use std::fmt::Write;
use tuppum_text::signs::hierarchy::HEADER;

/// Returns the text of the table.
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
    use crate::hierarchy::Kind;

    const TABLE: &str = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t7\n0\tsign\tA\t𒀀\t7\n1\treading\ta\t\t7\n";

    #[test]
    fn what_is_read_is_written_back() {
        let tree = Hierarchy::parse(TABLE).unwrap();
        assert_eq!(table(&tree), TABLE);
        assert_eq!(tree.parents(), [0, 1]);
        assert_eq!(tree.of_kind(Kind::Reading).collect::<Vec<_>>(), [2]);
    }
}
