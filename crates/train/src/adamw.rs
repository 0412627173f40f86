//! AdamW (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>, as PyTorch computes it): two moments for
//! every number.
//!
//! This is the one adaptive step over points as well: those of the Poincaré ball ([`ball`](crate::ball)) and of the
//! hyperboloid, of which `hyperbolic` knows, keep the same [`TensorMoments`] and move by the same share of them.

use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// First and second moment of one tensor. Of points each has one second moment, of its gradient's squared length.
#[derive(Clone, Debug)]
pub struct TensorMoments {
    /// Of the gradient.
    pub first: Tensor<2>,
    /// Of its square.
    pub second: Tensor<2>,
}

impl TensorMoments {
    /// The moments after a gradient and its `square`, number by number or one for each row; those before the first step
    /// are `None`.
    pub fn after(before: Option<Self>, gradient: Tensor<2>, square: Tensor<2>, update: &TensorUpdate) -> Self {
        let [beta_1, beta_2] = update.betas;
        let (fresh, square) = (gradient * (1.0 - beta_1), square * (1.0 - beta_2));
        match before {
            Some(Self { first, second }) => Self { first: first * beta_1 + fresh, second: second * beta_2 + square },
            None => Self { first: fresh, second: square },
        }
    }

    /// What is to be taken from a tensor for these moments of it: rate · m̂ / (√v̂ + ε), where m̂ and v̂ are the
    /// moments over 1 - βᵗ, corrected for having begun at zero.
    pub fn movement(&self, update: &TensorUpdate) -> Tensor<2> {
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
    update: &TensorUpdate,
) -> (Tensor<2>, TensorMoments) {
    let moments = TensorMoments::after(before, gradient.clone(), gradient.square(), update);
    (update.decayed(value) - moments.movement(update), moments)
}
