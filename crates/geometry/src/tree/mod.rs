//! Trees: their distances, and points for their nodes by construction, without any descent.
//!
//! Sarkar, "Low distortion Delaunay embedding of trees in hyperbolic plane" (2011): the children of a node go to one
//! distance from it, in directions spread evenly. The longer the edges, the smaller the distortion. [`plane`] does it
//! in the disk, in polar coordinates; [`space`] in any dimension. [`kernel`] makes spectral starts for trees of any
//! size, [`sample`] draws pairs of nodes, [`two_planes`] lets a tree look for room while one watches.

pub mod kernel;
pub mod plane;
pub mod sample;
pub mod space;
pub mod two_planes;

use thiserror::Error;

/// A node hangs on one that does not come before it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("node {node} hangs on node {parent}; a parent must come before its children")]
pub struct ParentAfterChild {
    /// The node.
    pub node: usize,
    /// The node it hangs on.
    pub parent: usize,
}

/// A tree with its root at node 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<usize>,
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
}

impl Tree {
    /// The tree in which node i + 1 hangs on `parents[i]`, a node before it.
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

    /// How many nodes there are, the root among them.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Never true: there is always a root. Kept for the habit of `len`.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The parent of a node; the root for the root itself and for numbers of no node.
    pub fn parent(&self, node: usize) -> usize {
        self.parents.get(node).copied().unwrap_or(0)
    }

    /// The children of a node, in order.
    pub fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map_or(&[], Vec::as_slice)
    }

    /// Edges between a node and the root.
    pub fn depth(&self, node: usize) -> usize {
        self.depths.get(node).copied().unwrap_or(0)
    }

    /// Edges between two nodes.
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

    /// For every node its parent and children: the neighbours that precision is counted over.
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
