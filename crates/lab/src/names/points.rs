//! Points of features and of classes, distances between them, and the gradients by hand: plain f64, no tensors.
//!
//! Every feature and every class is a point. A word's point is the centroid of its features' points (Eq. 4 of Chen et
//! al., with even weights), and the logit of a class is a bias minus the squared Lorentz distance to its point. Points
//! are trained by their space-like coordinates, from which the time-like one is computed. Euclid's space has mean and
//! squared distance in their place.

use crate::descent::SettingsError;
use tuppum_geometry::Random;

/// Deviation of the first coordinates.
const SPREAD: f64 = 0.1;

/// The numbers of a classifier: points of features, then of classes, then a bias of each class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassPoints {
    hyperbolic: bool,
    dimension: usize,
    features: usize,
    classes: usize,
    pub(super) numbers: Vec<f64>,
}

/// The sum of a word's features: space-like, time-like, and what it is divided by to be the word's point.
type Bag = (Vec<f64>, f64, f64);

impl ClassPoints {
    /// Draws points near the origin.
    ///
    /// # Errors
    /// There are fewer than two dimensions.
    pub fn new(
        hyperbolic: bool,
        dimension: usize,
        [features, classes]: [usize; 2],
        seed: u64,
    ) -> Result<Self, SettingsError> {
        if dimension < 2 {
            return Err(SettingsError::PointDimension(dimension));
        }
        let mut random = Random::new(seed);
        let mut numbers: Vec<f64> = (0..(features + classes) * dimension).map(|_| SPREAD * random.normal()).collect();
        numbers.resize(numbers.len() + classes, 0.0);
        Ok(Self { hyperbolic, dimension, features, classes, numbers })
    }

    /// Space-like coordinates of a point.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the coordinates of all features' points, those of all classes', and the biases.
    pub fn parts(&self) -> [&[f64]; 3] {
        let (features, rest) = self.numbers.split_at(self.features * self.dimension);
        let (classes, biases) = rest.split_at(self.classes * self.dimension);
        [features, classes, biases]
    }

    fn point(&self, number: usize) -> &[f64] {
        &self.numbers[number * self.dimension..][..self.dimension]
    }

    /// Returns the time-like coordinate; none in Euclid's space.
    fn time(&self, point: &[f64]) -> f64 {
        if self.hyperbolic { (1.0 + dot(point, point)).sqrt() } else { 0.0 }
    }

    fn bag(&self, features: impl Iterator<Item = usize>) -> Bag {
        let (mut space, mut time, mut count) = (vec![0.0; self.dimension], 0.0, 0);
        for feature in features {
            let point = self.point(feature);
            space.iter_mut().zip(point).for_each(|(sum, one)| *sum += one);
            time += self.time(point);
            count += 1;
        }
        let size = match (self.hyperbolic, count) {
            (_, 0) => {
                time = self.time(&space);
                1.0
            }
            (true, _) => (time * time - dot(&space, &space)).sqrt(),
            (false, _) => f64::from(count),
        };
        (space, time, size)
    }

    /// Returns the logit of each class for a word with these features.
    pub fn logits(&self, features: impl Iterator<Item = usize>) -> Vec<f64> {
        self.bag_logits(&self.bag(features))
    }

    fn bag_logits(&self, (space, time, size): &Bag) -> Vec<f64> {
        let [_, _, biases] = self.parts();
        let logit = |(class, bias): (usize, &f64)| {
            let point = self.point(self.features + class);
            let product = dot(space, point) / size;
            if self.hyperbolic {
                bias + 2.0 + 2.0 * (product - time * self.time(point) / size)
            } else {
                bias + 2.0 * product - dot(space, space) / (size * size) - dot(point, point)
            }
        };
        biases.iter().enumerate().map(logit).collect()
    }

    /// Adds the gradient of -ln p(class `truth`) for a word with these features, and returns that loss.
    pub fn add_gradient(
        &self,
        features: impl Iterator<Item = usize> + Clone,
        truth: usize,
        gradient: &mut [f64],
    ) -> f64 {
        let bag = self.bag(features.clone());
        let mut slopes = self.bag_logits(&bag);
        let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = slopes.iter().map(|logit| (logit - most).exp()).sum();
        let loss = most + sum.ln() - slopes[truth];
        for (class, slope) in slopes.iter_mut().enumerate() {
            *slope = (*slope - most).exp() / sum - f64::from(u8::from(class == truth));
        }
        let (by_space, by_time) = self.class_gradients(&bag, &slopes, gradient);
        for feature in features {
            let point = self.point(feature);
            let upward = if self.hyperbolic { by_time / self.time(point) } else { 0.0 };
            let own = &mut gradient[feature * self.dimension..][..self.dimension];
            for ((own, by), one) in own.iter_mut().zip(&by_space).zip(point) {
                *own += by + upward * one;
            }
        }
        loss
    }

    /// Adds the gradients of the classes' points and biases; returns the gradients by the coordinates of the features'
    /// sum.
    fn class_gradients(&self, (space, time, size): &Bag, slopes: &[f64], gradient: &mut [f64]) -> (Vec<f64>, f64) {
        let dimension = self.dimension;
        let (mut by_space, mut by_time) = (vec![0.0; dimension], 0.0);
        for (class, slope) in slopes.iter().enumerate() {
            gradient[(self.features + self.classes) * dimension + class] += slope;
            let point = self.point(self.features + class);
            let own = &mut gradient[(self.features + class) * dimension..][..dimension];
            if self.hyperbolic {
                let other = self.time(point);
                // ∂⟨c, y⟩: by y directly and over y₀ = √(1 + |y|²), by the sum m over c = m / √-⟨m, m⟩.
                let along = (dot(space, point) - time * other) / size.powi(3);
                for ((own, y), m) in own.iter_mut().zip(point).zip(space) {
                    *own += 2.0 * slope * (m - time * y / other) / size;
                }
                for ((by, y), m) in by_space.iter_mut().zip(point).zip(space) {
                    *by += 2.0 * slope * (y / size + along * m);
                }
                by_time -= 2.0 * slope * (other / size + along * time);
            } else {
                for ((own, y), m) in own.iter_mut().zip(point).zip(space) {
                    *own += 2.0 * slope * (m / size - y);
                }
                for ((by, y), m) in by_space.iter_mut().zip(point).zip(space) {
                    *by += 2.0 * slope * (y - m / size) / size;
                }
            }
        }
        (by_space, by_time)
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_loss_whatever_the_number_of_classes() {
        for (hyperbolic, classes) in [(true, 3), (false, 3), (true, 11), (false, 11)] {
            let mut points = ClassPoints::new(hyperbolic, 3, [5, classes], 4).unwrap();
            points.numbers.iter_mut().enumerate().for_each(|(at, one)| *one = 8.0 * *one + 0.1 * (at as f64).sin());
            for (features, truth) in [(&[0, 2, 2, 4][..], 2), (&[1], 0), (&[], classes - 1)] {
                let mut gradient = vec![0.0; points.numbers.len()];
                points.add_gradient(features.iter().copied(), truth, &mut gradient);
                for (at, found) in gradient.iter().enumerate() {
                    let loss = |by: f64| {
                        let mut moved = points.clone();
                        moved.numbers[at] += by;
                        moved.add_gradient(features.iter().copied(), truth, &mut vec![0.0; gradient.len()])
                    };
                    // The error of the difference is of the order of the step's square.
                    let slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
                    assert!((found - slope).abs() < 1e-7, "{hyperbolic} {classes} {at}: {found} {slope}");
                }
            }
        }
    }
}
