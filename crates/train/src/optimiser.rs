//! The optimiser of a run: sums the gradients of several batches, clips the gradient of all tensors together, then
//! moves each tensor by AdamW, Adafactor or Muon, as the plan says.
//!
//! Moments are plain tensors under the names of the model's tensors, so that they can be written and read like weights.
//! Nothing is read from the device.

use crate::update_rules::{SquareMeans, TensorMoments, TensorUpdate, adafactor, adamw, muon};
use burn::tensor::{Device, Gradients, Tensor};
use std::collections::BTreeMap;
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_nn::parameters::{ParameterSpec, Value};

/// Gradients by the names of their tensors, summed batch by batch.
#[derive(Debug, Default)]
pub struct GradientSum {
    pub(crate) by_name: BTreeMap<String, Tensor<2>>,
}

impl GradientSum {
    /// Removes the gradients of these parameters from `gradients` and adds them.
    pub fn add<'m, G>(
        &mut self,
        parameters: impl IntoIterator<Item = (ParameterSpec<G>, Value<'m>)>,
        gradients: &mut Gradients,
    ) {
        for (place, value) in parameters {
            if let Some(gradient) = value.gradient(gradients) {
                self.add_one(place.name, gradient);
            }
        }
    }

    /// Adds all gradients of another sum.
    pub fn add_sum(&mut self, other: Self) {
        other.by_name.into_iter().for_each(|(name, gradient)| self.add_one(name, gradient));
    }

    /// Adds the gradient of one tensor.
    pub fn add_one(&mut self, name: String, gradient: Tensor<2>) {
        let sum = match self.by_name.remove(&name) {
            Some(before) => before + gradient,
            None => gradient,
        };
        self.by_name.insert(name, sum);
    }

    /// Returns the norm of all gradients together: `[1]`.
    pub fn norm(&self, device: &Device) -> Tensor<1> {
        self.norm_of(device, |_| true)
    }

    /// Returns the norm of the gradients of all tensors whose name satisfies `counts`: `[1]`.
    pub fn norm_of(&self, device: &Device, counts: impl Fn(&str) -> bool) -> Tensor<1> {
        let zero = Tensor::<1>::zeros([1], device);
        let counted = self.by_name.iter().filter(|(name, _)| counts(name));
        counted.fold(zero, |sum, (_, gradient)| sum + gradient.clone().square().sum()).sqrt()
    }
}

/// Number added to the norm of the gradient before the clip is divided by it, as in PyTorch.
const LEAST_GRAD_NORM: f64 = 1e-6;

/// Settings and gradient norm of one step.
#[derive(Clone, Debug)]
pub struct StepUpdate {
    pub settings: OptimiserSettings,
    /// Learning rate of this step.
    pub rate: f64,
    /// Number of the step, from 1.
    pub number: u32,
    /// Norm of the gradients of all weights together, without the points of the ball: `[1]`.
    pub norm: Tensor<1>,
}

impl StepUpdate {
    /// Returns the factor by which gradients are multiplied so that their norm is at most the plan's: `[1, 1]`, 1 if
    /// they are short enough.
    pub fn clip_factor(&self) -> Tensor<2> {
        // One factor for all tensors keeps the direction of the gradient; clipping each tensor by itself would turn it.
        // The factor stays a tensor, since reading the norm would wait for the device.
        ((self.norm.clone() + LEAST_GRAD_NORM).recip() * self.settings.clip).clamp_max(1.0).reshape([1, 1])
    }

    /// Returns the learning rate of points of hyperbolic space.
    pub fn points_rate(&self) -> f64 {
        self.rate * self.settings.points_rate.unwrap_or(1.0)
    }

    /// Returns the update of points that make this step, counted from 1; points do not decay.
    pub fn of_points(&self, number: u32) -> TensorUpdate {
        TensorUpdate { rate: self.points_rate(), number, ..self.of_weights(false) }
    }

    /// Returns the update of a matrix, which decays, or of a vector, which does not.
    pub fn of_weights(&self, decays: bool) -> TensorUpdate {
        let OptimiserSettings { betas, epsilon, weight_decay, .. } = self.settings;
        let decay = if decays { weight_decay } else { 0.0 };
        TensorUpdate { rate: self.rate, betas, epsilon, decay, number: self.number }
    }
}

/// Prefixes in the file of a run of Adafactor's means by row and by column, and of Muon's momenta.
pub const REMEMBERED: [&str; 3] = ["rows.", "columns.", "momentum."];

/// Rule by which one tensor is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TensorRule {
    AdamW,
    Adafactor,
    /// Muon, for maps that lie side by side, with their numbers of columns.
    Muon(Vec<usize>),
}

impl TensorRule {
    /// Returns the rule for a parameter of a model: Muon moves linear maps only.
    pub fn of<G>(rule: OptimiserRule, place: &ParameterSpec<G>) -> Self {
        match (rule, place.maps()) {
            (OptimiserRule::Muon, Some(columns)) => Self::Muon(columns),
            _ => Self::beside(rule),
        }
    }

    /// Returns the rule for a tensor that is not a linear map of a model.
    pub fn beside(rule: OptimiserRule) -> Self {
        match rule {
            OptimiserRule::AdamW | OptimiserRule::Muon => Self::AdamW,
            OptimiserRule::Adafactor => Self::Adafactor,
        }
    }
}

/// State of the optimisers by the names of the tensors. Each tensor is in one of the three.
#[derive(Clone, Debug, Default)]
pub struct Optimiser {
    /// Moments of tensors moved by AdamW, and of points.
    pub moments: BTreeMap<String, TensorMoments>,
    /// Means of tensors moved by Adafactor.
    pub means: BTreeMap<String, SquareMeans>,
    /// Momenta of tensors moved by Muon.
    pub momenta: BTreeMap<String, Tensor<2>>,
}

impl Optimiser {
    /// Returns a tensor after a step, and stores its new state.
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

    /// Returns the state other than moments, to be written: tensors whose names begin with one of [`REMEMBERED`].
    pub fn remembered(&self) -> Vec<(String, Tensor<2>)> {
        let [rows, columns, momentum] = REMEMBERED;
        let of_means = self.means.iter().flat_map(|(name, means)| {
            [(format!("{rows}{name}"), means.rows.clone()), (format!("{columns}{name}"), means.columns.clone())]
        });
        let momenta = self.momenta.iter().map(|(name, tensor)| (format!("{momentum}{name}"), tensor.clone()));
        of_means.chain(momenta).collect()
    }

    /// Moves every parameter that has a gradient, and removes these gradients.
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
