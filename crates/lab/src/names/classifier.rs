//! The distance classifier over bags of features of spellings, for three kinds of names: points, distances and
//! gradients are those of [`points`](super::points).

use super::points::ClassPoints;
use super::split::{MarkedKind, NameSpelling};
use crate::descent::{Descent, SettingsError};

/// Settings of a classifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameClassifierSettings {
    /// `true` if points lie on the hyperboloid of curvature -1, `false` for Euclid's space.
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

/// A classifier of names: points of features and of kinds.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    settings: NameClassifierSettings,
    points: ClassPoints,
}

impl Classifier {
    /// Returns a classifier that knows nothing.
    ///
    /// # Errors
    /// The dimension, the batch or the learning rate is impossible.
    pub fn new(settings: NameClassifierSettings, features: usize) -> Result<Self, SettingsError> {
        let NameClassifierSettings { hyperbolic, dimension, seed, .. } = settings;
        let points = ClassPoints::new(hyperbolic, dimension, [features, MarkedKind::ALL.len()], seed)?;
        settings.descent().check()?;
        Ok(Self { settings, points })
    }

    /// Learns from names.
    pub fn train(&mut self, names: &[NameSpelling]) {
        let add = |own: &Self, name: usize, gradient: &mut [f64]| {
            let NameSpelling { features, kind, .. } = &names[name];
            let truth = MarkedKind::ALL.iter().position(|other| other == kind).unwrap_or(0);
            own.points.add_gradient(features.iter().copied(), truth, gradient);
        };
        self.settings.descent().run(self, names.len(), |own| &mut own.points.numbers, add);
    }

    /// Returns the likeliest kind of a name.
    pub fn kind(&self, name: &NameSpelling) -> MarkedKind {
        let logits = self.points.logits(name.features.iter().copied());
        let best = (0..MarkedKind::ALL.len()).max_by(|one, other| logits[*one].total_cmp(&logits[*other]));
        MarkedKind::ALL[best.unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(hyperbolic: bool) -> NameClassifierSettings {
        NameClassifierSettings { hyperbolic, dimension: 3, rate: 0.05, epochs: 60, batch: 8, decay: 0.0, seed: 4 }
    }

    fn name(features: &[usize], kind: MarkedKind) -> NameSpelling {
        NameSpelling { spelling: String::new(), features: features.to_vec(), kind }
    }

    #[test]
    fn kinds_that_a_feature_tells_are_learnt() {
        let kinds = [MarkedKind::Divine, MarkedKind::Personal, MarkedKind::Place];
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
