//! Points for given distances, from the initial guess to the last step of the descent: over all pairs for a few hundred
//! items, over sampled pairs for trees of thousands of nodes.

use super::stress::{DistancePair, descend};
use super::tree::Tree;
use super::vector::{combined, dot, scaled, unit};
use super::{Ball, Distances, Hyperboloid, Random, spectral, stress};

/// Share of the stress that all pairs within a branch have together. The other pairs, which are far more numerous, have
/// the rest.
const NEAR: f64 = 0.5;

/// Points before and after the descent.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Points of the first construction.
    pub start: Vec<Vec<f64>>,
    /// Points after the descent.
    pub points: Vec<Vec<f64>>,
}

/// Computes points for a table of distances: the spectral start, then the descent over all pairs.
pub fn for_distances(
    ball: Ball,
    distances: &Distances,
    spectral: &spectral::SpectralSettings,
    stress: &stress::StressSettings,
) -> Made {
    let start = spectral::embedding(ball, distances, spectral);
    let weight = 1.0 / distances.pairs().count().max(1) as f64;
    let points = descend(ball, &start, stress, |step, pairs| {
        if step == 0 {
            pairs.extend(distances.pairs().map(|(one, other, wanted)| DistancePair { one, other, wanted, weight }));
        }
    });
    Made { start, points }
}

/// Settings for the points of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeSettings {
    /// Number of coordinates of a point.
    pub dimension: usize,
    /// Wanted length of an edge, before the scale is applied.
    pub edge: f64,
    /// Settings of the descent.
    pub stress: stress::StressSettings,
    /// Number of pairs drawn for every step.
    pub drawn: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Computes points for the nodes of a tree whose edges all have one length. The points are grown from the root, then
/// descended over the pairs within each of the root's branches, the pairs with the root, and pairs drawn at random.
///
/// The pairs within a branch are few and would be lost among all others, so they have half of the stress.
pub fn for_tree(ball: Ball, tree: &Tree, settings: &TreeSettings) -> Made {
    for_near_tree(ball, tree, |one, other| tree.edges(one, other) as f64 * settings.edge, [], settings)
}

/// Computes points for distances that are nearly those of a tree, as [`for_tree`] does. `wanted` gives the distances
/// before the scale. The `nearer` pairs, which are closer than the tree would have them, take part in every step.
pub fn for_near_tree(
    ball: Ball,
    tree: &Tree,
    wanted: impl Fn(usize, usize) -> f64,
    nearer: impl IntoIterator<Item = (usize, usize)>,
    settings: &TreeSettings,
) -> Made {
    let start = grown(ball, tree, settings.dimension, settings.edge * settings.stress.scale, settings.seed);
    let mut near = near_pairs(tree);
    near.extend(nearer.into_iter().map(|(one, other)| DistancePair { one, other, wanted: 0.0, weight: 0.0 }));
    let share = NEAR / near.len().max(1) as f64;
    for pair in &mut near {
        *pair = DistancePair { wanted: wanted(pair.one, pair.other), weight: share, ..*pair };
    }
    // A different seed from the one that the start was drawn with.
    let mut random = Random::new(settings.seed ^ u64::MAX);
    let weight = (1.0 - NEAR) / settings.drawn.max(1) as f64;
    let points = descend(ball, &start, &settings.stress, |step, pairs| {
        // The near pairs stay at the front of the list; only the drawn ones after them change from step to step.
        if step == 0 {
            pairs.extend(&near);
        }
        pairs.truncate(near.len());
        for _ in 0..settings.drawn {
            let (one, other) = (random.below(tree.len()), random.below(tree.len()));
            if one != other {
                pairs.push(DistancePair { one, other, wanted: wanted(one, other), weight });
            }
        }
    });
    Made { start, points }
}

/// Returns the pairs within each of the root's branches and the pairs of the root with all nodes, with their distances
/// still unset.
fn near_pairs(tree: &Tree) -> Vec<DistancePair> {
    let mut branches: Vec<Vec<usize>> = vec![Vec::new(); tree.len()];
    let mut branch_of: Vec<usize> = (0..tree.len()).collect();
    let mut pairs = Vec::new();
    for node in 1..tree.len() {
        let pair = |other: usize| DistancePair { one: other, other: node, wanted: 0.0, weight: 0.0 };
        pairs.push(pair(0));
        let branch = if tree.parent(node) == 0 { node } else { branch_of[tree.parent(node)] };
        branch_of[node] = branch;
        pairs.extend(branches[branch].iter().map(|other| pair(*other)));
        branches[branch].push(node);
    }
    pairs
}

