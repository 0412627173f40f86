//! Sarkar's construction in the hyperbolic plane of curvature -1, in polar coordinates around the root.
//!
//! In the coordinates of the disk, points farther out than 36 fall on the rim in f64. Polar coordinates have no such
//! limit for the distance from the root, but angles have one: the angles of siblings at distance r from the root differ
//! by about e^-r, so a distance d between them is precise to e^(r - d/2) · 1e-16. Trees of depth · edge up to about 25
//! keep nine digits and more.

use super::Tree;

/// A point of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Polar {
    /// Distance from the root, in units of the curvature radius.
    pub distance: f64,
    /// Direction in radians.
    pub angle: f64,
}

impl Polar {
    /// Returns the geodesic distance: sinh²(d/2) = sinh²((r - s)/2) + sinh r · sinh s · sin²(φ/2), φ being the angle
    /// between the points.
    ///
    /// This is the law of cosines without its loss of digits. Finite up to distances of about 350 from the root.
    pub fn to(self, other: Polar) -> f64 {
        third_side(self.distance, other.distance, self.angle - other.angle)
    }

    /// Returns the point in Poincaré's disk of curvature -1; beyond 36 from the root it is on the rim.
    pub fn in_disk(self) -> [f64; 2] {
        let radius = (self.distance / 2.0).tanh();
        [radius * self.angle.cos(), radius * self.angle.sin()]
    }

    /// Returns the point at `length` from this one, in the direction that makes `turn` radians with the direction back
    /// to the root.
    pub fn step(self, length: f64, turn: f64) -> Polar {
        // Coordinates as seen from the root: along the ray through this point, and across it.
        let half = (turn / 2.0).sin();
        let along = (self.distance - length).sinh() + 2.0 * self.distance.cosh() * length.sinh() * half * half;
        let across = -length.sinh() * turn.sin();
        Polar { distance: third_side(self.distance, length, turn), angle: self.angle + across.atan2(along) }
    }
}

/// Returns the side opposite `angle` in a triangle whose other sides are `one` and `other`.
fn third_side(one: f64, other: f64, angle: f64) -> f64 {
    let difference = ((one - other) / 2.0).sinh();
    let half = (angle / 2.0).sin();
    2.0 * (difference * difference + one.sinh() * other.sinh() * half * half).sqrt().asinh()
}

/// Returns a point for every node: the root in the middle, each child at `edge` from its parent, the directions to
/// children and parent spread evenly around every node.
pub fn sarkar(tree: &Tree, edge: f64) -> Vec<Polar> {
    let mut points = vec![Polar::default(); tree.len()];
    // Parents come before children, so each parent's point is computed when its children need it.
    for node in 0..tree.len() {
        let (at, children) = (points[node], tree.children(node));
        let ways = children.len() + usize::from(node > 0);
        for (number, &child) in children.iter().enumerate() {
            let share = std::f64::consts::TAU / ways as f64;
            points[child] = if node == 0 {
                Polar { distance: edge, angle: share * number as f64 }
            } else {
                at.step(edge, share * (number + 1) as f64)
            };
        }
    }
    points
}

/// Returns an edge length for which [`sarkar`] keeps the ratios of distances to path lengths within a factor of 1 +
/// `accuracy` of one another: 2 ln(2n/π) · (1 + accuracy) / accuracy, n being the largest degree of a node (Sala et
/// al., "Representation tradeoffs for hyperbolic embeddings", 2018, section 3.1). A chain keeps them at any length; its
/// edge length is at least 1.
pub fn edge_for(tree: &Tree, accuracy: f64) -> f64 {
    let ways = |node: usize| tree.children(node).len() + usize::from(node > 0);
    let most = (0..tree.len()).map(ways).max().unwrap_or(0);
    let loss = 2.0 * (2.0 * most as f64 / std::f64::consts::PI).max(1.0).ln();
    (loss * (1.0 + accuracy) / accuracy).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ball;
    use crate::distortion::Distortion;
    use std::f64::consts::{PI, TAU};

    fn distortion(tree: &Tree, edge: f64) -> Distortion {
        let points = sarkar(tree, edge);
        let pairs = (0..tree.len()).flat_map(|one| (one + 1..tree.len()).map(move |other| (one, other)));
        Distortion::of(edge, pairs.map(|(one, other)| (tree.edges(one, other) as f64, points[one].to(points[other]))))
    }

    /// Returns a tree in which every node has this many children, down to this depth.
    fn regular(children: usize, depth: u32) -> Tree {
        let inner: usize = (0..depth).map(|level| children.pow(level)).sum();
        let parents: Vec<usize> = (0..inner).flat_map(|node| vec![node; children]).collect();
        Tree::new(&parents).unwrap()
    }

    #[test]
    fn a_star_in_closed_form() {
        for (leaves, edge) in [(3usize, 0.5), (5, 1.0), (12, 4.0)] {
            let points = sarkar(&Tree::new(&vec![0; leaves]).unwrap(), edge);
            for (one, two) in [(1, 2), (1, leaves / 2 + 1)] {
                let angle = TAU * (two - one) as f64 / leaves as f64;
                let expected = (edge.cosh().powi(2) - edge.sinh().powi(2) * angle.cos()).acosh();
                assert!((points[one].to(points[two]) - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_chain_is_a_geodesic() {
        let tree = Tree::new(&[0, 1, 2, 3, 4, 5, 6]).unwrap();
        for edge in [0.1, 1.0, 5.0] {
            let found = distortion(&tree, edge);
            // 35 out along one ray: lengths add up to the last digits.
            assert!(found.worst - 1.0 < 1e-12 && found.average < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn edges_have_their_length() {
        let tree = regular(3, 4);
        let points = sarkar(&tree, 4.0);
        for node in 1..tree.len() {
            // At distance 16 an angle of 1e-16 is 1e-9 across; the longer the edge, the less this matters.
            assert!((points[node].to(points[tree.parent(node)]) - 4.0).abs() < 1e-9);
        }
    }

    #[test]
    fn polar_and_disk_agree() {
        let points = sarkar(&regular(2, 4), 1.3);
        for one in &points {
            for other in &points {
                let in_disk = Ball::UNIT.distance(&one.in_disk(), &other.in_disk());
                assert!((one.to(*other) - in_disk).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn steps_turn_from_the_way_back() {
        let start = Polar { distance: 2.0, angle: 0.3 };
        assert!((start.step(0.7, 0.0).distance - 1.3).abs() < 1e-12);
        assert!((start.step(0.7, PI).distance - 2.7).abs() < 1e-12);
        assert!((start.step(2.7, 0.0).to(Polar { distance: 0.7, angle: 0.3 + PI })).abs() < 1e-7, "past the root");
        let (left, right) = (start.step(1.0, 0.4), start.step(1.0, -0.4));
        assert!((left.distance - right.distance).abs() < 1e-12);
        assert!(((left.angle - 0.3) + (right.angle - 0.3)).abs() < 1e-12 && left.angle < 0.3);
    }

    #[test]
    fn long_edges_keep_distances_as_close_as_asked() {
        let tree = regular(3, 3);
        let mut before = f64::INFINITY;
        for accuracy in [1.0, 0.5, 0.3] {
            let edge = edge_for(&tree, accuracy);
            let found = distortion(&tree, edge);
            assert!(found.worst <= 1.0 + accuracy, "{found:?} with edges of {edge}");
            assert!(found.worst < before);
            before = found.worst;
        }
    }
}
