//! The hyperboloid for [`RiemannianAdam`], and the gradient along it.
//!
//! Nothing is read from the device, so it runs wherever burn does.

use crate::Lorentz;
use burn::tensor::Tensor;
use tuppum_train::update_rules::RiemannianAdam;

impl Lorentz {
    /// Returns the Riemannian gradient at points, from the one by their coordinates: the time-like part changes its
    /// sign by the metric, and the part that is not tangent is removed.
    ///
    /// # Shapes
    /// `[…, n + 1]` twice to `[…, n + 1]`.
    pub fn gradient<const D: usize>(&self, points: Tensor<D>, gradient: Tensor<D>) -> Tensor<D> {
        let (time, space) = (Self::time(gradient.clone()).neg(), Self::space(gradient));
        self.tangent(points, Tensor::cat(vec![time, space], D - 1))
    }
}

/// Points do not decay.
impl RiemannianAdam for Lorentz {
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

#[cfg(test)]
#[path = "riemannian_adam_tests.rs"]
mod tests;