/// Returns a point of the ball for every node, the root at the centre and each child at `edge` from its parent. The
/// seed draws the directions.
///
/// This is Sarkar's construction in any dimension. In many dimensions random directions are nearly at right angles, so
/// children need no even spread: they are drawn at a right angle or more from the way back to the parent. The result is
/// a start for [`crate::stress`], good by itself for long edges.
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
                // Reflects the direction to the other side; its distribution on that side stays uniform.
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
    fn the_descent_betters_the_start() {
        // Two groups of three: 1 within, 2 between.
        let distances = Distances::of(6, |one, other| if one / 3 == other / 3 { 1.0 } else { 2.0 });
        let short = stress::StressSettings { steps: 600, ..stress::StressSettings::default() };
        let spectral = spectral::SpectralSettings { dimension: 5, ..spectral::SpectralSettings::default() };
        let made = for_distances(Ball::UNIT, &distances, &spectral, &short);
        let stress = |points: &[Vec<f64>]| {
            let found = |one: usize, other: usize| Ball::UNIT.distance(&points[one], &points[other]);
            Distortion::of(short.scale, distances.pairs().map(|(one, other, wanted)| (wanted, found(one, other))))
                .stress
        };
        // Six points in five dimensions can have any such distances; steps of 0.01 end close to them.
        assert!(stress(&made.points) < 1e-3 && stress(&made.start) > 0.1, "{}", stress(&made.points));
    }

    #[test]
    fn a_tree_gets_the_same_points_every_time_and_better_ones_than_it_starts_with() {
        let parents: Vec<usize> = [vec![0; 12], (1..=12).flat_map(|sign| vec![sign; 4]).collect()].concat();
        let tree = Tree::new(&parents).unwrap();
        let stress = stress::StressSettings { scale: 2.0, steps: 400, rate: 0.02, last_rate: 0.001 };
        let settings = TreeSettings { dimension: 8, edge: 0.5, stress, drawn: 500, seed: 1 };
        let made = for_tree(Ball::UNIT, &tree, &settings);
        assert_eq!(made, for_tree(Ball::UNIT, &tree, &settings));
        let figures = |points: &[Vec<f64>]| {
            let pairs = (0..tree.len()).flat_map(|one| (one + 1..tree.len()).map(move |other| (one, other)));
            let both =
                |(one, other)| (tree.edges(one, other) as f64 / 2.0, Ball::UNIT.distance(&points[one], &points[other]));
            Distortion::of(2.0, pairs.map(both))
        };
        let (before, after) = (figures(&made.start), figures(&made.points));
        assert!(after.stress < before.stress / 4.0 && after.correlation > 0.95, "{before:?}\n{after:?}");
        assert_eq!(near_pairs(&tree).len(), 60 + 12 * 10, "each node with the root, five nodes a branch");
    }

    #[test]
    fn pairs_that_are_nearer_than_in_the_tree_are_drawn_together() {
        let parents: Vec<usize> = [vec![0; 6], (1..=6).flat_map(|sign| vec![sign; 2]).collect()].concat();
        let tree = Tree::new(&parents).unwrap();
        let stress = stress::StressSettings { scale: 2.0, steps: 400, rate: 0.02, last_rate: 0.001 };
        let settings = TreeSettings { dimension: 8, edge: 0.5, stress, drawn: 100, seed: 1 };
        // Two leaves of different branches.
        let is_bound = |one: usize, other: usize| (one.min(other), one.max(other)) == (7, 10);
        let wanted = |one, other| if is_bound(one, other) { 0.5 } else { tree.edges(one, other) as f64 / 2.0 };
        let bound = for_near_tree(Ball::UNIT, &tree, wanted, [(7, 10)], &settings).points;
        let free = for_tree(Ball::UNIT, &tree, &settings).points;
        let apart = |points: &[Vec<f64>]| Ball::UNIT.distance(&points[7], &points[10]);
        // 1 and 4 are wanted; the other leaves of both branches pull the two apart again.
        assert!(apart(&bound) < 2.0 && apart(&free) > 3.5, "{} {}", apart(&bound), apart(&free));
    }

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
