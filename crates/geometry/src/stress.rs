//! Gradient descent of points towards given distances. The stress is Σ w (d(x, y) - s·d*)².
//!
//! `fit` of the reference program: each point is the image of a vector under the exponential map at the centre, so that
//! it can never leave the ball, and [Adam](super::adam) moves the vectors. The gradient is written out by hand and
//! tested against finite differences.

use super::Ball;
use super::adam::{AdamStep, Moments};
use super::vector::dot;

/// Lower bound that keeps the distance's derivative finite where two points coincide; the same in the reference program
/// and in the model.
const FLOOR: f64 = 1e-9;

/// Share of the radius below which the maps of the tangent space are replaced by their limits.
const TINY: f64 = 1e-4;

/// Settings of the descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressSettings {
    /// Distance in the ball for a wanted distance of 1.
    pub scale: f64,
    /// Number of steps of Adam.
    pub steps: usize,
    /// Step size at the start, as a length in the tangent space.
    pub rate: f64,
    /// Step size at the end; in between, the logarithm of the step size falls linearly. Pairs drawn at random need a
    /// small last step.
    pub last_rate: f64,
}

impl Default for StressSettings {
    /// Returns the settings of the byte points: scale 1.5, 3,000 steps of 0.01.
    fn default() -> Self {
        StressSettings { scale: 1.5, steps: 3_000, rate: 0.01, last_rate: 0.01 }
    }
}

impl StressSettings {
    /// Returns the size of a step, numbered from 0.
    pub fn rate_at(&self, step: usize) -> f64 {
        let fall = (self.last_rate / self.rate).ln() / self.steps.max(2).saturating_sub(1) as f64;
        self.rate * (fall * step as f64).exp()
    }

    /// Returns Adam at a step, numbered from 0.
    pub(super) fn adam_at(&self, step: usize) -> AdamStep<f64> {
        AdamStep::new(self.rate_at(step), u32::try_from(step + 1).unwrap_or(u32::MAX))
    }
}

/// Two different points and the wanted distance between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistancePair {
    /// Number of the first point.
    pub one: usize,
    /// Number of the second point.
    pub other: usize,
    /// Wanted distance, before the scale is applied.
    pub wanted: f64,
    /// Weight of the squared error; as a rule the weights of all pairs of a step sum to 1.
    pub weight: f64,
}

/// Returns the points after the descent from `start`. Before every step `pairs` is called with the step's number, from
/// 0, and the pairs of the step before (none at first), which it may keep, change or replace. Points that are in no
/// pair do not move.
pub fn descend(
    ball: Ball,
    start: &[Vec<f64>],
    settings: &StressSettings,
    mut pairs: impl FnMut(usize, &mut Vec<DistancePair>),
) -> Vec<Vec<f64>> {
    let mut descent = Descent::new(ball, start, *settings);
    let mut of_step = Vec::new();
    for step in 0..settings.steps {
        pairs(step, &mut of_step);
        descent.step(&of_step);
    }
    descent.points()
}

/// Descent that runs step by step, for a caller that shows its progress.
pub struct Descent {
    settings: StressSettings,
    stress: Stress,
    /// Tangent vectors at the centre, one after the other.
    vectors: Vec<f64>,
    moments: Moments<f64>,
    steps: usize,
}

impl Descent {
    /// Starts from these points of the ball.
    pub fn new(ball: Ball, start: &[Vec<f64>], settings: StressSettings) -> Self {
        let dimension = start.first().map_or(0, Vec::len);
        let vectors: Vec<f64> = start.iter().flat_map(|point| ball.log_origin(point)).collect();
        Descent {
            stress: Stress::new(ball, settings.scale, start.len(), dimension),
            moments: Moments::zeros(vectors.len()),
            settings,
            vectors,
            steps: 0,
        }
    }

    /// Takes one step. Returns the stress of these pairs before the step.
    pub fn step(&mut self, pairs: &[DistancePair]) -> f64 {
        let stress = self.stress.evaluate(&self.vectors, pairs);
        let Moments { first, second } = &mut self.moments;
        self.settings.adam_at(self.steps).update(&mut self.vectors, &self.stress.gradient, (first, second));
        self.steps += 1;
        stress
    }

