//! Tree of all signs of the corpora and their readings.

use crate::signs::error::{RowProblem, TableError};
use crate::signs::{SignList, rows};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Table with one row per sign: its glyph and its readings, the commonest first; `*` marks the sign that a reading of
/// several signs means.
const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/sign-names.tsv"));

/// First line of the table.
const HEADER: &str = "glyph\treadings";

/// Tree of a root, its signs, their readings. Nodes have the numbers of the rows of the points: 0 is the root, then
/// comes each sign followed by its readings, in the order of the table.
#[derive(Debug, Default)]
pub struct SignTree {
    nodes: Vec<Node>,
    /// Parent of each node; the root is its own parent.
    parents: Vec<u32>,
    by_reading: HashMap<&'static str, u32>,
    by_glyph: HashMap<&'static str, u32>,
}

/// Node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Root: everything that belongs to no sign, such as joiners, spaces, unknown signs.
    Root,
    /// Sign, by its cuneiform.
    Sign(&'static str),
    /// Canonical reading of the sign that is its parent.
    Reading(&'static str),
}

impl SignTree {
    /// First line of the table, which names the columns.
    pub const HEADER: &str = HEADER;

    /// Number of the root.
    pub const ROOT: u32 = 0;

    /// Returns the tree that is compiled in.
    pub fn shared() -> &'static SignTree {
        static TREE: OnceLock<SignTree> = OnceLock::new();
        // The table is our own and a test reads it. If it were broken, every byte would belong to the root.
        TREE.get_or_init(|| SignTree::parse(TABLE).unwrap_or_else(|_| SignTree::bare()))
    }

    /// Returns a tree of a root alone.
    fn bare() -> Self {
        SignTree { nodes: vec![Node::Root], parents: vec![0], ..SignTree::default() }
    }

    /// Reads a table of signs.
    ///
    /// # Errors
    /// [`TableError`] says what the first line should be, or names a row without a sign.
    pub fn parse(table: &'static str) -> Result<Self, TableError> {
        let mut tree = SignTree::bare();
        for (row, cells) in rows(table, HEADER)? {
            let [glyph, readings] = cells[..] else { continue };
            if glyph.is_empty() || tree.by_glyph.contains_key(glyph) {
                return Err(RowProblem::Sign(glyph.to_owned()).in_row(row));
            }
            let sign = tree.add(Node::Sign(glyph), SignTree::ROOT);
            tree.by_glyph.insert(glyph, sign);
            for marked in readings.split(' ').filter(|reading| !reading.is_empty()) {
                let reading = marked.trim_end_matches('*');
                let number = tree.add(Node::Reading(reading), sign);
                if reading.len() < marked.len() {
                    tree.by_reading.insert(reading, number);
                } else {
                    tree.by_reading.entry(reading).or_insert(number);
                }
            }
        }
        Ok(tree)
    }

    fn add(&mut self, node: Node, parent: u32) -> u32 {
        self.nodes.push(node);
        self.parents.push(parent);
        self.nodes.len() as u32 - 1
    }

    /// Returns the number of nodes, which is the number of points needed.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `false`: the tree always has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node of a number; the root for numbers beyond the tree.
    pub fn node(&self, number: u32) -> Node {
        self.nodes.get(number as usize).copied().unwrap_or(Node::Root)
    }

    /// Returns the parent of a node; the root for the root and for numbers beyond the tree.
    pub fn parent(&self, number: u32) -> u32 {
        self.parents.get(number as usize).copied().unwrap_or(SignTree::ROOT)
    }

    /// Returns the number of a canonical reading (`u₂`, `LUGAL`, `{d}`). If the corpora never have that reading,
    /// returns the number of its sign; if they do not have the sign either, that of the root.
    pub fn number_of(&self, reading: &str) -> u32 {
        if let Some(number) = self.by_reading.get(reading) {
            return *number;
        }
        let sign = SignList::shared().sign_of(reading);
        sign.and_then(|sign| self.by_glyph.get(sign.glyph.as_ref())).copied().unwrap_or(SignTree::ROOT)
    }

    /// Returns the distance of two nodes along the tree, every edge ½: readings of one sign are at 1 and those of two
    /// signs at 2, as for bytes; a sign is at ½ from its readings, the root at ½ from signs and at 1 from readings.
    pub fn distance(&self, one: u32, other: u32) -> f64 {
        let depth = |number| match self.node(number) {
            Node::Root => 0,
            Node::Sign(_) => 1,
            Node::Reading(_) => 2,
        };
        let sign = |number| if depth(number) == 2 { self.parent(number) } else { number };
        let shared = if one == other {
            depth(one)
        } else {
            // The root stands for no sign, so two roots share none.
            u32::from(sign(one) == sign(other) && depth(one) > 0)
        };
        f64::from(depth(one) + depth(other) - 2 * shared) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> SignTree {
        SignTree::parse("glyph\treadings\n𒀭\tAN an {d}\n𒌓\tUTU ud an*\n𒁀\t\n").unwrap()
    }

    #[test]
    fn numbers_follow_the_table() {
        let tree = tree();
        assert_eq!(tree.len(), 10);
        assert_eq!((tree.node(0), tree.node(1), tree.node(4)), (Node::Root, Node::Sign("𒀭"), Node::Reading("{d}")));
        assert_eq!((tree.node(9), tree.node(10)), (Node::Sign("𒁀"), Node::Root));
        assert_eq!((tree.parent(4), tree.parent(5), tree.parent(6)), (1, 0, 5));
        assert_eq!(tree.number_of("{d}"), 4);
        assert_eq!(tree.number_of("an"), 8, "marked");
    }

    #[test]
    fn unknown_readings_fall_back_on_their_sign_and_unknown_signs_on_the_root() {
        let tree = tree();
        assert_eq!(tree.number_of("utu"), 5, "a reading of UD in another case");
        assert_eq!(tree.number_of("ba"), 9);
        assert_eq!(tree.number_of("LUGAL"), 0, "not in this tree");
        assert_eq!(tree.number_of("zzz"), 0);
    }

    #[test]
    fn distances_are_half_the_edges() {
        let tree = tree();
        for (one, other, expected) in [
            (0, 0, 0.0),
            (0, 1, 0.5),
            (0, 4, 1.0),
            (1, 4, 0.5),
            (2, 4, 1.0),
            (4, 6, 2.0),
            (1, 5, 1.0),
            (1, 6, 1.5),
            (3, 3, 0.0),
            (1, 1, 0.0),
        ] {
            assert_eq!((tree.distance(one, other), tree.distance(other, one)), (expected, expected), "{one} {other}");
        }
    }

    #[test]
    fn broken_tables_are_refused() {
        assert!(SignTree::parse("glyph\n").is_err_and(|message| message.to_string().contains("glyph\\treadings")));
        assert!(SignTree::parse("glyph\treadings\n\ta\n").is_err_and(|message| message.to_string().contains("row 2")));
        assert!(
            SignTree::parse("glyph\treadings\n𒀭\ta\n𒀭\tb\n")
                .is_err_and(|message| message.to_string().contains("row 3"))
        );
    }

    #[test]
    fn the_table_compiled_in_is_whole_and_small() {
        let tree = SignTree::parse(TABLE).unwrap();
        assert!(tree.len() > 4_000, "{}", tree.len());
        assert!(TABLE.len() < 60_000, "{} bytes go into the engine", TABLE.len());
        for (reading, glyph) in [("a", "𒀀"), ("{d}", "𒀭"), ("UTU", "𒌓"), ("LU₂", "𒇽"), ("MEŠ", "𒈨𒌍")]
        {
            let number = tree.number_of(reading);
            assert_eq!(
                (tree.node(number), tree.node(tree.parent(number))),
                (Node::Reading(reading), Node::Sign(glyph))
            );
        }
    }
}
