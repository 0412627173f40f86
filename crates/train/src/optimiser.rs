//! AdamW for weights (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>, as PyTorch computes it), after
//! the gradient of all tensors together has been cut to a length.
//!
//! This is the one adaptive optimiser over tensors: points of the Poincaré ball ([`ball`](crate::ball)) and of the
//! hyperboloid, of which `hyperbolic` knows, keep the same [`TensorMoments`] and move by the same share of them.
//! Moments are plain tensors by the names of the model's, so that they can be written and read like weights. Nothing is
//! read from the device.

use crate::gradient_sum::GradientSum;
use burn::tensor::Tensor;
use std::collections::BTreeMap;
use tuppum_nn::parameters::{ParameterSpec, Value};
use tuppum_tasks::training::OptimiserSettings;

/// Added to the norm of the gradient before the longest is divided by it, as in PyTorch.
const LEAST_GRAD_NORM: f64 = 1e-6;

/// First and second moment of one tensor. Of points each has one second moment, of its gradient's squared length.
#[derive(Clone, Debug)]
pub struct TensorMoments {
    /// Of the gradient.
    pub first: Tensor<2>,
    /// Of its square.
    pub second: Tensor<2>,
}

/// One step of AdamW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamWUpdate {
    /// The learning rate.
    pub rate: f64,
    /// Shares of the moments that are kept.
    pub betas: [f64; 2],
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Decay, times the rate.
    pub decay: f64,
    /// Number of the step, from 1.
    pub number: u32,
}

impl TensorMoments {
    /// The moments after a gradient and its `square`, number by number or one for each row; those before the first step
    /// are `None`.
    pub fn after(before: Option<Self>, gradient: Tensor<2>, square: Tensor<2>, update: &AdamWUpdate) -> Self {
        let [beta_1, beta_2] = update.betas;
        let (fresh, square) = (gradient * (1.0 - beta_1), square * (1.0 - beta_2));
        match before {
            Some(Self { first, second }) => Self { first: first * beta_1 + fresh, second: second * beta_2 + square },
            None => Self { first: fresh, second: square },
        }
    }

    /// What is to be taken from a tensor for these moments of it: rate · m̂ / (√v̂ + ε), where m̂ and v̂ are the
    /// moments over 1 - βᵗ, corrected for having begun at zero.
    pub fn movement(&self, update: &AdamWUpdate) -> Tensor<2> {
        let left = update.betas.map(|beta| 1.0 - beta.powi(i32::try_from(update.number).unwrap_or(i32::MAX)));
        let size = self.second.clone().sqrt() / left[1].sqrt() + update.epsilon;
        self.first.clone() / size * (update.rate / left[0])
    }
}

/// A tensor after one step of AdamW, and its moments; those before the first step are `None`.
pub fn adamw(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<TensorMoments>,
    update: &AdamWUpdate,
) -> (Tensor<2>, TensorMoments) {
    let moments = TensorMoments::after(before, gradient.clone(), gradient.square(), update);
    let kept = if update.decay == 0.0 { value } else { value * (1.0 - update.rate * update.decay) };
    (kept - moments.movement(update), moments)
}

/// How one step moves the parameters of a run.
#[derive(Clone, Debug)]
pub struct StepUpdate {
    /// How the plan wants them moved.
    pub settings: OptimiserSettings,
    /// The learning rate.
    pub rate: f64,
    /// Number of the step, from 1.
    pub number: u32,
    /// Norm of the gradients of all weights together: `[1]`. Points of the ball are not among them.
    pub norm: Tensor<1>,
}

impl StepUpdate {
    /// What gradients are multiplied by so that they are no longer than the plan allows: `[1, 1]`, 1 where they are
    /// short enough.
    pub fn clip_factor(&self) -> Tensor<2> {
        ((self.norm.clone() + LEAST_GRAD_NORM).recip() * self.settings.clip).clamp_max(1.0).reshape([1, 1])
    }

    /// The learning rate of points of hyperbolic space.
    pub fn points_rate(&self) -> f64 {
        self.rate * self.settings.points_rate.unwrap_or(1.0)
    }

    /// The update of points that make their step of this number, from 1; they do not decay.
    pub fn of_points(&self, number: u32) -> AdamWUpdate {
        AdamWUpdate { rate: self.points_rate(), number, ..self.of_weights(false) }
    }

    /// The update of a matrix, which decays, or of a vector, which does not.
    pub fn of_weights(&self, decays: bool) -> AdamWUpdate {
        let OptimiserSettings { betas, epsilon, weight_decay, .. } = self.settings;
        let decay = if decays { weight_decay } else { 0.0 };
        AdamWUpdate { rate: self.rate, betas, epsilon, decay, number: self.number }
    }
}

/// The adaptive optimiser of a run: AdamW for weights, and the moments of all that has some.
#[derive(Clone, Debug, Default)]
pub struct AdamW {
    /// Moments by the names of the tensors.
    pub moments: BTreeMap<String, TensorMoments>,
}

impl AdamW {
    /// A tensor after a step; its moments are kept.
    pub fn moved(&mut self, name: &str, value: Tensor<2>, gradient: Tensor<2>, update: &AdamWUpdate) -> Tensor<2> {
        let (moved, moments) = adamw(value, gradient, self.moments.remove(name), update);
        self.moments.insert(name.to_owned(), moments);
        moved
    }

    /// Moves every parameter that has a gradient, and takes these gradients out.
    pub fn step<G>(
        &mut self,
        parameters: Vec<(ParameterSpec<G>, Value<'_>)>,
        gradients: &mut GradientSum,
        update: &StepUpdate,
    ) {
        let factor = update.clip_factor();
        for (place, mut value) in parameters {
            let Some(gradient) = gradients.by_name.remove(&place.name) else { continue };
            let gradient = gradient * factor.clone();
            let moved = self.moved(&place.name, value.tensor(), gradient, &update.of_weights(place.decays));
            value.set(moved, Some(true));
        }
    }
}

#[cfg(test)]
#[path = "optimiser_tests.rs"]
mod tests;