    /// Returns the current points.
    pub fn points(&self) -> Vec<Vec<f64>> {
        let ball = self.stress.ball;
        self.vectors.chunks(self.stress.dimension.max(1)).map(|vector| ball.exp_origin(vector)).collect()
    }
}

/// Stress and its gradient, with the buffers to compute both.
pub struct Stress {
    ball: Ball,
    scale: f64,
    dimension: usize,
    /// Points of the ball, one after the other.
    points: Vec<f64>,
    /// Value of 1 - c|x|² for each point.
    gaps: Vec<f64>,
    /// Derivatives by the points' coordinates, then by those of the tangent vectors.
    by_point: Vec<f64>,
    /// Gradient by the coordinates of the tangent vectors, from the last evaluation.
    pub gradient: Vec<f64>,
}

impl Stress {
    /// Allocates buffers for `count` points of this dimension.
    pub fn new(ball: Ball, scale: f64, count: usize, dimension: usize) -> Self {
        let all = vec![0.0; count * dimension];
        Stress {
            ball,
            scale,
            dimension,
            points: all.clone(),
            gaps: vec![0.0; count],
            by_point: all.clone(),
            gradient: all,
        }
    }

    /// Returns the stress of tangent vectors at the centre, `[count × dimension]`, and stores its gradient.
    pub fn evaluate(&mut self, vectors: &[f64], pairs: &[DistancePair]) -> f64 {
        let (c, root) = (self.ball.curvature(), self.ball.curvature().sqrt());
        let width = self.dimension.max(1);
        for ((vector, point), gap) in vectors.chunks(width).zip(self.points.chunks_mut(width)).zip(&mut self.gaps) {
            let radius = root * dot(vector, vector).sqrt();
            let shrink = if radius < TINY { 1.0 } else { radius.tanh() / radius };
            point.iter_mut().zip(vector).for_each(|(x, v)| *x = shrink * v);
            // 1 - tanh² without the loss of digits under the rim.
            *gap = radius.cosh().powi(-2).max(f64::MIN_POSITIVE);
        }
        self.by_point.fill(0.0);
        let stress = pairs.iter().map(|pair| self.add(c, root, pair)).sum();
        self.pull_back(vectors, root);
        stress
    }

    /// Returns one pair's share of the stress and adds its derivatives by the coordinates of both points.
    fn add(&mut self, c: f64, root: f64, pair: &DistancePair) -> f64 {
        let width = self.dimension;
        let (one, other) = (pair.one * width, pair.other * width);
        let (x, y) = (&self.points[one..one + width], &self.points[other..other + width]);
        let (a, b) = (self.gaps[pair.one], self.gaps[pair.other]);
        let squared: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum();
        let u = 2.0 * c * squared / (a * b);
        let under = (u * (u + 2.0) + FLOOR).sqrt();
        // arcosh(1 + u) as in `Ball::distance`, with the floor under the root.
        let miss = (u + under).ln_1p() / root - self.scale * pair.wanted;
        let by_u = (1.0 + (u + 1.0) / under) / (1.0 + u + under) / root;
        // ∂u/∂x = 4c / (ab) · ((x - y) + c|x - y|² / a · x), and for y likewise.
        let outer = 2.0 * pair.weight * miss * by_u * 4.0 * c / (a * b);
        let (pull_one, pull_other) = (c * squared / a, c * squared / b);
        for place in 0..width {
            let (x, y) = (self.points[one + place], self.points[other + place]);
            self.by_point[one + place] += outer * (x - y + pull_one * x);
            self.by_point[other + place] += outer * (y - x + pull_other * y);
        }
        pair.weight * miss * miss
    }

