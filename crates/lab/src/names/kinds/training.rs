//! Training of the points, batch by batch, by Adam over the features that a batch has, and the features that a model
//! knows: those of several spellings to learn from.

use super::examples::{NameExamples, View};
use crate::descent::SettingsError;
use crate::names::points::ClassPoints;
use tuppum_corpus::names::{NameClasses, NameModel, NameModelError, NameModelParts};
use tuppum_geometry::Random;
use tuppum_geometry::adam::{AdamStep, Moments};

/// Settings of the model and of its training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindSettings {
    /// `true` if points lie on the hyperboloid of curvature -1, `false` for Euclid's space.
    pub hyperbolic: bool,
    /// `true` if the words around a word count.
    pub company: bool,
    /// Space-like coordinates of a point.
    pub dimension: usize,
    /// Learning rate at the beginning; it falls evenly to zero.
    pub rate: f64,
    /// Passes over the examples.
    pub epochs: u32,
    /// Examples in a batch.
    pub batch: usize,
    /// Share by which the coordinates of a batch's features shrink in a step, over the learning rate.
    pub decay: f64,
    /// Share of the examples whose determinatives are all left out, drawn again in every pass.
    pub bare: f64,
    /// Share of an example's features that is left out, drawn again in every pass.
    pub dropped: f64,
    /// Seed of the first numbers, the orders and the features left out.
    pub seed: u64,
}

/// A trained classifier, with the features that it knows.
#[derive(Clone, Debug, PartialEq)]
pub struct KindClassifier {
    settings: KindSettings,
    vocabulary: Vocabulary,
    points: ClassPoints,
    /// Number that logits are divided by.
    pub temperature: f64,
}

impl KindClassifier {
    /// Returns a classifier that knows nothing.
    ///
    /// # Errors
    /// The dimension, the batch or the learning rate is impossible.
    pub fn new(settings: KindSettings, vocabulary: Vocabulary) -> Result<Self, SettingsError> {
        if settings.batch == 0 || !(settings.rate > 0.0 && settings.rate.is_finite()) {
            return Err(SettingsError::Descent);
        }
        let sizes = [vocabulary.len(), NameClasses::COUNT];
        let points = ClassPoints::new(settings.hyperbolic, settings.dimension, sizes, settings.seed)?;
        Ok(Self { settings, vocabulary, points, temperature: 1.0 })
    }

    /// Learns from the examples of these numbers.
    pub fn train(&mut self, examples: &NameExamples, learnt: &[u32]) {
        let KindSettings { company, rate, epochs, batch, decay, bare, dropped, seed, .. } = self.settings;
        let mut descent = TouchedDescent::new(&self.points, self.vocabulary.len());
        let (mut random, mut order, mut step) = (Random::new(seed ^ 0x5EED), learnt.to_vec(), 0);
        let steps = f64::from(epochs) * order.len().div_ceil(batch) as f64;
        for _ in 0..epochs {
            random.shuffle(&mut order);
            for batch in order.chunks(batch) {
                for number in batch {
                    let example = &examples.all[*number as usize];
                    let view = View { company, determinatives: random.uniform() >= bare };
                    let known = example.seen(view).filter_map(|feature| self.vocabulary.number(feature));
                    let features: Vec<usize> = known.filter(|_| random.uniform() >= dropped).collect();
                    descent.add(&self.points, &features, example.class);
                }
                let falling = rate * (1.0 - f64::from(step) / steps);
                step += 1;
                descent.step(&mut self.points, (falling, decay), step, batch.len());
            }
        }
    }

    /// Returns the logits of an example's classes, not divided by the temperature.
    pub fn logits(&self, examples: &NameExamples, number: u32, determinatives: bool) -> Vec<f64> {
        let view = View { company: self.settings.company, determinatives };
        let seen = examples.all[number as usize].seen(view);
        self.points.logits(seen.filter_map(|feature| self.vocabulary.number(feature)))
    }

    /// Returns the model for use.
    ///
    /// # Errors
    /// When numbers have become impossible.
    pub fn model(&self, examples: &NameExamples) -> Result<NameModel, NameModelError> {
        let [points, classes, biases] =
            self.points.parts().map(|numbers| numbers.iter().map(|number| *number as f32).collect());
        NameModel::new(NameModelParts {
            dimension: self.points.dimension(),
            features: self.vocabulary.texts(examples).map(str::to_owned).collect(),
            points,
            classes,
            biases,
            temperature: self.temperature as f32,
        })
    }

