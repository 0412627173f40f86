//! What moves the parameters of a run after the gradient of all tensors together has been cut to a length: AdamW,
//! Adafactor or Muon, as the plan has it.
//!
//! Moments are plain tensors by the names of the model's, so that they can be written and read like weights. Nothing is
//! read from the device.

use crate::adafactor::{SquareMeans, adafactor};
use crate::adamw::{TensorMoments, adamw};
use crate::gradient_sum::GradientSum;
use crate::muon::muon;
use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;
use std::collections::BTreeMap;
use tuppum_nn::parameters::{ParameterSpec, Value};
use tuppum_tasks::training::{OptimiserRule, OptimiserSettings};

/// Added to the norm of the gradient before the longest is divided by it, as in PyTorch.
const LEAST_GRAD_NORM: f64 = 1e-6;

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
    pub fn of_points(&self, number: u32) -> TensorUpdate {
        TensorUpdate { rate: self.points_rate(), number, ..self.of_weights(false) }
    }

    /// The update of a matrix, which decays, or of a vector, which does not.
    pub fn of_weights(&self, decays: bool) -> TensorUpdate {
        let OptimiserSettings { betas, epsilon, weight_decay, .. } = self.settings;
        let decay = if decays { weight_decay } else { 0.0 };
        TensorUpdate { rate: self.rate, betas, epsilon, decay, number: self.number }
    }
}

/// What the names of Adafactor's means by row and column, and of Muon's momenta, begin with in the file of a run.
pub const REMEMBERED: [&str; 3] = ["rows.", "columns.", "momentum."];

/// What one tensor is moved by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TensorRule {
    /// AdamW.
    AdamW,
    /// Adafactor.
    Adafactor,
    /// Muon, over maps that lie side by side, with so many columns each.
    Muon(Vec<usize>),
}

impl TensorRule {
    /// That of a parameter of a model: Muon moves linear maps only.
    pub fn of<G>(rule: OptimiserRule, place: &ParameterSpec<G>) -> Self {
        match (rule, place.maps()) {
            (OptimiserRule::Muon, Some(columns)) => Self::Muon(columns),
            _ => Self::beside(rule),
        }
    }

    /// That of a tensor which is no map of a model.
    pub fn beside(rule: OptimiserRule) -> Self {
        match rule {
            OptimiserRule::AdamW | OptimiserRule::Muon => Self::AdamW,
            OptimiserRule::Adafactor => Self::Adafactor,
        }
    }
}

/// What a run remembers of the gradients of its parameters, by the names of the tensors. A tensor is in one of the
/// three.
#[derive(Clone, Debug, Default)]
pub struct Optimiser {
    /// Of those that AdamW moves, and of points.
    pub moments: BTreeMap<String, TensorMoments>,
    /// Of those that Adafactor moves.
    pub means: BTreeMap<String, SquareMeans>,
    /// Of those that Muon moves.
    pub momenta: BTreeMap<String, Tensor<2>>,
}

impl Optimiser {
    /// A tensor after a step; what is to be remembered is kept.
    pub fn moved(
        &mut self,
        name: &str,
        value: Tensor<2>,
        gradient: Tensor<2>,
        update: &TensorUpdate,
        rule: &TensorRule,
    ) -> Tensor<2> {
        let key = name.to_owned();
        match rule {
            TensorRule::AdamW => {
                let (moved, moments) = adamw(value, gradient, self.moments.remove(name), update);
                self.moments.insert(key, moments);
                moved
            }
            TensorRule::Adafactor => {
                let (moved, means) = adafactor(value, gradient, self.means.remove(name), update);
                self.means.insert(key, means);
                moved
            }
            TensorRule::Muon(columns) => {
                let (moved, momentum) = muon(value, gradient, self.momenta.remove(name), update, columns);
                self.momenta.insert(key, momentum);
                moved
            }
        }
    }

    /// What is remembered beside moments, to be written: tensors with names of their own, of which
    /// [`REMEMBERED`] are the beginnings.
    pub fn remembered(&self) -> Vec<(String, Tensor<2>)> {
        let [rows, columns, momentum] = REMEMBERED;
        let of_means = self.means.iter().flat_map(|(name, means)| {
            [(format!("{rows}{name}"), means.rows.clone()), (format!("{columns}{name}"), means.columns.clone())]
        });
        let momenta = self.momenta.iter().map(|(name, tensor)| (format!("{momentum}{name}"), tensor.clone()));
        of_means.chain(momenta).collect()
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
            let rule = TensorRule::of(update.settings.rule, &place);
            let moved = self.moved(&place.name, value.tensor(), gradient, &update.of_weights(place.decays), &rule);
            value.set(moved, Some(true));
        }
    }
}

#[cfg(test)]
#[path = "optimiser_tests.rs"]
mod tests;
