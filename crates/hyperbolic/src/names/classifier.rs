//! The distance classifier over bags of features, with its gradients by hand: plain f64, no tensors.
//!
//! Every feature and every kind is a point. A name's point is the centroid of its features' (Eq. 4 of Chen et al., with
//! even weights), and the logit of a kind is a bias minus the squared Lorentz distance to its point. Points are trained
//! by their space-like coordinates, over which the time-like one is computed. In Euclid's space the same with mean and
//! squared distance.

use super::{NameKind, NameSpelling};
use crate::descent::Descent;
use crate::error::SettingsError;
use tuppum_geometry::Random;

/// Deviation of the first coordinates.
const SPREAD: f64 = 0.1;

/// What a classifier is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameClassifierSettings {
    /// Whether points lie on the hyperboloid of curvature -1, or in Euclid's space.
    pub hyperbolic: bool,
    /// Space-like coordinates of a point.
    pub dimension: usize,
    /// Learning rate.
    pub rate: f64,
    /// Passes over the names.
    pub epochs: u32,
    /// Names in a batch.
    pub batch: usize,
    /// Share by which coordinates shrink in a step, over the learning rate.
    pub decay: f64,
    /// Seed of the first numbers and of the orders.
    pub seed: u64,
}

impl NameClassifierSettings {
    fn descent(&self) -> Descent {
        let Self { rate, epochs, batch, decay, seed, .. } = *self;
        Descent { rate, falls: false, decay, epochs, batch, seed }
    }
}

/// The classifier's numbers: points of features, then of kinds, then a bias of each kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    settings: NameClassifierSettings,
    features: usize,
    numbers: Vec<f64>,
}

impl Classifier {
    /// A classifier that knows nothing.
    ///
    /// # Errors
    /// A dimension, batch or learning rate that cannot be.
    pub fn new(settings: NameClassifierSettings, features: usize) -> Result<Self, SettingsError> {
        if settings.dimension < 2 {
            return Err(SettingsError::PointDimension(settings.dimension));
        }
        settings.descent().check()?;
        let (mut random, kinds) = (Random::new(settings.seed), NameKind::ALL.len());
        let mut numbers: Vec<f64> =
            (0..(features + kinds) * settings.dimension).map(|_| SPREAD * random.normal()).collect();
        numbers.extend([0.0; NameKind::ALL.len()]);
        Ok(Self { settings, features, numbers })
    }

    /// Learns from names.
    pub fn train(&mut self, names: &[NameSpelling]) {
        let add = |own: &Self, name: usize, gradient: &mut [f64]| {
            own.add_gradient(&names[name], gradient);
        };
        self.settings.descent().run(self, names.len(), |own| &mut own.numbers, add);
    }

    /// The likeliest kind of a name.
    pub fn kind(&self, name: &NameSpelling) -> NameKind {
        let logits = self.logits(&self.bag(name));
        let best = (0..NameKind::ALL.len()).max_by(|one, other| logits[*one].total_cmp(&logits[*other]));
        NameKind::ALL[best.unwrap_or(0)]
    }

    fn point(&self, number: usize) -> &[f64] {
        let size = self.settings.dimension;
        &self.numbers[number * size..][..size]
    }

    /// The time-like coordinate; none in Euclid's space.
    fn time(&self, point: &[f64]) -> f64 {
        if self.settings.hyperbolic { (1.0 + dot(point, point)).sqrt() } else { 0.0 }
    }

    /// Σ of the features' points: space-like, time-like, and what it is divided by to be the name's point.
    fn bag(&self, name: &NameSpelling) -> (Vec<f64>, f64, f64) {
        let (mut space, mut time) = (vec![0.0; self.settings.dimension], 0.0);
        for feature in &name.features {
            let point = self.point(*feature);
            space.iter_mut().zip(point).for_each(|(sum, one)| *sum += one);
            time += self.time(point);
        }
        let count = name.features.len();
        let size = match (self.settings.hyperbolic, count) {
            (_, 0) => {
                time = self.time(&space);
                1.0
            }
            (true, _) => (time * time - dot(&space, &space)).sqrt(),
            (false, _) => count as f64,
        };
        (space, time, size)
    }

