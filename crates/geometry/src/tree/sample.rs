//! Random pairs of a tree's nodes: any two, or two of one branch.
//!
//! Two nodes drawn uniformly nearly always lie as far apart as the tree allows, and say nothing about its branches. So
//! half of the pairs that lead a descent, and a second column of what is measured, are near pairs: a node and any other
//! node of the branch of one of its ancestors.

use super::Tree;
use crate::Random;
use crate::stress::DistancePair;

/// Source of random pairs of nodes.
pub struct Sampler<'a> {
    tree: &'a Tree,
    /// Nodes in an order in which every branch is contiguous.
    order: Vec<usize>,
    /// Start of each node's branch in the order, and its number of nodes.
    branches: Vec<(usize, usize)>,
    random: Random,
}

impl<'a> Sampler<'a> {
    /// Creates a sampler with a seed.
    pub fn new(tree: &'a Tree, seed: u64) -> Self {
        let mut sizes = vec![1; tree.len()];
        for node in (1..tree.len()).rev() {
            sizes[tree.parent(node)] += sizes[node];
        }
        let mut branches = vec![(0, tree.len()); tree.len()];
        let mut order = vec![0; tree.len()];
        for node in 0..tree.len() {
            let (begin, _) = branches[node];
            order[begin] = node;
            let mut next = begin + 1;
            for child in tree.children(node) {
                branches[*child] = (next, sizes[*child]);
                next += sizes[*child];
            }
        }
        Sampler { tree, order, branches, random: Random::new(seed) }
    }

    /// Draws any two different nodes; `None` in a tree of one node.
    pub fn any(&mut self) -> Option<(usize, usize)> {
        let one = self.random.below(self.tree.len());
        self.other_of(0, one)
    }

    /// Draws a node and another node of the branch of one of its ancestors, whose height is drawn uniformly; `None` in
    /// a tree of one node.
    pub fn near(&mut self) -> Option<(usize, usize)> {
        if self.tree.len() < 2 {
            return None;
        }
        // Not the root: it has no ancestor.
        let one = 1 + self.random.below(self.tree.len() - 1);
        let up = 1 + self.random.below(self.tree.depth(one));
        let ancestor = (0..up).fold(one, |node, _| self.tree.parent(node));
        self.other_of(ancestor, one)
    }

    /// Pairs the node with a random other node of the branch.
    fn other_of(&mut self, branch: usize, one: usize) -> Option<(usize, usize)> {
        let (begin, size) = self.branches[branch];
        // The drawn place skips the node itself: every other node of the branch has the same chance, without a second
        // draw.
        let own = self.branches[one].0 - begin;
        let drawn = self.random.below(size.checked_sub(1)?);
        let other = self.order.get(begin + drawn + usize::from(drawn >= own))?;
        Some((one, *other))
    }

    /// Fills the pairs of one step of a descent: half near pairs, half any pairs, all of one weight. The wanted length
    /// of an edge is 1.
    pub fn fill(&mut self, count: usize, pairs: &mut Vec<DistancePair>) {
        pairs.clear();
        let weight = 1.0 / count.max(1) as f64;
        for number in 0..count {
            let drawn = if number % 2 == 0 { self.near() } else { self.any() };
            if let Some((one, other)) = drawn {
                pairs.push(DistancePair { one, other, wanted: self.tree.edges(one, other) as f64, weight });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_come_and_near_ones_stay_in_a_branch() {
        let tree = Tree::new(&[0, 0, 1, 1, 2, 5]).unwrap();
        let mut sampler = Sampler::new(&tree, 3);
        let (mut any, mut near) = ([[0; 7]; 7], [[0; 7]; 7]);
        for _ in 0..4_200 {
            let (one, other) = sampler.any().unwrap();
            any[one][other] += 1;
            let (one, other) = sampler.near().unwrap();
            near[one][other] += 1;
        }
        for one in 0..7 {
            for other in 0..7 {
                // 100 expected, six standard deviations.
                assert_eq!(one != other, (40..160).contains(&any[one][other]), "{any:?}");
            }
            assert_eq!(near[0][one], 0, "the root has no branch to be near in");
        }
        // Node 6 has the ancestors 5, 2 and 0: its parent is drawn from all three branches, node 3 from the root's
        // branch alone.
        assert!(near[6][5] > 2 * near[6][3] && near[6][3] > 0, "{near:?}");
        assert_eq!(Sampler::new(&Tree::new(&[]).unwrap(), 1).near(), None);
        assert_eq!(Sampler::new(&Tree::new(&[]).unwrap(), 1).any(), None);
    }

    #[test]
    fn a_step_has_pairs_with_their_edges() {
        let tree = Tree::new(&[0, 0, 1, 1]).unwrap();
        let mut pairs = Vec::new();
        Sampler::new(&tree, 5).fill(10, &mut pairs);
        assert_eq!(pairs.len(), 10);
        assert!(pairs.iter().all(|pair| pair.wanted == tree.edges(pair.one, pair.other) as f64 && pair.weight == 0.1));
    }
}
