//! Layout of a tree's nodes: Sarkar's construction with a share and a length for every edge.
//!
//! Sarkar, "Low distortion Delaunay embedding of trees in hyperbolic plane" (2011), gives all edges one length. For the
//! 741 signs below the script's root it would be at least 2 ln(2n/π) = 12 (see
//! [`tuppum_geometry::tree::plane::edge_for`]), which puts them all within ten millionths of the radius from the rim.
//! As the paper allows, each edge here is as short as possible:
//!
//! - The children of the root share the full turn, those of any other node the half turn that faces away from its
//!   parent.
//! - A child's share s grows with the number of its leaves, to the power of [`POWER`].
//! - Its edge has the length whose angle of parallelism is s/2, sinh d = cot(s/2). The half-plane that begins at the
//!   edge's end then fits the child's share exactly, and all descendants of the child lie in it: no two branches ever
//!   meet.
//! - A leaf needs no half-plane and comes nearer: by the factors [`LEAF`] and [`NEAR_LEAF`] in turn, so that labels
//!   find room.

use super::complex::{Point, angle, direction, from_centre, radius_at, scaled, to_centre};
use std::f64::consts::{PI, TAU};
use tuppum_geometry::tree::Tree;

/// Exponent of the number of leaves. With 1 a sign with many words would crowd out all others, with 0 all would be
/// equally far.
pub const POWER: f64 = 0.7;
/// Factor for the length of edges to leaves.
pub const LEAF: f64 = 0.85;
/// Factor for the length of the edge to every second leaf.
pub const NEAR_LEAF: f64 = 0.68;
/// Smallest length of an edge. Without it a chain would shrink to a point.
pub const SHORTEST: f64 = 0.9;

/// Returns a point in Poincaré's disk for each node, the root in the middle.
pub fn layout(tree: &Tree) -> Vec<Point> {
    let weights = weights(tree);
    let mut points = vec![Point::default(); tree.len()];
    // Parents come before children, so each parent's point is computed when its children need it.
    for node in 0..tree.len() {
        let children = tree.children(node);
        let sum: f64 = children.iter().map(|child| weights[*child]).sum();
        let (at, turn) = (points[node], if node == 0 { TAU } else { PI });
        let ahead = if node == 0 { -PI / 2.0 } else { angle(to_centre(at, points[tree.parent(node)])) + PI };
        let mut from = if node == 0 { ahead } else { ahead - turn / 2.0 };
        for (place, &child) in children.iter().enumerate() {
            let share = turn * weights[child] / sum;
            let length = edge(share, tree.children(child).is_empty().then_some(place));
            points[child] = from_centre(at, scaled(radius_at(length), direction(from + share / 2.0)));
            from += share;
        }
    }
    points
}

/// Returns the number of leaves below each node to the power of [`POWER`]; a leaf counts itself.
fn weights(tree: &Tree) -> Vec<f64> {
    // Children come after their parents, so going backwards completes each node before its parent needs it.
    let mut leaves = vec![0u32; tree.len()];
    for node in (0..tree.len()).rev() {
        leaves[node] = leaves[node].max(1);
        if node > 0 {
            leaves[tree.parent(node)] += leaves[node];
        }
    }
    leaves.into_iter().map(|count| f64::from(count).powf(POWER)).collect()
}

/// Returns the length of an edge that has this share of the turn; for a leaf, `leaf` is its place among its siblings.
fn edge(share: f64, leaf: Option<usize>) -> f64 {
    // Beyond a quarter turn any length is long enough.
    let full = (1.0 / (share / 2.0).min(1.2).tan()).asinh();
    let length = match leaf {
        None => full,
        Some(place) if place % 2 == 0 => full * LEAF,
        Some(_) => full * NEAR_LEAF,
    };
    length.max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::complex::{cross, distance_from_centre, dot, length};
    use tuppum_geometry::Random;

    fn random_tree(count: usize) -> Tree {
        let mut random = Random::new(7);
        let parents: Vec<usize> = (0..count).map(|node| random.below(node / 2 + 1)).collect();
        Tree::new(&parents).unwrap()
    }

    #[test]
    fn a_star_in_closed_form() {
        let points = layout(&Tree::new(&[0; 8]).unwrap());
        for (place, point) in points.iter().skip(1).enumerate() {
            let share = if place % 2 == 0 { LEAF } else { NEAR_LEAF };
            let full = (1.0 / (TAU / 16.0).tan()).asinh();
            assert!((distance_from_centre(*point) - (full * share).max(SHORTEST)).abs() < 1e-12);
        }
        let quarter = cross(points[1], points[3]) / (length(points[1]) * length(points[3]));
        assert!((quarter - 1.0).abs() < 1e-12, "two of eight are a quarter turn apart");
    }

    #[test]
    fn branches_keep_to_their_half_planes() {
        let tree = random_tree(400);
        let points = layout(&tree);
        for node in 1..tree.len() {
            let back = to_centre(points[node], points[tree.parent(node)]);
            let mut below: Vec<usize> = tree.children(node).to_vec();
            while let Some(child) = below.pop() {
                // The child lies beyond the perpendicular through the edge's end: as seen from the node, not on the
                // parent's side.
                let seen = to_centre(points[node], points[child]);
                assert!(dot(seen, back) <= 1e-6, "{child} leaves the half-plane of {node}");
                below.extend(tree.children(child));
            }
        }
    }

    #[test]
    fn all_lie_inside_the_rim() {
        let points = layout(&random_tree(2_000));
        assert!(points.iter().all(|point| length(*point) < 1.0));
    }
}
