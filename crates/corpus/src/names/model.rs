//! The model in use: points of features and kinds, and probabilities by their distances.

use super::features::{NameWord, each_feature};
use crate::attested::PackError;
use thiserror::Error;
use tuppum_domain::names::{KindProbability, NameKind};

/// Stand-in for words that are not names, beside Oracc's letters for kinds of names.
pub const NO_NAME: &str = "-";

/// Largest number of coordinates of a point.
const MAX_COORDINATES: usize = 64;

/// Classes of the model: no name, then every kind of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameClasses;

impl NameClasses {
    /// Number of classes.
    pub const COUNT: usize = 1 + NameKind::ALL.len();

    /// Returns the class of a kind; `None` stands for words that are not names.
    pub fn place(kind: Option<NameKind>) -> usize {
        kind.and_then(|kind| NameKind::ALL.iter().position(|other| *other == kind)).map_or(0, |place| place + 1)
    }

    /// Returns the kind of a class; `None` for words that are not names.
    pub fn kind(place: usize) -> Option<NameKind> {
        place.checked_sub(1).and_then(|place| NameKind::ALL.get(place)).copied()
    }

    /// Returns Oracc's letters for all classes, separated by spaces.
    pub(super) fn letters() -> String {
        let kinds = NameKind::ALL.iter().map(|kind| kind.letters());
        std::iter::once(NO_NAME).chain(kinds).collect::<Vec<_>>().join(" ")
    }
}

/// Probabilities of what a word names.
#[derive(Clone, Debug, PartialEq)]
pub struct NameGuess {
    /// Probability that the word is not a name.
    pub none: f32,
    /// Probability of each kind, most likely first. With `none` they sum to 1.
    pub kinds: Vec<KindProbability>,
}

/// Parameters of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameModelParts {
    /// Number of space-like coordinates of a point.
    pub dimension: usize,
    /// Features, sorted by their bytes, without duplicates.
    pub features: Vec<String>,
    /// Space-like coordinates of the features' points, one point after another.
    pub points: Vec<f32>,
    /// Space-like coordinates of the classes' points, in the order of [`NameClasses`].
    pub classes: Vec<f32>,
    /// Bias of each class.
    pub biases: Vec<f32>,
    /// Divisor of the logits before the softmax, which calibrates the probabilities.
    pub temperature: f32,
}

/// Model that proposes what words name.
#[derive(Clone, Debug, PartialEq)]
pub struct NameModel {
    pub(super) parts: NameModelParts,
    /// Time-like coordinates of the features' points.
    times: Vec<f32>,
    /// Time-like coordinates of the classes' points.
    class_times: Vec<f32>,
}

impl NameModel {
    /// Creates a model of these parameters.
    ///
    /// # Errors
    /// Fails if numbers are missing, superfluous or impossible, or if features are not sorted.
    pub fn new(parts: NameModelParts) -> Result<Self, NameModelError> {
        let dimension = parts.dimension;
        if dimension == 0 || dimension > MAX_COORDINATES {
            return Err(NameModelError::Dimension(dimension));
        }
        let counts = [
            ("coordinates of features", parts.points.len(), parts.features.len() * dimension),
            ("coordinates of kinds", parts.classes.len(), NameClasses::COUNT * dimension),
            ("biases", parts.biases.len(), NameClasses::COUNT),
        ];
        for (what, found, needed) in counts {
            if found != needed {
                return Err(NameModelError::Count { what, found, needed });
            }
        }
        if !parts.features.is_sorted_by(|one, other| one < other) {
            return Err(NameModelError::Order);
        }
        let mut numbers = parts.points.iter().chain(&parts.classes).chain(&parts.biases);
        // Larger numbers could overflow when squared and summed.
        let mut possible = numbers.all(|number| number.abs() < 1e4);
        possible &= parts.temperature.is_finite() && parts.temperature > 1e-3;
        if !possible {
            return Err(NameModelError::Number);
        }
        let times = parts.points.chunks(dimension).map(time).collect();
        let class_times = parts.classes.chunks(dimension).map(time).collect();
        Ok(Self { parts, times, class_times })
    }

    /// Returns the number of known features.
    pub fn feature_count(&self) -> usize {
        self.parts.features.len()
    }

