//! Points for a tree in a ball of any dimension: Sarkar's construction with random directions.
//!
//! In many dimensions random directions are nearly at right angles, so children need no even spread. They are drawn at
//! a right angle or more from the way back to the parent. This is a start for [`crate::stress`], good by itself for
//! long edges.

use super::Tree;
use crate::vector::{combined, dot, scaled, unit};
use crate::{Ball, Hyperboloid, Random};

/// Returns a point of the ball for every node, the root at the centre and each child at `edge` from its parent. The
/// seed draws the directions.
///
/// The places are computed on the hyperboloid, where a step from a node is a boosted step from the origin.
pub fn grown(ball: Ball, tree: &Tree, dimension: usize, edge: f64, seed: u64) -> Vec<Vec<f64>> {
    let Some(hyperboloid) = Hyperboloid::new(ball.curvature()) else { return Vec::new() };
    let mut random = Random::new(seed);
    let mut places = vec![hyperboloid.origin(dimension); tree.len()];
    for node in 1..tree.len() {
        let parent = tree.parent(node);
        let mut direction = random.direction(dimension);
        if parent > 0 {
            // Direction of the grandparent as seen from the parent: the child goes away from it.
            let seen = hyperboloid.boost_back(&places[parent], &places[tree.parent(parent)]);
            let back = unit(seen.get(1..).unwrap_or(&[]));
            let along = dot(&direction, &back);
            if along > 0.0 {
                direction = combined(1.0, &direction, -2.0 * along, &back);
            }
        }
        let step = [&[0.0], scaled(edge, &direction).as_slice()].concat();
        let step = hyperboloid.exp(&hyperboloid.origin(dimension), &step);
        places[node] = hyperboloid.lifted(hyperboloid.boost(&places[parent], &step).get(1..).unwrap_or(&[]));
    }
    places.iter().map(|place| ball.drawn_in(hyperboloid.to_ball(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distortion::Distortion;

    #[test]
    fn edges_have_their_length_and_long_ones_keep_distances() {
        let parents: Vec<usize> = [vec![0; 20], (1..=20).flat_map(|sign| vec![sign; 4]).collect()].concat();
        let tree = Tree::new(&parents).unwrap();
        let mut before = f64::INFINITY;
        for edge in [0.5, 2.0, 6.0] {
            for curvature in [0.5, 1.0] {
                let ball = Ball::new(curvature).unwrap();
                let points = grown(ball, &tree, 16, edge * ball.radius(), 9);
                for node in 1..tree.len() {
                    let found = ball.distance(&points[node], &points[tree.parent(node)]) / ball.radius();
                    // At twice the edge from the centre 1 - |x|² is e⁻¹² and has ten digits left.
                    assert!((found - edge).abs() < 1e-7, "{found} {edge}");
                }
                let pairs = (0..tree.len()).flat_map(|one| (one + 1..tree.len()).map(move |other| (one, other)));
                let found = Distortion::of(
                    edge * ball.radius(),
                    pairs.map(|(one, other)| {
                        (tree.edges(one, other) as f64, ball.distance(&points[one], &points[other]))
                    }),
                );
                if curvature == 1.0 {
                    assert!(found.average < before, "{found:?} with edges of {edge}");
                    before = found.average;
                }
            }
        }
        // Two paths that part at a right angle lose ln(2): on average at most an eighth of two edges of 6.
        assert!(before < 0.12, "{before}");
        assert_eq!(grown(Ball::UNIT, &tree, 4, 1.0, 3), grown(Ball::UNIT, &tree, 4, 1.0, 3));
    }
}
