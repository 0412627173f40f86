//! AdamW (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>) as PyTorch computes it: two moments for every
//! number.
//!
//! The same step serves points of hyperbolic space: points of the Poincaré ball ([`ball`](crate::ball)) and of the
//! hyperboloid in the crate `hyperbolic` store the same [`TensorMoments`] and move by the same fraction of them.

use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// First and second moment of one tensor. A point has a single second moment, that of its gradient's squared length.
#[derive(Clone, Debug)]
pub struct TensorMoments {
    /// Moving average of the gradient.
    pub first: Tensor<2>,
    /// Moving average of the square of the gradient.
    pub second: Tensor<2>,
}

impl TensorMoments {
    /// Returns the moments after a gradient and its `square`, given number by number or once per row; `before` is
    /// `None` at the first step.
    pub fn after(before: Option<Self>, gradient: Tensor<2>, square: Tensor<2>, update: &TensorUpdate) -> Self {
        let [beta_1, beta_2] = update.betas;
        let (fresh, square) = (gradient * (1.0 - beta_1), square * (1.0 - beta_2));
        match before {
            Some(Self { first, second }) => Self { first: first * beta_1 + fresh, second: second * beta_2 + square },
            None => Self { first: fresh, second: square },
        }
    }

    /// Returns the amount to subtract from a tensor with these moments: rate · m̂ / (√v̂ + ε), where m̂ and v̂ are the
    /// moments divided by 1 − βᵗ, which corrects for their start at zero.
    pub fn movement(&self, update: &TensorUpdate) -> Tensor<2> {
        let left = update.betas.map(|beta| 1.0 - beta.powi(i32::try_from(update.number).unwrap_or(i32::MAX)));
        let size = self.second.clone().sqrt() / left[1].sqrt() + update.epsilon;
        self.first.clone() / size * (update.rate / left[0])
    }
}

/// Returns a tensor after one step of AdamW, and its moments; `before` is `None` at the first step.
pub fn adamw(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<TensorMoments>,
    update: &TensorUpdate,
) -> (Tensor<2>, TensorMoments) {
    let moments = TensorMoments::after(before, gradient.clone(), gradient.square(), update);
    (update.decayed(value) - moments.movement(update), moments)
}
