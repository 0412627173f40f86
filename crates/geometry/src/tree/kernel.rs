//! Kernels over all pairs of a tree's nodes, and the spectral starts they give, without ever writing a matrix down.
//!
//! A kernel that depends on the number of edges alone is multiplied with a vector by two walks over the tree, in steps
//! of nodes × depth² instead of nodes². So the spectral start of the source text, and scaling in Euclid's space to
//! compare it with, can be had for tens of thousands of nodes exactly, no landmark or sample being taken.

use super::Tree;
use crate::Ball;
use crate::spectral::SpectralSettings;
use crate::subspace::leading;
use crate::vector::{norm, scaled};

/// Rounds and accuracy of the iteration, which descents go on from: a start needs no more.
const ROUNDS: usize = 20;
const ACCURACY: f64 = 1e-6;

/// A symmetric matrix over the nodes of a tree whose cells depend on the edges between two nodes.
pub struct EdgeKernel<'a> {
    tree: &'a Tree,
    levels: usize,
    /// The cell for each number of edges, from 0 to twice the depth.
    cells: Vec<f64>,
}

impl<'a> EdgeKernel<'a> {
    /// The matrix whose cell for two nodes is `cell` of the edges between them.
    pub fn new(tree: &'a Tree, cell: impl Fn(usize) -> f64) -> Self {
        let deepest = (0..tree.len()).map(|node| tree.depth(node)).max().unwrap_or(0);
        EdgeKernel { tree, levels: deepest + 1, cells: (0..=2 * deepest).map(cell).collect() }
    }

    /// The matrix times a vector.
    pub fn multiply(&self, vector: &[f64]) -> Vec<f64> {
        let (tree, levels) = (self.tree, self.levels);
        // For every node the sums over what lies 0, 1, 2, … edges below it.
        let mut below = vec![0.0; tree.len() * levels];
        for node in (0..tree.len()).rev() {
            below[node * levels] += vector[node];
            if node > 0 {
                let (own, above) = (node * levels, tree.parent(node) * levels);
                for level in 0..levels - 1 {
                    below[above + level + 1] += below[own + level];
                }
            }
        }
        let row = |node: usize| &below[node * levels..(node + 1) * levels];
        let through = |node: usize| {
            let mut sum: f64 = row(node).iter().zip(&self.cells).map(|(below, cell)| below * cell).sum();
            let (mut from, mut up) = (node, 0);
            while from != 0 {
                let above = tree.parent(from);
                up += 1;
                for level in 0..levels {
                    // What hangs under `above` but not under the branch we come from.
                    let seen = if level == 0 { 0.0 } else { row(from)[level - 1] };
                    sum += self.cells.get(up + level).copied().unwrap_or(0.0) * (row(above)[level] - seen);
                }
                from = above;
            }
            sum
        };
        (0..tree.len()).map(through).collect()
    }

    /// The leading eigenvectors of the matrix with the means of rows and columns taken off, each times the root of its
    /// value: a row of coordinates for every node.
    fn coordinates(&self, dimension: usize) -> Vec<Vec<f64>> {
        let centred = |vector: &[f64]| {
            let mean = vector.iter().sum::<f64>() / vector.len().max(1) as f64;
            vector.iter().map(|one| one - mean).collect::<Vec<f64>>()
        };
        let multiply = |vector: &[f64]| centred(&self.multiply(&centred(vector)));
        let eigen = leading(self.tree.len(), dimension, ROUNDS, ACCURACY, 0, multiply);
        let axes: Vec<(f64, &Vec<f64>)> =
            eigen.values.iter().map(|value| value.max(0.0).sqrt()).zip(&eigen.vectors).collect();
        let at = |node: usize, axis: usize| axes.get(axis).map_or(0.0, |(root, axis)| root * axis[node]);
        (0..self.tree.len()).map(|node| (0..dimension).map(|axis| at(node, axis)).collect()).collect()
    }
}

/// The spectral start of [`crate::spectral`] for a tree with edges of one length: the kernel exp(-d²/2σ²), centred.
pub fn spectral(ball: Ball, tree: &Tree, edge: f64, settings: &SpectralSettings) -> Vec<Vec<f64>> {
    let cell = |edges: usize| (-(edges as f64 * edge / settings.width).powi(2) / 2.0).exp();
    let points = EdgeKernel::new(tree, cell).coordinates(settings.dimension);
    let outermost = points.iter().map(|point| norm(point)).fold(0.0, f64::max);
    let factor = if outermost > 0.0 { settings.radius * ball.radius() / outermost } else { 0.0 };
    points.iter().map(|point| scaled(factor, point)).collect()
}

/// Classical scaling (Gower, 1966) of the roots of a tree's distances, in Euclid's space: the matrix -d/2, centred.
///
/// The roots, because for them the matrix has no negative eigenvalues, a tree's distances being of negative type; the
/// distances themselves have some. A start, whose lengths a descent makes right.
pub fn scaling(tree: &Tree, dimension: usize) -> Vec<Vec<f64>> {
    EdgeKernel::new(tree, |edges| -0.5 * edges as f64).coordinates(dimension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{dot, squared_difference};
    use crate::{Distances, Random, spectral as dense};

    /// A tree of 60 nodes with parents drawn by chance, some of them deep.
    fn tree() -> Tree {
        let mut random = Random::new(8);
        let parents: Vec<usize> = (0..59).map(|node| random.below(node + 1).max(node / 3)).collect();
        Tree::new(&parents).unwrap()
    }

    #[test]
    fn walks_give_what_the_matrix_gives() {
        let tree = tree();
        let cell = |edges: usize| 1.0 / (1.0 + edges as f64);
        let kernel = EdgeKernel::new(&tree, cell);
        let mut random = Random::new(1);
        let vector: Vec<f64> = (0..tree.len()).map(|_| random.normal()).collect();
        for (node, found) in kernel.multiply(&vector).into_iter().enumerate() {
            let row: Vec<f64> = (0..tree.len()).map(|other| cell(tree.edges(node, other))).collect();
            // Sums of 60 numbers near 1, in another order and with branches taken off again.
            assert!((found - dot(&row, &vector)).abs() < 1e-12, "{node}");
        }
    }

    #[test]
    fn the_spectral_start_is_that_of_the_whole_matrix() {
        let tree = tree();
        let settings = SpectralSettings { dimension: 2, width: 3.0, radius: 0.7 };
        let whole = Distances::of(tree.len(), |one, other| tree.edges(one, other) as f64);
        let (found, expected) =
            (spectral(Ball::UNIT, &tree, 1.0, &settings), dense::embedding(Ball::UNIT, &whole, &settings));
        for (found, expected) in found.iter().zip(&expected) {
            // Vectors are as precise as the root of the values' accuracy, 1e-3.
            assert!(squared_difference(found, expected).sqrt() < 3e-3, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn a_star_scales_to_a_simplex() {
        // Leaves are √2 apart from one another and 1 from the middle, in as many dimensions less one as there are
        // leaves.
        let tree = Tree::new(&[0; 5]).unwrap();
        let points = scaling(&tree, 5);
        for one in 1..6 {
            assert!((squared_difference(&points[0], &points[one]) - 1.0).abs() < 1e-9);
            for other in one + 1..6 {
                assert!((squared_difference(&points[one], &points[other]) - 2.0).abs() < 1e-9);
            }
        }
    }
}
