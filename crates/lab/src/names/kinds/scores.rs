//! Scores of the answers, and of the trust that their probabilities deserve.

use tuppum_corpus::names::NameClasses;

/// Number of bins of answers, by their probability, for the calibration error.
const BINS: usize = 15;

/// Answer for an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindAnswer {
    /// The true class.
    pub truth: usize,
    /// The class of the answer.
    pub class: usize,
    /// Probability of the answer.
    pub probability: f64,
}

impl KindAnswer {
    /// Returns the likeliest class by logits.
    pub fn of(logits: &[f64], temperature: f64, truth: usize) -> Self {
        let class = (0..logits.len()).max_by(|one, other| logits[*one].total_cmp(&logits[*other])).unwrap_or(0);
        let powers = logits.iter().map(|logit| ((logit - logits[class]) / temperature).exp());
        Self { truth, class, probability: 1.0 / powers.sum::<f64>() }
    }
}

/// Figures of one class, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassScore {
    /// Share of right answers among the answers of the class.
    pub precision: f64,
    /// Share of the class that is found.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// Examples of the class.
    pub count: usize,
}

/// Figures of all examples, in percent.
#[derive(Clone, Debug, PartialEq)]
pub struct KindScores {
    /// Scores of each class.
    pub classes: [ClassScore; NameClasses::COUNT],
    /// Share of right answers.
    pub right: f64,
    /// The mean F1 of the kinds of names, without the words that are none.
    pub mean_f1: f64,
    /// The expected calibration error: the mean difference between probability and share of right answers, over 15 bins
    /// of answers by their probability.
    pub calibration_error: f64,
}

impl KindScores {
    /// Returns the figures of these answers.
    pub fn of(told: &[KindAnswer]) -> Self {
        let count = |wanted: &dyn Fn(&KindAnswer) -> bool| told.iter().filter(|one| wanted(one)).count() as f64;
        let classes: [ClassScore; NameClasses::COUNT] = std::array::from_fn(|class| {
            let both = count(&|one| one.truth == class && one.class == class);
            let (true_ones, told_ones) = (count(&|one| one.truth == class), count(&|one| one.class == class));
            ClassScore {
                precision: 100.0 * both / told_ones.max(1.0),
                recall: 100.0 * both / true_ones.max(1.0),
                f1: 200.0 * both / (true_ones + told_ones).max(1.0),
                count: true_ones as usize,
            }
        });
        // Kinds that do not occur say nothing.
        let kinds: Vec<f64> = classes[1..].iter().filter(|class| class.count > 0).map(|class| class.f1).collect();
        Self {
            right: 100.0 * count(&|one| one.truth == one.class) / (told.len().max(1) as f64),
            mean_f1: kinds.iter().sum::<f64>() / kinds.len().max(1) as f64,
            calibration_error: calibration_error(told),
            classes,
        }
    }
}

fn calibration_error(told: &[KindAnswer]) -> f64 {
    let mut gaps = [0.0; BINS];
    for one in told {
        let bin = ((one.probability * BINS as f64) as usize).min(BINS - 1);
        gaps[bin] += one.probability - f64::from(u8::from(one.truth == one.class));
    }
    100.0 * gaps.iter().map(|gap| gap.abs()).sum::<f64>() / told.len().max(1) as f64
}

/// Returns the mean of -ln p(truth).
pub fn loss(logits: &[(Vec<f64>, usize)], temperature: f64) -> f64 {
    let of_one = |(logits, truth): &(Vec<f64>, usize)| {
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|logit| ((logit - most) / temperature).exp()).sum();
        sum.ln() - (logits[*truth] - most) / temperature
    };
    logits.iter().map(of_one).sum::<f64>() / logits.len().max(1) as f64
}

/// Returns the temperature with the least loss, to one part in fifty, between a quarter and four.
pub fn temperature(logits: &[(Vec<f64>, usize)]) -> f64 {
    let tried = (-70..=70).map(|step| 1.02_f64.powi(step));
    let losses = tried.map(|temperature| (loss(logits, temperature), temperature));
    losses.min_by(|one, other| one.0.total_cmp(&other.0)).map_or(1.0, |(_, temperature)| temperature)
}
