//! The tree, or the part of it down to a kind, as `geometry` takes it.

use tuppum_cli::failure::Result;
use tuppum_corpus::hierarchy::{Hierarchy, Kind, Node};
use tuppum_geometry::tree::Tree;

/// A part of the tree, with its nodes.
pub struct Part {
    /// The part.
    pub tree: Tree,
    /// The nodes by their numbers in the part; their parents are still numbers in the whole.
    pub nodes: Vec<Node>,
}

impl Part {
    /// Returns the nodes of the kinds down to `deepest`.
    ///
    /// # Errors
    /// The parent of a node is of a deeper kind than the node.
    pub fn of(whole: &Hierarchy, deepest: Kind) -> Result<Self> {
        let mut numbers = vec![None; whole.nodes().len()];
        let (mut nodes, mut parents) = (Vec::new(), Vec::new());
        for (number, node) in whole.nodes().iter().enumerate().filter(|(_, node)| node.kind <= deepest) {
            numbers[number] = Some(nodes.len());
            if number > 0 {
                let parent = numbers.get(node.parent).copied().flatten();
                parents.push(
                    parent
                        .ok_or_else(|| format!("{} {:?} hangs on no sign or reading", node.kind.name(), node.label))?,
                );
            }
            nodes.push(node.clone());
        }
        Ok(Part { tree: Tree::new(&parents)?, nodes })
    }

    /// Returns the nodes of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.kind == kind).map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_keeps_its_edges() {
        let table = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t9\n0\tsign\tA\t𒀀\t5\n1\treading\ta\t\t5\n\
            2\tword\ta-a\t\t3\n0\tsign\tBA\t𒁀\t4\n4\treading\tba\t\t4\n";
        let whole = Hierarchy::parse(table).unwrap();
        let part = Part::of(&whole, Kind::Reading).unwrap();
        assert_eq!((part.tree.len(), part.tree.parent(4), part.tree.parent(3)), (5, 3, 0));
        assert_eq!(part.of_kind(Kind::Reading).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(Part::of(&whole, Kind::Phrase).unwrap().tree.len(), 6);
    }
}
