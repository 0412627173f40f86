//! Riemannian Adam (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019,
//! <https://arxiv.org/abs/1810.00760>): the moments and the bias correction of [`adamw`](crate::adamw), along
//! geodesics. The manifold defines gradient, length, geodesic and transport.
//!
//! Nothing is read from the device, so it runs wherever burn does.

use crate::adamw::TensorMoments;
use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// Manifold whose points, one per row of a tensor, can learn by Adam.
///
/// # Shapes
/// All arguments and results are `[points, coordinates]`, except the result of [`RiemannianAdam::squared_length`]:
/// `[points, 1]`, or the same number in every column.
pub trait RiemannianAdam {
    /// Returns the Riemannian gradient at points, given the gradient by coordinates.
    fn gradient(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<2>;

    /// Returns the squared Riemannian length of tangent vectors at points.
    fn squared_length(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Follows the geodesics that leave points along tangent vectors for a time of one, and returns their ends.
    fn exp(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Transports tangent vectors along the geodesics from one set of points to another.
    fn transport(&self, from: Tensor<2>, to: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Returns points after one step, and their moments; `before` is `None` at the first step.
    ///
    /// Each point is one factor of the manifold: its second moment is a single number, that of its gradient's squared
    /// length. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly.
    ///
    /// # Shapes
    /// Points, gradient by coordinates and first moment: `[points, coordinates]`; second moment: as the result of
    /// [`RiemannianAdam::squared_length`].
    fn adam(
        &self,
        points: Tensor<2>,
        gradient: Tensor<2>,
        before: Option<TensorMoments>,
        update: &TensorUpdate,
    ) -> (Tensor<2>, TensorMoments) {
        let gradient = self.gradient(points.clone(), gradient);
        let square = self.squared_length(points.clone(), gradient.clone());
        let moments = TensorMoments::after(before, gradient, square, update);
        let reached = self.exp(points.clone(), moments.movement(update).neg());
        let first = self.transport(points, reached.clone(), moments.first);
        (reached, TensorMoments { first, ..moments })
    }
}
