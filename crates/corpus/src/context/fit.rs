//! Fits the weights by maximum likelihood on known signs, with gradients by hand.
//!
//! Let O be the sum of the weights of witnesses that read the known sign, A the sum of all weights, and p the network's
//! probability of the sign. The loss of a sign is -ln((O + κp) / (A + κ)). Its derivative by θ_i is the sum over the
//! witnesses with feature i of w (1 / (A + κ) - [reads the sign] / (O + κp)); its derivative by ln κ is κ (1 / (A + κ)
//! - p / (O + κp)).

use super::affinity::Affinity;
use super::gap::Context;
use super::search::Contexts;
use super::weights::{ACTIVE_FEATURES, FEATURE_COUNT, Weights, features, run};
use crate::attested::{AttestedSign, Place};
use tuppum_geometry::adam::{AdamStep, Moments};
use tuppum_random::Random;

/// A known sign and its witnesses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Example {
    /// Features of each witness, and `true` if it reads the sign.
    witnesses: Vec<([u16; ACTIVE_FEATURES], bool)>,
    /// Probability that the network gives the sign.
    network: f32,
}

impl Example {
    /// Makes an example of a known sign and its witnesses at these places.
    pub fn of(
        contexts: &Contexts,
        (context, affinity): (&Context, &Affinity),
        places: &[Place],
        sign: AttestedSign,
        network: f32,
    ) -> Self {
        let witness = |place: &Place| {
            let reads = contexts.corpus.sign(*place as usize) == sign;
            (features(context, contexts.corpus, affinity, *place as usize), reads)
        };
        Self { witnesses: places.iter().map(witness).collect(), network }
    }

    /// Returns the example with another probability of the network.
    #[must_use]
    pub fn with_network(self, network: f32) -> Self {
        Self { network, ..self }
    }

    /// Returns the weight of each witness, in the order of the places.
    pub fn weigh(&self, weights: &Weights) -> Vec<f32> {
        self.witnesses.iter().map(|(features, _)| weights.of(features)).collect()
    }

    /// Returns the longest run of agreeing signs around the place, both sides together.
    pub fn longest_run(&self) -> usize {
        self.witnesses.iter().map(|(features, _)| run(features)).max().unwrap_or_default()
    }

    /// Returns the loss in nats and adds to the gradient (ln κ last).
    fn loss(&self, weights: &Weights, gradient: Option<&mut [f32]>) -> f32 {
        let kappa = weights.of_network();
        let heavy = self.weigh(weights);
        let all: f32 = heavy.iter().sum::<f32>() + kappa;
        let own = self.witnesses.iter().zip(&heavy).filter(|((_, reads), _)| *reads).map(|(_, weight)| weight);
        let own = (own.sum::<f32>() + kappa * self.network).max(f32::MIN_POSITIVE);
        if let Some(gradient) = gradient {
            for ((features, reads), weight) in self.witnesses.iter().zip(&heavy) {
                let slope = weight * (1.0 / all - if *reads { 1.0 / own } else { 0.0 });
                features.iter().for_each(|feature| gradient[usize::from(*feature)] += slope);
            }
            gradient[FEATURE_COUNT] += kappa * (1.0 / all - self.network / own);
        }
        (all / own).ln()
    }
}

/// Settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Number of passes over all examples.
    pub epochs: usize,
    /// Number of examples per step.
    pub batch: usize,
    /// Learning rate of the first step; it falls linearly to zero.
    pub rate: f64,
    /// Strength of the pull towards the initial weights, which are the best guess for rare features.
    pub decay: f32,
    /// Seed of the order of the examples.
    pub seed: u64,
}

impl Default for Fitting {
    fn default() -> Self {
        Self { epochs: 6, batch: 400, rate: 0.05, decay: 1e-5, seed: 1 }
    }
}

/// Fitted weights with the mean loss of the examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub weights: Weights,
    /// Mean loss in nats per sign.
    pub loss: f32,
}

/// Fits weights to examples.
pub fn fit(examples: &[Example], fitting: &Fitting) -> Fitted {
    let start = Weights::default();
    let mut numbers: Vec<f32> = start.features.iter().copied().chain([start.network]).collect();
    let mut moments = Moments::zeros(numbers.len());
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = Random::new(fitting.seed);
    let batch = fitting.batch.max(1);
    let steps = fitting.epochs * examples.len().div_ceil(batch);
    let mut step = 0;
    for _ in 0..fitting.epochs {
        random.shuffle(&mut order);
        for chosen in order.chunks(batch) {
            let weights = weights_of(&numbers);
            let mut gradient = vec![0.0; numbers.len()];
            chosen.iter().for_each(|number| {
                examples[*number].loss(&weights, Some(&mut gradient));
            });
            for ((slope, number), began) in gradient.iter_mut().zip(&numbers).zip(&start.features) {
                *slope = *slope / chosen.len() as f32 + 2.0 * fitting.decay * (number - began);
            }
            gradient[FEATURE_COUNT] /= chosen.len() as f32;
            // The rate reaches zero after the last step.
            let rate = fitting.rate * (1.0 - step as f64 / steps as f64);
            step += 1;
            AdamStep::new(rate, step as u32).update(&mut numbers, &gradient, (&mut moments.first, &mut moments.second));
        }
    }
    let weights = weights_of(&numbers);
    let loss = mean_loss(examples, &weights);
    Fitted { weights, loss }
}

/// Returns the mean loss of examples in nats.
pub fn mean_loss(examples: &[Example], weights: &Weights) -> f32 {
    let sum: f64 = examples.iter().map(|example| f64::from(example.loss(weights, None))).sum();
    (sum / examples.len().max(1) as f64) as f32
}

fn weights_of(numbers: &[f32]) -> Weights {
    Weights { features: numbers[..FEATURE_COUNT].to_vec(), network: numbers[FEATURE_COUNT] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(feature: u16, reads: bool) -> Example {
        Example {
            witnesses: vec![([feature; ACTIVE_FEATURES], reads), ([feature + 1; ACTIVE_FEATURES], false)],
            network: 0.1,
        }
    }

    #[test]
    fn gradients_agree_with_differences() {
        let weights = Weights { features: (0..FEATURE_COUNT).map(|n| (n % 7) as f32 * 0.01).collect(), network: 0.5 };
        for own in [example(3, true), example(5, false)] {
            let mut gradient = vec![0.0; FEATURE_COUNT + 1];
            own.loss(&weights, Some(&mut gradient));
            for place in [3, 4, 5, 6, FEATURE_COUNT] {
                let moved = |by: f32| {
                    let mut moved = weights.clone();
                    match moved.features.get_mut(place) {
                        Some(number) => *number += by,
                        None => moved.network += by,
                    }
                    own.loss(&moved, None)
                };
                // A feature can occur ACTIVE_FEATURES times in a witness: curvature times 1e-3² and f32's rounding
                // divided by 1e-3.
                let difference = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                assert!((difference - gradient[place]).abs() < 2e-3 * (1.0 + difference.abs()), "{place}");
            }
        }
    }

    #[test]
    fn what_reads_the_sign_gains_weight() {
        let examples: Vec<Example> = (0..50).map(|_| example(10, true)).collect();
        let before = mean_loss(&examples, &Weights::default());
        let fitted = fit(&examples, &Fitting { epochs: 20, batch: 10, ..Fitting::default() });
        assert!(fitted.loss < before / 2.0, "{before} to {}", fitted.loss);
        assert!(fitted.weights.features[10] > fitted.weights.features[11]);
    }
}
