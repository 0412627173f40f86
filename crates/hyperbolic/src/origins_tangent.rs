//! The maps between the hyperboloid and the tangent space of its origin, for layers that make the detour by it (Eq. 2).

use super::Lorentz;
use burn::tensor::Tensor;

/// Added to squared lengths under a root by which is divided; of vectors that short both maps change nothing.
const LENGTH_FLOOR: f64 = 1e-12;

impl Lorentz {
    /// Returns the logarithmic map at the origin: arsinh(√-K |s|) / (√-K |s|) · s with s = x's space-like coordinates,
    /// which are all that a tangent vector there has: `[…, n + 1]` to `[…, n]`. The same as by arcosh of the time-like
    /// coordinate, but near the origin no digit is lost.
    pub fn origin_log<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        let space = Self::space(x);
        let reach = self.scaled_length(space.clone());
        let root = (reach.clone().square() + 1.0).sqrt();
        // arsinh z = log1p(z + z² / (1 + √(1 + z²))), all terms positive.
        let distance = (reach.clone() + reach.clone().square() / (root + 1.0)).log1p();
        space * (distance / reach)
    }

    /// Returns the space-like coordinates of the exponential map at the origin: sinh(√-K |u|) / (√-K |u|) · u: `[…, n]`
    /// to `[…, n]`. Beyond a length of 44 / √-K the squares of the result are no numbers of f32.
    pub fn origin_exp<const D: usize>(&self, u: Tensor<D>) -> Tensor<D> {
        let length = self.scaled_length(u.clone());
        u * (length.clone().sinh() / length)
    }

    /// √-K |s|: `[…, n]` to `[…, 1]`.
    fn scaled_length<const D: usize>(&self, s: Tensor<D>) -> Tensor<D> {
        (s.square().sum_dim(D - 1) * -self.curvature() + LENGTH_FLOOR).sqrt()
    }
}
