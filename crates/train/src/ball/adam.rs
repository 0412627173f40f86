//! [`RiemannianAdam`] in the Poincaré ball, with the steps of geoopt's `PoincareBallExact`; the length of gradients in
//! the ball; and the pull of points back to where they began.

use super::PoincareBall;
use crate::adamw::TensorMoments;
use crate::riemannian_adam::RiemannianAdam;
use burn::tensor::Tensor;

/// Number added to the length of the gradient before the clip is divided by it, as in PyTorch.
const LEAST_LENGTH: f64 = 1e-6;

/// The decay of an update is ignored: [`PoincareBall::pulled`] replaces it. Steps follow the geodesic exactly (geoopt's
/// plain `PoincareBall` goes straight instead, which is the geodesic to first order).
impl RiemannianAdam for PoincareBall {
    fn gradient(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<2> {
        self.gradient(points, gradient)
    }

    fn squared_length(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2> {
        self.squared_length(points, tangents)
    }

    fn exp(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2> {
        self.exp(points, tangents)
    }

    fn transport(&self, from: Tensor<2>, to: Tensor<2>, tangents: Tensor<2>) -> Tensor<2> {
        self.transport(from, to, tangents)
    }
}

impl PoincareBall {
    /// Returns the Riemannian length of the gradients of all points together, given by their coordinates: `[1]`.
    pub fn gradient_length(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<1> {
        // |(g / λ²)| λ = |g| / λ.
        (gradient * self.inside(points) / 2.0).square().sum().sqrt()
    }

    /// Scales the gradients of all points by one factor so that their Riemannian length together is at most `most`.
    pub fn clipped(&self, points: Tensor<2>, gradient: Tensor<2>, most: f64) -> Tensor<2> {
        let length = self.gradient_length(points, gradient.clone());
        gradient * ((length + LEAST_LENGTH).recip() * most).clamp_max(1.0).reshape([1, 1])
    }

    /// Moves points by `share` (at most 1) of their way back to `start`, and transports their moments along. With the
    /// share equal to the rate times a strength, this is a descent step on half that strength times the squared
    /// distances. It is separate from Adam's step, as AdamW's decay is: as part of the gradient, it would send a point
    /// that the loss does not depend on back at the full rate, however weak the pull.
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