    /// Returns the coordinates of the classes' points.
    #[cfg(test)]
    pub(super) fn classes(&self) -> &[f64] {
        self.points.parts()[1]
    }
}

/// Adam that touches only the points of the features of a batch, and those of all classes.
struct TouchedDescent {
    moments: Moments<f64>,
    gradient: Vec<f64>,
    /// `true` for each feature in the batch.
    is_touched: Vec<bool>,
    /// Numbers of the features in the batch.
    touched: Vec<usize>,
}

impl TouchedDescent {
    fn new(points: &ClassPoints, features: usize) -> Self {
        let count = points.numbers.len();
        Self {
            moments: Moments::zeros(count),
            gradient: vec![0.0; count],
            is_touched: vec![false; features],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, points: &ClassPoints, features: &[usize], class: usize) {
        points.add_gradient(features.iter().copied(), class, &mut self.gradient);
        for feature in features {
            if !std::mem::replace(&mut self.is_touched[*feature], true) {
                self.touched.push(*feature);
            }
        }
    }

    fn step(&mut self, points: &mut ClassPoints, (rate, decay): (f64, f64), number: u32, batch: usize) {
        let (adam, dimension) = (AdamStep::new(rate, number), points.dimension());
        let classes = self.is_touched.len() * dimension..points.numbers.len();
        let ranges = self.touched.iter().map(|feature| feature * dimension..(feature + 1) * dimension).chain([classes]);
        for range in ranges {
            let (numbers, gradient) = (&mut points.numbers[range.clone()], &mut self.gradient[range.clone()]);
            gradient.iter_mut().for_each(|g| *g /= batch as f64);
            numbers.iter_mut().for_each(|number| *number -= rate * decay * *number);
            let moments = (&mut self.moments.first[range.clone()], &mut self.moments.second[range]);
            adam.update(numbers, gradient, moments);
            gradient.fill(0.0);
        }
        self.touched.drain(..).for_each(|feature| self.is_touched[feature] = false);
    }
}

/// Minimum number of spellings whose examples have a feature, for the model to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSpellings {
    /// Minimum for a feature of the word itself.
    pub word: u32,
    /// Minimum for a feature of the words around the word.
    pub company: u32,
}

/// Features that a model knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// Number in the model of each feature of the examples; none for unknown features.
    numbers: Vec<Option<u32>>,
    /// The features of the model, in the order of their bytes.
    features: Vec<u32>,
}

impl Vocabulary {
    /// Returns the features of these examples.
    pub fn of(examples: &NameExamples, learnt: &[u32], fewest: MinSpellings) -> Self {
        let mut counts = vec![(0_u32, u32::MAX); examples.features.len()];
        for number in learnt {
            let example = &examples.all[*number as usize];
            for feature in &example.features {
                let count = &mut counts[*feature as usize];
                if count.1 != example.spelling {
                    *count = (count.0 + 1, example.spelling);
                }
            }
        }
        let is_company = |text: &str| text.starts_with(['+', '-']) && text.len() > 2;
        let mut features: Vec<u32> = (0..counts.len() as u32)
            .filter(|number| {
                let text = &examples.features[*number as usize];
                let needed = if is_company(text) { fewest.company } else { fewest.word };
                counts[*number as usize].0 >= needed
            })
            .collect();
        features.sort_by_key(|number| &examples.features[*number as usize]);
        let mut numbers = vec![None; examples.features.len()];
        for (number, feature) in features.iter().enumerate() {
            numbers[*feature as usize] = Some(number as u32);
        }
        Self { numbers, features }
    }

    /// Returns the number of features.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Returns the features' texts, in order.
    pub fn texts<'e>(&self, examples: &'e NameExamples) -> impl Iterator<Item = &'e str> {
        self.features.iter().map(|number| examples.features[*number as usize].as_str())
    }

    /// Returns the number in the model of a feature of the examples.
    pub fn number(&self, feature: u32) -> Option<usize> {
        self.numbers[feature as usize].map(|number| number as usize)
    }
}
