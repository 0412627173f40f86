//! Tree with labels, laid out once and drawn many times.

use super::complex::Point;
use super::labels::width_of;
use super::layout::layout;
use tuppum_geometry::tree::{ParentAfterChild, Tree};

/// Node of the input: its parent, and how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Number of the parent, which comes before the node; ignored for the first node.
    pub parent: usize,
    /// Kind from 0 to 4, which gives colour and shape.
    pub kind: u8,
    pub label: String,
    /// Number of attestations: of equally near nodes, the more frequent get their labels first.
    pub count: u32,
}

/// Tree laid out on the plane.
#[derive(Clone, Debug)]
pub struct Figure {
    pub tree: Tree,
    /// Place of each node in Poincaré's disk, the root in the middle.
    pub points: Vec<Point>,
    pub kinds: Vec<u8>,
    pub labels: Vec<String>,
    /// Width of each label, in heights of its letters.
    pub widths: Vec<f32>,
    /// Value of ln(1 + count) of each node, divided by the greatest.
    pub weights: Vec<f32>,
    /// Nodes in an order in which the descendants of a node follow it directly.
    pub order: Vec<u32>,
    /// End of the descendants of the node at each place of `order`, as a place in `order`.
    pub ends: Vec<u32>,
}

impl Figure {
    /// Lays out a tree. The first item is the root.
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

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Returns `false`: a tree always has a root.
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// Returns the place of a node; the middle for a number that is no node.
    pub fn point(&self, node: usize) -> Point {
        self.points.get(node).copied().unwrap_or_default()
    }

    /// Returns the geodesic distance between two nodes.
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
