//! Euclidean space, the baseline for hyperbolic space: the same descent of the same stress, without curvature.

use super::Random;
use super::adam::Moments;
use super::stress::{DistancePair, StressSettings};
use super::tree::Tree;
use super::vector::{combined, squared_difference};

/// Returns the Euclidean distance.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    squared_difference(x, y).sqrt()
}

/// Returns a point for every node of a tree: the root in the middle and each child at distance 1 from its parent, in a
/// direction drawn by the seed. Euclidean counterpart of [`super::points::grown`].
pub fn grown(tree: &Tree, dimension: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed);
    let mut places = vec![vec![0.0; dimension]; tree.len()];
    for node in 1..tree.len() {
        let direction = random.direction(dimension);
        places[node] = combined(1.0, &places[tree.parent(node)], 1.0, &direction);
    }
    places
}

/// Returns the points after the descent from `start`, with the same pairs, steps and Adam as [`super::stress::descend`]
/// in the ball.
pub fn descend(
    start: &[Vec<f64>],
    settings: &StressSettings,
    mut pairs: impl FnMut(usize, &mut Vec<DistancePair>),
) -> Vec<Vec<f64>> {
    let mut descent = Descent::new(start, *settings);
    let mut of_step = Vec::new();
    for step in 0..settings.steps {
        pairs(step, &mut of_step);
        descent.step(&of_step);
    }
    descent.points()
}

/// Descent that runs step by step, the counterpart of [`super::stress::Descent`] in the ball.
pub struct Descent {
    settings: StressSettings,
    dimension: usize,
    /// Coordinates of all points, one point after the other.
    points: Vec<f64>,
    gradient: Vec<f64>,
    moments: Moments<f64>,
    steps: usize,
}

impl Descent {
    /// Starts from these points.
    pub fn new(start: &[Vec<f64>], settings: StressSettings) -> Self {
        let points = start.concat();
        Descent {
            settings,
            dimension: start.first().map_or(0, Vec::len),
            gradient: vec![0.0; points.len()],
            moments: Moments::zeros(points.len()),
            points,
            steps: 0,
        }
    }

    /// Takes one step. Returns the stress of these pairs before the step.
    pub fn step(&mut self, pairs: &[DistancePair]) -> f64 {
        let stress = evaluate(&self.points, self.dimension, self.settings.scale, pairs, &mut self.gradient);
        let Moments { first, second } = &mut self.moments;
        self.settings.adam_at(self.steps).update(&mut self.points, &self.gradient, (first, second));
        self.steps += 1;
        stress
    }

    /// Returns the current points.
    pub fn points(&self) -> Vec<Vec<f64>> {
        self.points.chunks(self.dimension.max(1)).map(<[f64]>::to_vec).collect()
    }
}

/// Returns the stress Σ w (|x - y| - s·d*)² and writes its gradient by the coordinates.
fn evaluate(points: &[f64], dimension: usize, scale: f64, pairs: &[DistancePair], gradient: &mut [f64]) -> f64 {
    gradient.fill(0.0);
    let mut stress = 0.0;
    for pair in pairs {
        let (one, other) = (pair.one * dimension, pair.other * dimension);
        let found = distance(&points[one..one + dimension], &points[other..other + dimension]);
        let miss = found - scale * pair.wanted;
        stress += pair.weight * miss * miss;
        // Two points at the same place have no direction to separate in; another pair will move them.
        let pull = if found > 0.0 { 2.0 * pair.weight * miss / found } else { 0.0 };
        for place in 0..dimension {
            let along = pull * (points[one + place] - points[other + place]);
            gradient[one + place] += along;
            gradient[other + place] -= along;
        }
    }
    stress
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> Vec<DistancePair> {
        let wanted = [(0, 1, 3.0), (1, 2, 4.0), (0, 2, 5.0)];
        wanted.map(|(one, other, wanted)| DistancePair { one, other, wanted, weight: 1.0 / 3.0 }).to_vec()
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut random = Random::new(6);
        let points: Vec<f64> = (0..9).map(|_| random.normal()).collect();
        let (mut gradient, mut spare) = (vec![0.0; 9], vec![0.0; 9]);
        evaluate(&points, 3, 1.5, &pairs(), &mut gradient);
        for place in 0..9 {
            let mut at = |shift: f64| {
                let mut moved = points.clone();
                moved[place] += shift;
                evaluate(&moved, 3, 1.5, &pairs(), &mut spare)
            };
            // Central differences: their error is the square of the step, plus sixteen digits of a stress near 10
            // divided by the step.
            assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - gradient[place]).abs() < 1e-7);
        }
    }

    #[test]
    fn grown_edges_have_their_length() {
        let tree = Tree::new(&[0, 0, 1, 3]).unwrap();
        let places = grown(&tree, 32, 5);
        assert!((1..5).all(|node| (distance(&places[node], &places[tree.parent(node)]) - 1.0).abs() < 1e-12));
        // Two steps at nearly a right angle: √2, not 2.
        assert!((distance(&places[0], &places[3]) - 2f64.sqrt()).abs() < 0.4);
    }

    #[test]
    fn a_right_angled_triangle_finds_its_sides() {
        let mut random = Random::new(2);
        let start: Vec<Vec<f64>> = (0..3).map(|_| random.direction(2)).collect();
        let settings = StressSettings { scale: 1.0, steps: 2_000, rate: 0.03, last_rate: 1e-4 };
        let points = descend(&start, &settings, |_, of_step| *of_step = pairs());
        for pair in pairs() {
            // A last step of 1e-4 leaves an error of about that size.
            assert!((distance(&points[pair.one], &points[pair.other]) - pair.wanted).abs() < 1e-3);
        }
    }
}
