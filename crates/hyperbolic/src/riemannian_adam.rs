//! Riemannian Adam on the hyperboloid (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019): the
//! moments and the bias correction of [`optimiser`](tuppum_train::optimiser), along geodesics.
//!
//! Nothing is read from the device, so it runs wherever burn does.

use crate::Lorentz;
use burn::tensor::Tensor;
use tuppum_train::optimiser::{AdamWUpdate, TensorMoments};

impl Lorentz {
    /// The Riemannian gradient at points, from the one by their coordinates: the time-like part changes its sign by the
    /// metric, and the part that is not tangent is removed.
    ///
    /// # Shapes
    /// `[…, n + 1]` twice to `[…, n + 1]`.
    pub fn gradient<const D: usize>(&self, points: Tensor<D>, gradient: Tensor<D>) -> Tensor<D> {
        let (time, space) = (Self::time(gradient.clone()).neg(), Self::space(gradient));
        self.tangent(points, Tensor::cat(vec![time, space], D - 1))
    }

    /// Points after one step of Riemannian Adam, and their moments; those before the first step are `None`. Points do
    /// not decay.
    ///
    /// A point is one factor of the manifold: the second moment is of its gradient's squared length, one number for
    /// each point. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly.
    ///
    /// # Shapes
    /// `[points, n + 1]`, the gradient by coordinates and the first moment too; the second `[points, 1]`.
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
}

#[cfg(test)]
#[path = "riemannian_adam_tests.rs"]
mod tests;
