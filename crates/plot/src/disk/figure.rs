//! The tree that is drawn, with labels: laid out once, drawn many times.

use super::complex::Point;
use super::labels::width_of;
use super::layout::layout;
use tuppum_geometry::tree::{ParentAfterChild, Tree};

/// A node as it comes: what hangs where, and how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Number of the node above, which comes before; of the first node nothing is asked.
    pub parent: usize,
    /// Its kind, from 0 to 4: colour and shape.
    pub kind: u8,
    /// What stands beside it.
    pub label: String,
    /// How often it is attested: of nodes equally near, the more frequent get their labels first.
    pub count: u32,
}

/// A tree on the plane.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What hangs where.
    pub tree: Tree,
    /// Where each node lies in Poincaré's disk, the root in the middle.
    pub points: Vec<Point>,
    /// The kind of each node.
    pub kinds: Vec<u8>,
    /// The label of each node.
    pub labels: Vec<String>,
    /// Width of each label, in heights of its letters.
    pub widths: Vec<f32>,
    /// ln(1 + count) of each node, over that of the greatest.
    pub weights: Vec<f32>,
    /// The nodes with all that hangs on a node right behind it.
    pub order: Vec<u32>,
    /// For each place in `order`, the place behind all that hangs on its node.
    pub ends: Vec<u32>,
}

impl Figure {
    /// Lays a tree out. The first item is the root.
    ///
    /// # Errors
    /// [`ParentAfterChild`] names the first item whose parent does not come before it.
    pub fn new(items: Vec<Item>) -> Result<Self, ParentAfterChild> {
        let parents: Vec<usize> = items.iter().skip(1).map(|item| item.parent).collect();
        let tree = Tree::new(&parents)?;
        let most = items.iter().map(|item| item.count).max().unwrap_or(0);
        let weight = |count: u32| (f64::from(count).ln_1p() / f64::from(most.max(1)).ln_1p()) as f32;
        let (order, ends) = preorder(&tree);
        Ok(Self {
            points: layout(&tree),
            kinds: items.iter().map(|item| item.kind.min(4)).collect(),
            widths: items.iter().map(|item| width_of(&item.label)).collect(),
            weights: items.iter().map(|item| weight(item.count)).collect(),
            labels: items.into_iter().map(|item| item.label).collect(),
            tree,
            order,
            ends,
        })
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Never true: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// Where a node lies; the middle for what is no node.
    pub fn point(&self, node: usize) -> Point {
        self.points.get(node).copied().unwrap_or_default()
    }

    /// Geodesic distance between two nodes.
    pub fn distance(&self, one: usize, other: usize) -> f64 {
        tuppum_geometry::Ball::UNIT.distance(&self.point(one), &self.point(other))
    }
}

fn preorder(tree: &Tree) -> (Vec<u32>, Vec<u32>) {
    let mut sizes = vec![1u32; tree.len()];
    for node in (1..tree.len()).rev() {
        sizes[tree.parent(node)] += sizes[node];
    }
    let mut order = Vec::with_capacity(tree.len());
    let mut waiting = vec![0];
    while let Some(node) = waiting.pop() {
        order.push(node as u32);
        waiting.extend(tree.children(node).iter().rev());
    }
    let ends = order.iter().enumerate().map(|(place, &node)| place as u32 + sizes[node as usize]).collect();
    (order, ends)
}
