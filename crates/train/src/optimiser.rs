//! AdamW for weights (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>, as PyTorch computes it) and a Riemannian
//! gradient step for points of the Poincaré ball (Nickel and Kiela 2017, eq. 5, <https://arxiv.org/abs/1705.08039>); both after
//! the gradient of all tensors together has been cut to a length.
//!
//! Moments are plain tensors by the names of the model's, so that they can be written and read like weights. Nothing is read from
//! the device.

use crate::gradient_sum::Sum;
use crate::translator::additions::Additions;
use burn::tensor::Tensor;
use std::collections::BTreeMap;
use tuppum_nn::byt5::{ByT5, Place};
use tuppum_tasks::training::OptimiserSettings;
use tuppum_tasks::translation::training::Group;

/// How far from the rim of the ball a point stays, as a share of the radius.
const EDGE: f64 = 1e-5;
/// Least length that a point is divided by.
const LEAST_NORM: f64 = 1e-15;
/// Added to the length of the gradient before the longest is divided by it, as in PyTorch.
const LEAST_LENGTH: f64 = 1e-6;

/// First and second moment of one tensor.
#[derive(Clone, Debug)]
pub struct Moments {
    /// Of the gradient.
    pub first: Tensor<2>,
    /// Of its square.
    pub second: Tensor<2>,
}

/// One step of AdamW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
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

/// A tensor after one step of AdamW, and its moments; those before the first step are `None`.
pub fn adamw(value: Tensor<2>, gradient: Tensor<2>, before: Option<Moments>, update: &Update) -> (Tensor<2>, Moments) {
    let [beta_1, beta_2] = update.betas;
    let square = gradient.clone().square() * (1.0 - beta_2);
    let fresh = gradient * (1.0 - beta_1);
    let (first, second) = match before {
        Some(Moments { first, second }) => (first * beta_1 + fresh, second * beta_2 + square),
        None => (fresh, square),
    };
    let left = |beta: f64| 1.0 - beta.powi(i32::try_from(update.number).unwrap_or(i32::MAX));
    let size = second.clone().sqrt() / left(beta_2).sqrt() + update.epsilon;
    let moved = first.clone() / size * (update.rate / left(beta_1));
    let kept = if update.decay == 0.0 { value } else { value * (1.0 - update.rate * update.decay) };
    (kept - moved, Moments { first, second })
}

/// Points of the ball of curvature −c after one step: the gradient, rescaled by the inverse of the metric,
/// `(1 − c |x|²)² / 4`, is followed as in Euclid's space, which is the geodesic to first order, and what leaves the ball is
/// brought back to its rim. With c = 0 it is a step of Euclid's space at a quarter of the rate, which the ball has at its centre.
///
/// # Shapes
/// `[points, dimensions]`, the gradient too.
pub fn riemannian(points: Tensor<2>, gradient: Tensor<2>, rate: f64, curvature: f64) -> Tensor<2> {
    let inside = points.clone().square().sum_dim(1) * -curvature + 1.0;
    let moved = points - gradient * (inside.square() * (rate / 4.0));
    if curvature == 0.0 {
        return moved;
    }
    let norms = moved.clone().square().sum_dim(1).sqrt().clamp_min(LEAST_NORM);
    moved * (norms.recip() * ((1.0 - EDGE) / curvature.sqrt())).clamp_max(1.0)
}

/// What gradients of this length together, `[1]`, are multiplied by so that they are no longer than `longest`: `[1, 1]`, 1 where they are
/// short enough.
pub fn share(length: Tensor<1>, longest: f64) -> Tensor<2> {
    ((length + LEAST_LENGTH).recip() * longest).clamp_max(1.0).reshape([1, 1])
}

/// The optimiser of a run.
#[derive(Clone, Debug, Default)]
pub struct Optimiser {
    /// Moments by the names of the model's tensors; points have none.
    pub moments: BTreeMap<String, Moments>,
}

impl Optimiser {
    /// A tensor after a step of AdamW; its moments are kept.
    pub(crate) fn moved(&mut self, name: &str, value: Tensor<2>, gradient: Tensor<2>, update: &Update) -> Tensor<2> {
        let (moved, moments) = adamw(value, gradient, self.moments.remove(name), update);
        self.moments.insert(name.to_owned(), moments);
        moved
    }

    /// Moves every tensor that has a gradient. `length` is that of all gradients together; `number` counts steps from 1.
    pub(crate) fn step(
        &mut self,
        model: &mut ByT5,
        additions: Option<&mut Additions>,
        sum: Sum,
        length: Tensor<1>,
        settings: &OptimiserSettings,
        (rate, number): (f64, u32),
    ) {
        let share = share(length, settings.clip);
        let curvature = model.geometry().map_or(1.0, |geometry| geometry.curvature());
        let mut gradients = sum.by_name;
        for (place, mut value) in model.parameters_mut() {
            let Some(gradient) = gradients.remove(&place.name) else { continue };
            let gradient = gradient * share.clone();
            let moved = if place.group == Group::Points {
                riemannian(value.tensor(), gradient, rate * settings.points_rate.unwrap_or(1.0), curvature)
            } else {
                let update = update(&place, settings, rate, number);
                self.moved(&place.name, value.tensor(), gradient, &update)
            };
            value.set(moved, Some(true));
        }
        for (name, factor) in additions.into_iter().flat_map(Additions::factors_mut) {
            let Some(gradient) = gradients.remove(&name) else { continue };
            let update = Update { decay: settings.weight_decay, ..plain(settings, rate, number) };
            *factor = self.moved(&name, factor.clone(), gradient * share.clone(), &update);
        }
    }
}

fn update(place: &Place, settings: &OptimiserSettings, rate: f64, number: u32) -> Update {
    let decay = if place.decays { settings.weight_decay } else { 0.0 };
    Update { decay, ..plain(settings, rate, number) }
}

/// An update without decay.
fn plain(settings: &OptimiserSettings, rate: f64, number: u32) -> Update {
    Update { rate, betas: settings.betas, epsilon: settings.epsilon, decay: 0.0, number }
}

#[cfg(test)]
#[path = "optimiser_tests.rs"]
mod tests;