    /// Returns the probabilities for the word `at` of a line; `words` are the line's words in canonical
    /// transliteration, with or without determinatives. A place behind the last word is not a name.
    pub fn kinds(&self, words: &[&str], at: usize) -> NameGuess {
        // Only the nearest words count.
        let from = at.saturating_sub(3).min(words.len());
        let to = at.saturating_add(4).min(words.len());
        let near: Vec<NameWord> =
            words.get(from..to).unwrap_or_default().iter().map(|word| NameWord::read(word)).collect();
        self.kinds_of_words(&near, at - from.min(at))
    }

    /// Returns the probabilities for words that are split into readings already.
    pub fn kinds_of_words(&self, words: &[NameWord], at: usize) -> NameGuess {
        let probabilities = if at < words.len() { self.probabilities(words, at) } else { none_at_all() };
        let mut kinds: Vec<KindProbability> = (1..NameClasses::COUNT)
            .filter_map(|place| {
                Some(KindProbability { kind: NameClasses::kind(place)?, probability: probabilities[place] })
            })
            .collect();
        kinds.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        NameGuess { none: probabilities[0], kinds }
    }

    /// Returns the probability of each class.
    fn probabilities(&self, words: &[NameWord], at: usize) -> [f32; NameClasses::COUNT] {
        let dimension = self.parts.dimension;
        let (mut space, mut time) = (vec![0.0_f32; dimension], 0.0_f32);
        each_feature(words, at, &mut |_, feature| {
            let Ok(number) = self.parts.features.binary_search_by(|own| own.as_str().cmp(feature)) else { return };
            let point = &self.parts.points[number * dimension..][..dimension];
            space.iter_mut().zip(point).for_each(|(sum, one)| *sum += one);
            time += self.times[number];
        });
        // A word without known features lies at the origin. Clamped, so that rounding does not leave the hyperboloid.
        // The centroid is the sum of points divided by its Lorentz norm. Dividing the products below spares scaling the
        // sum.
        let size = if time == 0.0 { 1.0 } else { (time * time - dot(&space, &space)).max(1.0).sqrt() };
        time = if time == 0.0 { 1.0 } else { time };
        let mut logits = [0.0; NameClasses::COUNT];
        let points = self.parts.classes.chunks(dimension).zip(&self.class_times).zip(&self.parts.biases);
        for (logit, ((point, own), bias)) in logits.iter_mut().zip(points) {
            // The squared Lorentz distance is -2 - 2⟨x, y⟩.
            *logit = (bias + 2.0 + 2.0 * (dot(&space, point) - time * own) / size) / self.parts.temperature;
        }
        softmax(logits)
    }
}

/// Returns the probabilities of a place without a word.
fn none_at_all() -> [f32; NameClasses::COUNT] {
    let mut probabilities = [0.0; NameClasses::COUNT];
    probabilities[0] = 1.0;
    probabilities
}

fn softmax(logits: [f32; NameClasses::COUNT]) -> [f32; NameClasses::COUNT] {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| (logit - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Returns the time-like coordinate of a point on the hyperboloid of curvature -1.
fn time(point: &[f32]) -> f32 {
    (1.0 + dot(point, point)).sqrt()
}

fn dot(x: &[f32], y: &[f32]) -> f32 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Reason why a model of names cannot be read or made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameModelError {
    /// The file is not a pack, has another version, is cut off, or its sections cannot be unpacked.
    #[error("the model of names cannot be read: {0}")]
    Pack(#[from] PackError),
    /// The model knows other kinds of names than this program.
    #[error("the model of names tells the kinds {found:?} apart, this program {known:?}; fetch it anew")]
    Kinds {
        /// Kinds of the model.
        found: String,
        /// Kinds of this program.
        known: String,
    },
    /// Points have no coordinates, or more than this program reads.
    #[error("the points of the model of names have {0} coordinates; 1 to 64 are possible")]
    Dimension(usize),
    /// The model has too many or too few numbers for its features and kinds.
    #[error("the model of names has {found} {what}, {needed} are needed; fetch it anew")]
    Count {
        /// Kind of number counted.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number needed.
        needed: usize,
    },
    /// The features are not sorted, so that none would be found.
    #[error("the features of the model of names are not in order; fetch it anew")]
    Order,
    /// A number is infinite or not a number, or the temperature is not above zero.
    #[error("a number of the model of names is impossible; fetch it anew")]
    Number,
}
