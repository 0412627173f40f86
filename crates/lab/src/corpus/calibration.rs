//! Calibration: a comparison of stated probabilities with the share of right first answers, and the temperature that
//! makes them agree.
//!
//! Weights and temperatures are fitted on one half of the texts and measured on the other.

use super::known_signs::{Answered, KnownSign};
use serde::Serialize;
use std::collections::HashSet;
use tuppum_corpus::context::{Example, Fitting, Weights, fit};
use tuppum_random::Random;

/// Bound of the temperatures tried: from its inverse to this.
const HOTTEST: f64 = 4.0;
/// Number of times that the bracket around the best temperature is cut: from ln 16 to below a thousandth.
const CUTS: usize = 18;

/// A bin of stated probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Number of answers in the bin.
    pub answers: usize,
    /// Mean stated probability of the answers.
    pub stated: f64,
    /// Share of right answers.
    pub right: f64,
}

/// Sorts first answers into tenths of their stated probability.
pub fn calibration(answers: &[Answered]) -> [CalibrationBin; 10] {
    let mut bins = [CalibrationBin::default(); 10];
    for answer in answers {
        let bin = &mut bins[((answer.confidence * 10.0) as usize).min(9)];
        bin.answers += 1;
        bin.stated += f64::from(answer.confidence);
        bin.right += f64::from(u8::from(answer.rank == 0));
    }
    for bin in &mut bins {
        let count = bin.answers.max(1) as f64;
        (bin.stated, bin.right) = (bin.stated / count, bin.right / count);
    }
    bins
}

/// Returns the expected calibration error: the mean difference between stated probability and share of right answers,
/// over all answers (Guo et al. 2017, "On Calibration of Modern Neural Networks", equation 3).
pub fn expected_calibration_error(bins: &[CalibrationBin]) -> f64 {
    let answers: usize = bins.iter().map(|bin| bin.answers).sum();
    let apart: f64 = bins.iter().map(|bin| bin.answers as f64 * (bin.stated - bin.right).abs()).sum();
    apart / answers.max(1) as f64
}

/// Returns the temperature at which the network alone gives these signs the highest probability: above 1 where it is
/// too sure of itself. Logits are divided by it (Guo et al. 2017, section 4.2). 1 where there are no signs.
pub fn temperature_of<'s>(signs: impl Iterator<Item = &'s KnownSign> + Clone) -> f64 {
    if signs.clone().next().is_none() {
        return 1.0;
    }
    let loss = |log: f64| -> f64 {
        signs.clone().map(|sign| -sign.tempered(log.exp() as f32).answered(None).log_probability).sum()
    };
    lowest(loss, (-HOTTEST.ln(), HOTTEST.ln())).exp()
}

/// Finds the lowest point of a function with one valley, by golden sections.
fn lowest(function: impl Fn(f64) -> f64, (mut low, mut high): (f64, f64)) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let inner = |low: f64, high: f64| (high - golden * (high - low), low + golden * (high - low));
    let (mut left, mut right) = inner(low, high);
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..CUTS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high).0;
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high).1;
            at_right = function(right);
        }
    }
    f64::midpoint(low, high)
}

/// Fit to all signs, and the answers for each sign by a fit without its text.
#[derive(Clone, Debug)]
pub struct CrossFitted<F> {
    /// Fit to all signs, for use.
    pub fitted: F,
    /// The answers, in the order of the signs.
    pub answers: Vec<Answered>,
}

