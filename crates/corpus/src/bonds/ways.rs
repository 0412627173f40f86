//! Distances between all signs and readings along the tree and its bonds.

use super::Bond;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use tuppum_text::signs::taxonomy::SignTree;

/// Length of a tree edge: half the distance of two readings of one sign.
const EDGE_LENGTH: f64 = 0.5;

/// Graph of the tree's edges in both directions and the bonds, with their lengths.
#[derive(Clone, Debug)]
pub struct Ways {
    steps: Vec<Vec<(u32, f64)>>,
}

impl Ways {
    /// Builds the graph of a tree with bonds. Of two bonds between the same nodes the shorter one counts.
    pub fn of(tree: &SignTree, bonds: &[Bond]) -> Self {
        let mut steps = vec![Vec::new(); tree.len()];
        let mut join = |one: u32, other: u32, length: f64| {
            for (from, to) in [(one, other), (other, one)] {
                if let Some(own) = steps.get_mut(from as usize) {
                    own.push((to, length));
                }
            }
        };
        (1..tree.len() as u32).for_each(|node| join(node, tree.parent(node), EDGE_LENGTH));
        bonds.iter().for_each(|bond| join(bond.one, bond.other, bond.length()));
        Self { steps }
    }

    /// Returns the lengths of the shortest paths from a node to all others (Dijkstra); at most 2, the length of a path
    /// over the root.
    pub fn from(&self, node: u32) -> Vec<f64> {
        let mut lengths = vec![f64::INFINITY; self.steps.len()];
        let mut open = BinaryHeap::from([Reverse(Reached { length: 0.0, node })]);
        while let Some(Reverse(Reached { length, node })) = open.pop() {
            match lengths.get_mut(node as usize) {
                Some(known) if length < *known => *known = length,
                // A shorter path has reached this node since it was queued.
                _ => continue,
            }
            for (next, step) in self.steps.get(node as usize).into_iter().flatten() {
                let further = length + step;
                if lengths.get(*next as usize).is_some_and(|known| further < *known) {
                    open.push(Reverse(Reached { length: further, node: *next }));
                }
            }
        }
        lengths
    }
}

/// A node and the length of a path to it, ordered by length, then by number.
#[derive(Clone, Copy, PartialEq)]
struct Reached {
    length: f64,
    node: u32,
}

impl Eq for Reached {}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        self.length.total_cmp(&other.length).then(self.node.cmp(&other.node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> SignTree {
        SignTree::parse("glyph\treadings\n𒀭\tAN an {d}\n𒌓\tUTU ud\n𒅎\tIM\n").unwrap()
    }

    #[test]
    fn without_bonds_they_are_those_of_the_tree() {
        let tree = tree();
        let ways = Ways::of(&tree, &[]);
        for one in 0..tree.len() as u32 {
            for (other, length) in (0..).zip(ways.from(one)) {
                assert_eq!(length, tree.distance(one, other), "{one} {other}");
            }
        }
    }

    #[test]
    fn bonds_shorten_them_for_what_hangs_on_them_too() {
        let tree = tree();
        let [an, d, utu, ud, im] = ["AN", "{d}", "UTU", "ud", "IM"].map(|reading| tree.number_of(reading));
        let bonds = [Bond { one: d, other: utu, strength: 0.8 }, Bond { one: d, other: im, strength: 1.0 }];
        let ways = Ways::of(&tree, &bonds);
        let at = |one: u32, other: u32| ways.from(one)[other as usize];
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        near(at(d, utu), 0.8);
        near(at(utu, d), 0.8);
        near(at(d, im), 0.5);
        near(at(utu, im), 1.3);
        near(at(an, utu), 1.8);
        near(at(an, ud), 2.0);
        near(at(d, ud), 1.8);
    }
}