    /// Converts derivatives by points to derivatives by tangent vectors: x = f(r)·v with f = tanh(√c·r) / (√c·r), so g
    /// → f·g + f′/r · (v·g)·v.
    fn pull_back(&mut self, vectors: &[f64], root: f64) {
        let width = self.dimension.max(1);
        let rows = vectors.chunks(width).zip(self.by_point.chunks(width)).zip(self.gradient.chunks_mut(width));
        for (((vector, by_point), gradient), gap) in rows.zip(&self.gaps) {
            let length = dot(vector, vector).sqrt();
            let radius = root * length;
            let (shrink, bend) = if radius < TINY {
                // tanh(t) / t = 1 - t²/3 + …
                (1.0, -2.0 / 3.0 * root * root)
            } else {
                let shrink = radius.tanh() / radius;
                (shrink, (gap - shrink) / (length * length))
            };
            let along = bend * dot(vector, by_point);
            for ((slot, g), v) in gradient.iter_mut().zip(by_point).zip(vector) {
                *slot = shrink * g + along * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distortion::Distortion;
    use crate::{Distances, Random};

    /// Returns random tangent vectors of three dimensions, one of them zero, and all their pairs.
    fn trial(count: usize, spread: f64) -> (Vec<f64>, Vec<DistancePair>) {
        let mut random = Random::new(11);
        let mut vectors: Vec<f64> = (0..3 * count).map(|_| spread * random.normal()).collect();
        vectors[..3].fill(0.0);
        let mut pairs = Vec::new();
        for one in 0..count {
            for other in one + 1..count {
                pairs.push(DistancePair { one, other, wanted: random.uniform(), weight: random.uniform() });
            }
        }
        (vectors, pairs)
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        for curvature in [0.3, 1.0, 2.0] {
            for spread in [1e-5, 0.3, 1.5] {
                let (vectors, pairs) = trial(6, spread);
                let mut stress = Stress::new(Ball::new(curvature).unwrap(), 1.5, 6, 3);
                stress.evaluate(&vectors, &pairs);
                let gradient = stress.gradient.clone();
                let largest = gradient.iter().fold(0.0, |most: f64, one| most.max(one.abs()));
                // Close to each other the distance bends within the root of its floor; steps must be well below that.
                let step = 1e-3 * spread.min(1e-2);
                for place in 0..vectors.len() {
                    let mut at = |shift: f64| {
                        let mut moved = vectors.clone();
                        moved[place] += shift;
                        stress.evaluate(&moved, &pairs)
                    };
                    let slope = (at(step) - at(-step)) / (2.0 * step);
                    // Central differences: their error is the square of the step, plus sixteen digits of a stress near
                    // 10 divided by the step.
                    let slack = 1e-4 * largest + 1e-14 / step;
                    assert!((slope - gradient[place]).abs() < slack, "{slope} {} at {place}", gradient[place]);
                }
            }
        }
    }

    #[test]
    fn a_triangle_finds_its_sides() {
        let wanted = Distances::of(3, |one, other| (one + other + 1) as f64 / 2.0);
        let mut random = Random::new(4);
        let start: Vec<Vec<f64>> = (0..3).map(|_| random.direction(2).iter().map(|x| 0.3 * x).collect()).collect();
        let settings = StressSettings { steps: 1_500, last_rate: 1e-4, ..StressSettings::default() };
        for curvature in [0.5, 1.0] {
            let ball = Ball::new(curvature).unwrap();
            let points = descend(ball, &start, &settings, |step, pairs| {
                if step == 0 {
                    let pair = |(one, other, wanted)| DistancePair { one, other, wanted, weight: 1.0 };
                    pairs.extend(wanted.pairs().map(pair));
                }
            });
            let found =
                wanted.pairs().map(|(one, other, wanted)| (wanted, ball.distance(&points[one], &points[other])));
            // A last step of 1e-4 leaves an error of about that size.
            assert!(Distortion::of(settings.scale, found).average < 1e-3);
        }
    }

    #[test]
    fn nothing_to_do() {
        let start = vec![vec![0.1, 0.2], vec![0.0, 0.0]];
        let same = descend(Ball::UNIT, &start, &StressSettings { steps: 3, ..StressSettings::default() }, |_, _| ());
        for (one, other) in start.concat().iter().zip(same.concat()) {
            assert!((one - other).abs() < 1e-15);
        }
        assert!(descend(Ball::UNIT, &[], &StressSettings::default(), |_, _| ()).is_empty());
    }
}
