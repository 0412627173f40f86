//! Riemannian Adam (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019,
//! <https://arxiv.org/abs/1810.00760>): the moments and the bias correction of [`adamw`](crate::adamw), along
//! geodesics. The manifold says what a gradient, a length, a geodesic and a transport are on it.
//!
//! Nothing is read from the device, so it runs wherever burn does.

use crate::adamw::TensorMoments;
use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// A manifold whose points, one in a row of a tensor, can learn by Adam.
///
/// # Shapes
/// `[points, coordinates]` twice or three times to the same; of [`RiemannianAdam::squared_length`] to `[points, 1]`, or
/// the same number in every column.
pub trait RiemannianAdam {
    /// The Riemannian gradient at points, from the one by their coordinates.
    fn gradient(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<2>;

    /// The squared Riemannian length of tangent vectors at points.
    fn squared_length(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Where geodesics that leave points along tangent vectors are after a time of one.
    fn exp(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Tangent vectors at the one points as they are at the others, carried along the geodesics between them.
    fn transport(&self, from: Tensor<2>, to: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Points after one step, and their moments; those before the first step are `None`.
    ///
    /// A point is one factor of the manifold: the second moment is of its gradient's squared length, one number for
    /// each point. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly.
    ///
    /// # Shapes
    /// `[points, coordinates]`, the gradient by coordinates and the first moment too; the second as
    /// [`RiemannianAdam::squared_length`] has it.
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