    fn logits(&self, (space, time, size): &(Vec<f64>, f64, f64)) -> [f64; 3] {
        std::array::from_fn(|kind| {
            let point = self.point(self.features + kind);
            let bias = self.numbers[(self.features + 3) * self.settings.dimension + kind];
            let product = dot(space, point) / size;
            if self.settings.hyperbolic {
                bias + 2.0 + 2.0 * (product - time * self.time(point) / size)
            } else {
                bias + 2.0 * product - dot(space, space) / (size * size) - dot(point, point)
            }
        })
    }

    /// Adds the gradient of -ln p(kind), and returns that loss.
    fn add_gradient(&self, name: &NameSpelling, gradient: &mut [f64]) -> f64 {
        let bag = self.bag(name);
        let logits = self.logits(&bag);
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
        let truth = NameKind::ALL.iter().position(|kind| *kind == name.kind).unwrap_or(0);
        let (space, time, size) = &bag;
        let dimension = self.settings.dimension;
        // By the sum's coordinates.
        let (mut by_space, mut by_time) = (vec![0.0; dimension], 0.0);
        for (kind, logit) in logits.iter().enumerate() {
            let slope = (logit - most).exp() / sum - f64::from(u8::from(kind == truth));
            gradient[(self.features + 3) * dimension + kind] += slope;
            let point = self.point(self.features + kind);
            let own = &mut gradient[(self.features + kind) * dimension..][..dimension];
            if self.settings.hyperbolic {
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
        for feature in &name.features {
            let point = self.point(*feature);
            let upward = if self.settings.hyperbolic { by_time / self.time(point) } else { 0.0 };
            let own = &mut gradient[feature * dimension..][..dimension];
            for ((own, by), one) in own.iter_mut().zip(&by_space).zip(point) {
                *own += by + upward * one;
            }
        }
        most + sum.ln() - logits[truth]
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(hyperbolic: bool) -> NameClassifierSettings {
        NameClassifierSettings { hyperbolic, dimension: 3, rate: 0.05, epochs: 60, batch: 8, decay: 0.0, seed: 4 }
    }

    fn name(features: &[usize], kind: NameKind) -> NameSpelling {
        NameSpelling { spelling: String::new(), features: features.to_vec(), kind }
    }

    #[test]
    fn gradients_are_those_of_the_loss() {
        for hyperbolic in [true, false] {
            let mut classifier = Classifier::new(settings(hyperbolic), 5).unwrap();
            classifier.numbers.iter_mut().enumerate().for_each(|(at, one)| *one = 8.0 * *one + 0.1 * (at as f64).sin());
            for name in
                [name(&[0, 2, 2, 4], NameKind::Place), name(&[1], NameKind::Divine), name(&[], NameKind::Personal)]
            {
                let mut gradient = vec![0.0; classifier.numbers.len()];
                classifier.add_gradient(&name, &mut gradient);
                for (at, found) in gradient.iter().enumerate() {
                    let loss = |by: f64| {
                        let mut moved = classifier.clone();
                        moved.numbers[at] += by;
                        moved.add_gradient(&name, &mut vec![0.0; gradient.len()])
                    };
                    // The error of the difference is of the order of the step's square.
                    let slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
                    assert!((found - slope).abs() < 1e-7, "{hyperbolic} {at}: {found} {slope}");
                }
            }
        }
    }

    #[test]
    fn kinds_that_a_feature_tells_are_learnt() {
        let kinds = [NameKind::Divine, NameKind::Personal, NameKind::Place];
        // Features 0 to 2 tell the kind, 3 to 8 tell nothing.
        let names: Vec<NameSpelling> =
            (0..60).map(|at| name(&[at % 3, 3 + at % 2, 5 + at % 4], kinds[at % 3])).collect();
        for hyperbolic in [true, false] {
            let mut classifier = Classifier::new(settings(hyperbolic), 9).unwrap();
            classifier.train(&names);
            assert!(names.iter().all(|name| classifier.kind(name) == name.kind), "{hyperbolic}");
        }
    }

    #[test]
    fn settings_that_cannot_be_are_refused() {
        assert!(Classifier::new(NameClassifierSettings { dimension: 1, ..settings(true) }, 5).is_err());
        assert!(Classifier::new(NameClassifierSettings { batch: 0, ..settings(true) }, 5).is_err());
        assert!(Classifier::new(NameClassifierSettings { rate: f64::NAN, ..settings(true) }, 5).is_err());
    }
}
