//! Weights and temperatures fitted on one half of the texts and measured on the other.

use super::calibration::temperature_of;
use super::known_signs::{Answered, KnownSign};
use std::collections::HashSet;
use tuppum_corpus::context::{Example, Fitting, Weights, fit};
use tuppum_random::Random;

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
