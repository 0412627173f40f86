//! Trees: their distances, and points for their nodes by construction, without a descent.
//!
//! Sarkar, "Low distortion Delaunay embedding of trees in hyperbolic plane" (2011): the children of a node go to one
//! distance from it, in evenly spread directions. The longer the edges, the smaller the distortion. [`plane`] does it
//! in the disk, in polar coordinates. [`kernel`] computes spectral starts for trees of any size, [`sample`] draws pairs
//! of nodes, [`two_planes`] embeds a tree epoch by epoch while the user watches.

pub mod kernel;
pub mod plane;
pub mod sample;
pub mod two_planes;

use thiserror::Error;

/// Error for a node whose parent does not come before it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("node {node} hangs on node {parent}; a parent must come before its children")]
pub struct ParentAfterChild {
    /// Number of the node.
    pub node: usize,
    /// Number of its parent as given.
    pub parent: usize,
}

/// Tree with its root at node 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<usize>,
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
}

impl Tree {
    /// Builds the tree in which `parents[i]`, a node before it, is the parent of node i + 1.
    ///
    /// # Errors
    /// [`ParentAfterChild`] names the first node whose parent does not come before it.
    pub fn new(parents: &[usize]) -> Result<Self, ParentAfterChild> {
        let count = parents.len() + 1;
        let mut tree = Tree { parents: vec![0; count], children: vec![Vec::new(); count], depths: vec![0; count] };
        for (node, &parent) in (1..).zip(parents) {
            if parent >= node {
                return Err(ParentAfterChild { node, parent });
            }
            tree.parents[node] = parent;
            tree.depths[node] = tree.depths[parent] + 1;
            tree.children[parent].push(node);
        }
        Ok(tree)
    }

    /// Returns the number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns `false`: a tree always has a root.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the parent of a node; the root for the root itself and for numbers that are no node.
    pub fn parent(&self, node: usize) -> usize {
        self.parents.get(node).copied().unwrap_or(0)
    }

    /// Returns the children of a node, in order.
    pub fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of edges between a node and the root.
    pub fn depth(&self, node: usize) -> usize {
        self.depths.get(node).copied().unwrap_or(0)
    }

    /// Returns the number of edges between two nodes.
    pub fn edges(&self, one: usize, other: usize) -> usize {
        let (mut low, mut high, mut edges) = (one, other, 0);
        while low != high {
            if self.depth(low) < self.depth(high) {
                (low, high) = (high, low);
            }
            if self.depth(low) == 0 {
                break;
            }
            low = self.parent(low);
            edges += 1;
        }
        edges
    }

    /// Returns the neighbours of every node, its parent and its children, over which precision is computed.
    pub fn neighbours(&self) -> Vec<Vec<usize>> {
        let up = |node: usize| (node > 0).then(|| self.parent(node));
        (0..self.len()).map(|node| up(node).into_iter().chain(self.children(node).iter().copied()).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edges() {
        let tree = Tree::new(&[0, 0, 1, 1, 3]).unwrap();
        for (one, other, edges) in [(0, 0, 0), (0, 5, 3), (5, 4, 3), (5, 2, 4), (3, 4, 2), (3, 5, 1)] {
            assert_eq!((tree.edges(one, other), tree.edges(other, one)), (edges, edges), "{one} {other}");
        }
        assert_eq!(tree.neighbours()[1], [0, 3, 4]);
        assert_eq!(tree.neighbours()[0], [1, 2]);
        assert_eq!(Tree::new(&[]).unwrap().len(), 1);
    }

    #[test]
    fn a_parent_comes_first() {
        assert!(Tree::new(&[0, 2]).is_err_and(|error| error.to_string().contains("node 2 hangs on node 2")));
    }
}
