//! Hyperbolic attention in a Euclidean network (Gulcehre et al., "Hyperbolic Attention Networks", ICLR 2019,
//! <https://arxiv.org/abs/1805.09786>), which the paper compares with as HATT.

use super::super::Lorentz;
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData, activation};

/// Number added to squared lengths by which directions are divided.
const LENGTH_FLOOR: f64 = 1e-12;
/// Minimum squared distance of a query and a key: what f32 leaves of the product of equal points, so that no gradient
/// grows beyond 1e3.
const DISTANCE_FLOOR: f64 = 1e-6;

/// Attention by distance in hyperbolic space. The numbers of a Euclidean layer are a point's pseudo-polar coordinates,
/// a direction and then a radius; weights are softmax of -β d(q, k) with d the geodesic distance; values meet in
/// Einstein's midpoint, which is given in Klein's coordinates. The constant c of the source, which a softmax would
/// ignore, is left out.
#[derive(Module, Debug)]
pub struct HyperbolicMatching {
    /// β: `[1]`.
    pub beta: Param<Tensor<1>>,
}

impl HyperbolicMatching {
    /// Returns attention with β = 1.
    pub fn new(device: &Device) -> Self {
        Self { beta: Param::from_data(TensorData::new(vec![1.0f32], [1]), device) }
    }

    /// Returns what each query gathers from the values.
    ///
    /// # Shapes
    /// `[batch, heads, i, n + 1]`, `[batch, heads, j, n + 1]` twice, and a mask that is added to the logits; the result
    /// is `[batch, heads, i, n]`, no row longer than 1.
    pub fn attend(&self, q: Tensor<4>, k: Tensor<4>, v: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
        let logits = distances(point(q), point(k)).neg() * self.beta.val().reshape([1, 1, 1, 1]);
        let weights = activation::softmax(mask.map_or(logits.clone(), |mask| logits + mask), 3);
        // In Klein's coordinates a point is its space-like coordinates over the time-like one, which is also the weight
        // γ of Einstein's midpoint: Σ α γ (s / γ) / Σ α γ.
        let sum = weights.matmul(point(v));
        Lorentz::space(sum.clone()) / Lorentz::time(sum)
    }
}

/// Returns the point of a direction, which need not be of length 1, and a radius: `[…, n + 1]` to `[…, n + 1]`.
fn point(coordinates: Tensor<4>) -> Tensor<4> {
    let last = coordinates.dims()[3] - 1;
    let (direction, radius) = (coordinates.clone().narrow(3, 0, last), coordinates.narrow(3, last, 1));
    let length = (direction.clone().square().sum_dim(3) + LENGTH_FLOOR).sqrt();
    Lorentz::UNIT.lift(direction * (radius.sinh() / length))
}

/// Returns the geodesic distance of every query to every key: 2 arsinh(√⟨q - k, q - k⟩ / 2).
fn distances(q: Tensor<4>, k: Tensor<4>) -> Tensor<4> {
    let half = (Lorentz::UNIT.squared_distances(q, k).clamp_min(0.0) + DISTANCE_FLOOR).sqrt() / 2.0;
    let square = half.clone().square();
    // arsinh z = log1p(z + z² / (1 + √(1 + z²))), all terms positive.
    (half + square.clone() / ((square + 1.0).sqrt() + 1.0)).log1p() * 2.0
}

#[cfg(test)]
#[path = "hyperbolic_matching_tests.rs"]
mod tests;
