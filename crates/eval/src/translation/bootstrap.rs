//! Bootstrap: how far chance among the sentences moves a score; intervals, and the paired bootstrap for two systems
//! (Koehn 2004, "Statistical significance tests for machine translation evaluation").
//!
//! A sample draws as many sentences as there are, with replacement; p is sacreBLEU's: the share of samples whose
//! absolute difference lies further above the samples' mean than the difference that was found; 1 for systems that
//! never differ.

use super::TranslationCounts;
use crate::error::ComparisonError;
use serde::{Deserialize, Serialize};
use tuppum_random::Draws;

/// Usual number of samples.
pub const SAMPLES: usize = 1_000;

/// A score with the interval in which 95 % of the samples lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The score of all sentences.
    pub value: f64,
    /// Mean of the samples.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Comparison of two systems on the same sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first system's score.
    pub first: Interval,
    /// The second system's score.
    pub second: Interval,
    /// Second minus first, sample by sample.
    pub difference: Interval,
    /// Probability of a difference at least this large if the systems are equally good; from 1 / (samples + 1) to 1.
    pub p: f64,
    /// Number of samples drawn.
    pub samples: usize,
}

/// Returns the interval of one system's score. `figure` makes a score of the counts of a corpus.
///
/// # Errors
/// When there are no sentences or no samples.
pub fn interval(
    sentences: &[TranslationCounts],
    figure: impl Fn(&TranslationCounts) -> f64,
    samples: usize,
    draws: &mut impl Draws,
) -> Result<Interval, ComparisonError> {
    check(sentences.len(), samples)?;
    let mut scores = Vec::with_capacity(samples);
    for _ in 0..samples {
        let mut sample = TranslationCounts::default();
        for _ in sentences {
            sample.add(&sentences[draws.below(sentences.len())]);
        }
        scores.push(figure(&sample));
    }
    Ok(Interval::of(figure(&sentences.iter().collect()), scores))
}

/// Compares two systems; both are scored on the same samples.
///
/// # Errors
/// The systems have different numbers of sentences, or there are no sentences or no samples.
pub fn paired(
    first: &[TranslationCounts],
    second: &[TranslationCounts],
    figure: impl Fn(&TranslationCounts) -> f64,
    samples: usize,
    draws: &mut impl Draws,
) -> Result<Comparison, ComparisonError> {
    if first.len() != second.len() {
        return Err(ComparisonError::Sentences { first: first.len(), second: second.len() });
    }
    check(first.len(), samples)?;
    let (mut firsts, mut seconds) = (Vec::with_capacity(samples), Vec::with_capacity(samples));
    for _ in 0..samples {
        let (mut one, mut other) = (TranslationCounts::default(), TranslationCounts::default());
        for _ in first {
            let place = draws.below(first.len());
            one.add(&first[place]);
            other.add(&second[place]);
        }
        firsts.push(figure(&one));
        seconds.push(figure(&other));
    }
    let (one, other) = (figure(&first.iter().collect()), figure(&second.iter().collect()));
    let differences: Vec<f64> = firsts.iter().zip(&seconds).map(|(first, second)| second - first).collect();
    Ok(Comparison {
        p: p_value(&differences, (other - one).abs()),
        first: Interval::of(one, firsts),
        second: Interval::of(other, seconds),
        difference: Interval::of(other - one, differences),
        samples,
    })
}

fn check(sentences: usize, samples: usize) -> Result<(), ComparisonError> {
    if sentences == 0 || samples == 0 {
        return Err(ComparisonError::Nothing { sentences, samples });
    }
    Ok(())
}

fn p_value(differences: &[f64], found: f64) -> f64 {
    // sacreBLEU gives 1 / (samples + 1) here, as if two equal systems differed beyond doubt.
    if found == 0.0 && differences.iter().all(|difference| *difference == 0.0) {
        return 1.0;
    }
    let count = differences.len() as f64;
    let mean = differences.iter().map(|difference| difference.abs()).sum::<f64>() / count;
    let beyond = differences.iter().filter(|difference| difference.abs() - mean > found).count();
    (beyond as f64 + 1.0) / (count + 1.0)
}

impl Interval {
    /// One sample in forty lies below and one above, as sacreBLEU cuts them.
    pub(crate) fn of(value: f64, mut scores: Vec<f64>) -> Self {
        scores.sort_by(f64::total_cmp);
        let outside = scores.len() / 40;
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Self { value, mean, low: scores[outside], high: scores[scores.len() - 1 - outside] }
    }
}
