//! Riemannian Adam on the hyperboloid for burn's modules (Bécigneul and Ganea, "Riemannian adaptive optimization
//! methods", ICLR 2019).
//!
//! For the parameters whose rows are points: hand it to `ModuleOptimizer::with_group` beside an optimiser for all
//! others. Nothing is read from the device, so it runs wherever burn does.

use crate::Lorentz;
use burn::optim::{AdamState, AdaptiveMomentumState, LearningRate, Optimizer};
use burn::tensor::{Device, Tensor};

/// The optimiser. The last axis of a parameter holds the coordinates of one point, the time-like one first.
///
/// A point is one factor of the manifold: the second moment is of its gradient's squared length, one number for each
/// point. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct RiemannianAdam {
    lorentz: Lorentz,
    /// Share of the first moment that is kept.
    pub beta_1: f32,
    /// Share of the second moment that is kept.
    pub beta_2: f32,
    /// Added to the root of the second moment.
    pub epsilon: f32,
}

impl RiemannianAdam {
    /// With the usual 0.9, 0.999 and 1e-8.
    pub fn new(lorentz: Lorentz) -> Self {
        Self { lorentz, beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8 }
    }

    /// The Riemannian gradient at points, from the one by their coordinates: the time-like part changes its sign by the
    /// metric, and what is not tangent goes.
    pub fn gradient<const D: usize>(&self, points: Tensor<D>, gradient: Tensor<D>) -> Tensor<D> {
        let (time, space) = (Lorentz::time(gradient.clone()).neg(), Lorentz::space(gradient));
        self.lorentz.tangent(points, Tensor::cat(vec![time, space], D - 1))
    }
}

impl Optimizer for RiemannianAdam {
    type State<const D: usize> = AdamState<D>;

    /// # Shapes
    /// `tensor` and `grad` `[…, n + 1]`; of the state the first moment likewise, the second `[…, 1]`.
    fn step<const D: usize>(
        &self,
        lr: LearningRate,
        tensor: Tensor<D>,
        grad: Tensor<D>,
        state: Option<Self::State<D>>,
    ) -> (Tensor<D>, Option<Self::State<D>>) {
        let gradient = self.gradient(tensor.clone(), grad);
        let square = self.lorentz.squared_length(tensor.clone(), gradient.clone());
        let (fresh_1, fresh_2) = (gradient * (1.0 - self.beta_1), square * (1.0 - self.beta_2));
        let (time, first, second) = match state.map(|state| state.momentum) {
            Some(AdaptiveMomentumState { time, moment_1, moment_2, .. }) => {
                (time + 1, moment_1 * self.beta_1 + fresh_1, moment_2 * self.beta_2 + fresh_2)
            }
            None => (1, fresh_1, fresh_2),
        };
        let power = |beta: f32| 1.0 - f64::from(beta).powi(i32::try_from(time).unwrap_or(i32::MAX));
        let root = power(self.beta_2).sqrt();
        let size = second.clone().sqrt() + f64::from(self.epsilon) * root;
        let towards = first.clone() * (-lr * root / power(self.beta_1)) / size;
        let reached = self.lorentz.exp(tensor.clone(), towards);
        let first = self.lorentz.transport(tensor, reached.clone(), first);
        (reached, Some(AdamState::new(AdaptiveMomentumState::new(time, first, second))))
    }

    fn to_device<const D: usize>(mut state: Self::State<D>, device: &Device) -> Self::State<D> {
        state.momentum = state.momentum.to_device(device);
        state
    }
}

#[cfg(test)]
#[path = "riemannian_adam_tests.rs"]
mod tests;
