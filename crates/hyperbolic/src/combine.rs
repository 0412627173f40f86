//! Operations that make one point of several: sums, positions, centroids, heads side by side.

use super::Lorentz;
use burn::tensor::Tensor;

/// Least -⟨m, m⟩ by which a centroid is scaled, as a share of m₀². Sums of points are time-like; only rounding can say
/// otherwise.
const TIME_LIKE: f64 = 1e-7;

impl Lorentz {
    /// Returns the point over the sum of x's and y's space-like coordinates. It is a residual that needs no weights;
    /// that of the paper (Eq. 7) is [`LorentzLinear::space_onto`](super::LorentzLinear::space_onto), which normalises
    /// after the sum.
    ///
    /// # Shapes
    /// `[…, n + 1]` twice to `[…, n + 1]`.
    pub fn residual<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        self.lift(Self::space(x) + Self::space(y))
    }

    /// Adds the vectors of positions to the space-like coordinates, like the bias of a linear layer. The paper's
    /// position encoding also multiplies the point by a matrix
    /// ([`LorentzLinear::space_onto`](super::LorentzLinear::space_onto)).
    ///
    /// # Shapes
    /// `[…, n + 1]` and `[…, n]` to `[…, n + 1]`.
    pub fn at_positions<const D: usize>(&self, x: Tensor<D>, positions: Tensor<D>) -> Tensor<D> {
        self.lift(Self::space(x) + positions)
    }

    /// Returns the centroids of points (Eq. 4): Σ νⱼxⱼ / (√-K · √-⟨Σ νⱼxⱼ, Σ νⱼxⱼ⟩), where Σ νⱼ d²(xⱼ, ·) is least.
    ///
    /// # Shapes
    /// Weights `[…, i, j]`, not negative and not all 0 in a row, and points `[…, j, n + 1]` to `[…, i, n + 1]`.
    pub fn centroids<const D: usize>(&self, weights: Tensor<D>, points: Tensor<D>) -> Tensor<D> {
        self.centroid_of_sum(weights.matmul(points))
    }

    /// Returns the centroid that a weighed sum of points leads to (Eq. 4): the sum scaled onto the hyperboloid.
    ///
    /// # Shapes
    /// `[…, n + 1]` to itself.
    pub fn centroid_of_sum<const D: usize>(&self, sum: Tensor<D>) -> Tensor<D> {
        let (time, space) = (Self::time(sum.clone()), Self::space(sum));
        let square = time.clone().square() - space.clone().square().sum_dim(D - 1);
        let size = square.max_pair(time.square() * TIME_LIKE).sqrt() * (-self.curvature()).sqrt();
        self.lift(space / size)
    }

    /// Joins heads side by side (Eq. 6): the space-like coordinates one after the other under one time-like coordinate,
    /// √(Σ tᵢ² + (N - 1)/K), which is what lifting gives.
    ///
    /// # Shapes
    /// `[batch, heads, places, n + 1]` to `[batch, places, heads · n + 1]`.
    pub fn heads_joined(&self, heads: Tensor<4>) -> Tensor<3> {
        let [batch, count, places, width] = heads.dims();
        self.lift(Self::space(heads).swap_dims(1, 2).reshape([batch, places, count * (width - 1)]))
    }

    /// Returns the space-like coordinates of points cut into heads, each lifted on its own.
    ///
    /// # Shapes
    /// `[batch, places, heads · n]` to `[batch, heads, places, n + 1]`.
    pub fn heads_apart(&self, space: Tensor<3>, heads: usize) -> Tensor<4> {
        let [batch, places, width] = space.dims();
        self.lift(space.reshape([batch, places, heads, width / heads]).swap_dims(1, 2))
    }
}
