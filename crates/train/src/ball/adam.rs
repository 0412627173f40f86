//! Riemannian Adam in the Poincaré ball (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019,
//! <https://arxiv.org/abs/1810.00760>), as geoopt's `RiemannianAdam` takes it on `PoincareBallExact`: the moments and
//! the bias correction of [`optimiser`](crate::optimiser), along geodesics.

use super::PoincareBall;
use crate::optimiser::{AdamWUpdate, TensorMoments};
use burn::tensor::Tensor;

/// Added to the length of the gradient before the longest is divided by it, as in PyTorch.
const LEAST_LENGTH: f64 = 1e-6;

impl PoincareBall {
    /// The Riemannian length of the gradients of all points together, given by their coordinates: `[1]`.
    pub fn gradient_length(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<1> {
        // |(g / λ²)| λ = |g| / λ.
        (gradient * self.inside(points) / 2.0).square().sum().sqrt()
    }

    /// The gradients of points, all cut alike so that their Riemannian length together is at most `most`.
    pub fn clipped(&self, points: Tensor<2>, gradient: Tensor<2>, most: f64) -> Tensor<2> {
        let length = self.gradient_length(points, gradient.clone());
        gradient * ((length + LEAST_LENGTH).recip() * most).clamp_max(1.0).reshape([1, 1])
    }

    /// Points after one step of Riemannian Adam, and their moments; those before the first step are `None`. The decay
    /// of the update is passed over: [`PoincareBall::pulled`] stands for it.
    ///
    /// A point is one factor of the manifold: the second moment is of its gradient's squared length, one number for
    /// each point. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly
    /// (geoopt's plain `PoincareBall` goes straight instead, which is the geodesic to first order).
    ///
    /// # Shapes
    /// `[points, dimensions]`, the gradient by coordinates and the first moment too; the second `[points, 1]`, or the
    /// same number in every column.
    pub fn adam(
        &self,
        points: Tensor<2>,
        gradient: Tensor<2>,
        before: Option<TensorMoments>,
        update: &AdamWUpdate,
    ) -> (Tensor<2>, TensorMoments) {
        let gradient = self.gradient(points.clone(), gradient);
        let square = self.squared_length(points.clone(), gradient.clone());
        let moments = TensorMoments::after(before, gradient, square, update);
        let reached = self.exp(points.clone(), moments.movement(update).neg());
        let first = self.transport(points, reached.clone(), moments.first);
        (reached, TensorMoments { first, ..moments })
    }

    /// Points that have gone the `share` of their way back to `start`, at most all of it, and their moments carried
    /// along. With the rate times a strength for the share this is a step down half that strength times the squared
    /// distances, taken apart from Adam's as AdamW takes its decay: were it part of the gradient, a point that the loss
    /// has nothing to say of would go back at the full rate, however weak the pull.
    pub fn pulled(
        &self,
        points: Tensor<2>,
        start: Tensor<2>,
        share: f64,
        moments: TensorMoments,
    ) -> (Tensor<2>, TensorMoments) {
        let reached = self.towards(points.clone(), start, share.min(1.0));
        let first = self.transport(points, reached.clone(), moments.first);
        (reached, TensorMoments { first, ..moments })
    }
}

#[cfg(test)]
#[path = "adam_tests.rs"]
mod tests;