/// Fits on each half of the texts and answers the other.
fn cross_fitted<F>(
    signs: &[KnownSign],
    seed: u64,
    fit: impl Fn(&[&KnownSign]) -> F,
    answer: impl Fn(&KnownSign, &F) -> Answered,
) -> CrossFitted<F> {
    let mut texts: Vec<usize> = signs.iter().map(|sign| sign.text.number).collect();
    texts.dedup();
    Random::new(seed).shuffle(&mut texts);
    let first: HashSet<usize> = texts.iter().copied().take(texts.len() / 2).collect();
    let (one, other): (Vec<&KnownSign>, Vec<&KnownSign>) =
        signs.iter().partition(|sign| first.contains(&sign.text.number));
    let (by_first, by_second) = (fit(&one), fit(&other));
    let of_other_half = |sign: &KnownSign| if first.contains(&sign.text.number) { &by_second } else { &by_first };
    let answers = signs.iter().map(|sign| answer(sign, of_other_half(sign))).collect();
    CrossFitted { fitted: fit(&signs.iter().collect::<Vec<_>>()), answers }
}

/// Returns the weights of witnesses and network.
pub fn cross_fit(signs: &[KnownSign], fitting: &Fitting) -> CrossFitted<Weights> {
    let weights = |signs: &[&KnownSign]| {
        let examples: Vec<Example> = signs.iter().map(|sign| sign.example().clone()).collect();
        fit(&examples, fitting).weights
    };
    cross_fitted(signs, fitting.seed, weights, |sign, weights| sign.answered(Some(weights)))
}

/// Returns the temperature of the network alone.
pub fn cross_fit_temperature(signs: &[KnownSign], seed: u64) -> CrossFitted<f64> {
    let temperature = |signs: &[&KnownSign]| temperature_of(signs.iter().copied());
    cross_fitted(signs, seed, temperature, |sign, own| sign.tempered(*own as f32).answered(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(confidence: f32, rank: usize) -> Answered {
        Answered { log_probability: 0.0, rank, confidence }
    }

    #[test]
    fn errors_by_hand() {
        // Three at 0.95, two of them right; one at 1.0, right; one at 0.25, wrong.
        let answers = [(0.95, 0), (0.95, 0), (0.95, 3), (1.0, 0), (0.25, 1)].map(|(sure, rank)| answered(sure, rank));
        let bins = calibration(&answers);
        assert_eq!((bins[9].answers, bins[2].answers, bins[5].answers), (4, 1, 0));
        assert!((bins[9].stated - 0.9625).abs() < 1e-6 && (bins[9].right - 0.75).abs() < 1e-12);
        // (4 · 0.2125 + 1 · 0.25) / 5, confidences being f32.
        assert!((expected_calibration_error(&bins) - 0.22).abs() < 1e-6);
        assert!(expected_calibration_error(&calibration(&[])).abs() < f64::EPSILON);
    }

    #[test]
    fn golden_sections_find_the_valley() {
        // The bracket is cut to 2.8 · 0.618¹⁸, half a thousandth.
        for valley in [-1.1, 0.0, 0.7] {
            let found = lowest(|at| (at - valley) * (at - valley), (-HOTTEST.ln(), HOTTEST.ln()));
            assert!((found - valley).abs() < 1e-3, "{found} for {valley}");
        }
    }

    /// Signs whose network is `power` times as sure as it should be: of one hundred places where it thinks that two
    /// tokens stand 3 to 1, the first is right as often as it should.
    fn overconfident(power: i32) -> Vec<KnownSign> {
        let odds = 3.0_f32.powi(power);
        let network = [odds / (1.0 + odds), 1.0 / (1.0 + odds)];
        (0..100).map(|place| KnownSign::of_network(&network, u32::from(place % 4 == 0))).collect()
    }

    #[test]
    fn a_network_twice_as_sure_is_found_twice_as_hot() {
        for (power, temperature) in [(1, 1.0), (2, 2.0), (3, 3.0)] {
            let signs = overconfident(power);
            let found = temperature_of(signs.iter());
            assert!((found - temperature).abs() < 5e-3, "{found} for {temperature}");
            let cooled: Vec<Answered> = signs.iter().map(|sign| sign.tempered(found as f32).answered(None)).collect();
            assert!(expected_calibration_error(&calibration(&cooled)) < 2e-3);
        }
        assert!((temperature_of(std::iter::empty()) - 1.0).abs() < f64::EPSILON);
    }
}
