//! Kernels over all pairs of a tree's nodes, and the spectral starts they give, without storing a matrix.
//!
//! A kernel that depends on the number of edges alone is multiplied with a vector by two walks over the tree, in nodes
//! × depth² steps instead of nodes². So the spectral start, and classical scaling in Euclidean space for comparison,
//! are exact for tens of thousands of nodes, with no landmarks and no sampling.

use super::Tree;
use crate::Ball;
use crate::spectral::SpectralSettings;
use crate::subspace::leading;
use crate::vector::{norm, scaled};

/// Rounds and accuracy of the iteration. A start for a descent needs no more.
const ROUNDS: usize = 20;
const ACCURACY: f64 = 1e-6;

/// Symmetric matrix over the nodes of a tree whose cells depend on the number of edges between two nodes.
pub struct EdgeKernel<'a> {
    tree: &'a Tree,
    levels: usize,
    /// Cell for each number of edges, from 0 to twice the depth.
    cells: Vec<f64>,
}

impl<'a> EdgeKernel<'a> {
    /// Builds the matrix whose cell for two nodes is `cell` of the number of edges between them.
    pub fn new(tree: &'a Tree, cell: impl Fn(usize) -> f64) -> Self {
        let deepest = (0..tree.len()).map(|node| tree.depth(node)).max().unwrap_or(0);
        EdgeKernel { tree, levels: deepest + 1, cells: (0..=2 * deepest).map(cell).collect() }
    }

    /// Multiplies the matrix with a vector.
    pub fn multiply(&self, vector: &[f64]) -> Vec<f64> {
        let (tree, levels) = (self.tree, self.levels);
        // For every node, the sums over the nodes 0, 1, 2, … edges below it.
        let mut below = vec![0.0; tree.len() * levels];
        // Children come after their parents, so going backwards completes each node before its parent needs it.
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
                    // Everything below `above` except the branch that the walk comes from.
                    let seen = if level == 0 { 0.0 } else { row(from)[level - 1] };
                    sum += self.cells.get(up + level).copied().unwrap_or(0.0) * (row(above)[level] - seen);
                }
                from = above;
            }
            sum
        };
        (0..tree.len()).map(through).collect()
    }

    /// Returns one row of coordinates per node: the leading eigenvectors of the matrix minus the means of its rows and
    /// columns, each times the root of its value.
    fn coordinates(&self, dimension: usize) -> Vec<Vec<f64>> {
        let centred = |vector: &[f64]| {
            let mean = vector.iter().sum::<f64>() / vector.len().max(1) as f64;
            vector.iter().map(|one| one - mean).collect::<Vec<f64>>()
        };
        // Subtracting the mean before and after the product centres rows and columns of the matrix.
        let multiply = |vector: &[f64]| centred(&self.multiply(&centred(vector)));
        let eigen = leading(self.tree.len(), dimension, ROUNDS, ACCURACY, 0, multiply);
        let axes: Vec<(f64, &Vec<f64>)> =
            eigen.values.iter().map(|value| value.max(0.0).sqrt()).zip(&eigen.vectors).collect();
        let at = |node: usize, axis: usize| axes.get(axis).map_or(0.0, |(root, axis)| root * axis[node]);
        (0..self.tree.len()).map(|node| (0..dimension).map(|axis| at(node, axis)).collect()).collect()
    }
}

/// Returns the start of [`crate::spectral`] for a tree whose edges have one length: the kernel exp(-d²/2σ²), centred.
pub fn spectral(ball: Ball, tree: &Tree, edge: f64, settings: &SpectralSettings) -> Vec<Vec<f64>> {
    let cell = |edges: usize| (-(edges as f64 * edge / settings.width).powi(2) / 2.0).exp();
    let points = EdgeKernel::new(tree, cell).coordinates(settings.dimension);
    let outermost = points.iter().map(|point| norm(point)).fold(0.0, f64::max);
    let factor = if outermost > 0.0 { settings.radius * ball.radius() / outermost } else { 0.0 };
    points.iter().map(|point| scaled(factor, point)).collect()
}

/// Returns the classical scaling (Gower, 1966) of the square roots of a tree's distances, in Euclidean space: the
/// matrix -d/2, centred.
///
/// The roots, because a tree's distances are of negative type and so their matrix has no negative eigenvalues; that of
/// the distances themselves has some. This is a start, whose lengths a descent corrects.
pub fn scaling(tree: &Tree, dimension: usize) -> Vec<Vec<f64>> {
    EdgeKernel::new(tree, |edges| -0.5 * edges as f64).coordinates(dimension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{dot, squared_difference};
    use crate::{Distances, Random, spectral as dense};

    /// Returns a tree of 60 nodes with random parents, some of them deep.
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
            // Sums of 60 numbers near 1, in another order and with branches subtracted again.
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
            // The error of vectors is the root of the accuracy of values, 1e-3.
            assert!(squared_difference(found, expected).sqrt() < 3e-3, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn a_star_scales_to_a_simplex() {
        // Leaves are √2 from one another and 1 from the middle, in one dimension fewer than there are leaves.
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
