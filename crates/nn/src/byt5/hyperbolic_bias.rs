//! The hyperbolic bias: `B_ij = −α · d(e_i, e_j)` is added to the attention logits between places i and j of the first
//! encoder blocks, in all heads. `e` are points of the Poincaré ball of curvature −c, and d is the length of the
//! geodesic, `arcosh(1 + u) / √c` with `u = 2 c |x − y|² / ((1 − c |x|²)(1 − c |y|²))` (Nickel & Kiela 2017,
//! <https://arxiv.org/abs/1705.08039>). Signs that are near in the tree of signs therefore attend to each other more.
//!
//! `arcosh(1 + u)` is computed as `log1p(u + √(u (u + 2) + 1e-9))`: it is exact for near points and has a gradient on
//! the diagonal, where the plain root gives NaN. In exchange, no distance is below 3.2e-5 / √c.
//!
//! With c = 0 the distance is the limit of the ball's distance as c falls, twice the Euclidean one: a table of the same
//! size for comparison.
//!
//! The bias is computed in two ways that give the same numbers. With gradients, distances are tensors and are looked up
//! by one-hot products `O · D · Oᵀ`, since the gradient of a gather is a serial loop on a GPU. Without gradients, the
//! few distinct points of a text are read back, and the table is computed and looked up in f64, which costs a few
//! microseconds per byte on any device.

use crate::error::{ByT5Error, OutsideBall, read};
use burn::module::{Module, Param};
use burn::tensor::{Device, Int, Tensor, TensorData};

/// Number added under the root of a distance.
pub const ROOT_FLOOR: f64 = 1e-9;
/// Lower bound of `(1 − c |x|²)(1 − c |y|²)`, which keeps distances finite for points that rounding put on the rim.
const RIM: f64 = 1e-10;

/// Points and strength of the hyperbolic bias.
#[derive(Module, Debug)]
pub struct HyperbolicBias {
    /// Points, `[N, 32]`, inside the ball of radius 1 / √c.
    points: Param<Tensor<2>>,
    /// Strength α, `[1]`.
    alpha: Param<Tensor<1>>,
    #[module(skip)]
    layers: usize,
    #[module(skip)]
    curvature: f64,
}

/// Distinct points of a batch.
struct Distinct {
    /// Numbers of the points, in ascending order.
    numbers: Vec<u32>,
    /// Index into `numbers` for every place of every row.
    places: Vec<usize>,
}

impl Distinct {
    fn of(rows: &[Vec<u32>]) -> Self {
        let mut numbers: Vec<u32> = rows.iter().flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let places = rows.iter().flatten().map(|number| numbers.partition_point(|before| before < number)).collect();
        Self { numbers, places }
    }
}

impl HyperbolicBias {
    /// Creates a bias over `values.len() / dimensions` points that reaches the first `layers` encoder blocks.
    ///
    /// # Errors
    /// [`OutsideBall`] names a point that lies outside the ball.
    pub fn new(
        values: Vec<f32>,
        dimensions: usize,
        alpha: f32,
        layers: usize,
        curvature: f64,
        device: &Device,
    ) -> Result<Self, OutsideBall> {
        let outside = |point: &[f32]| point.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() * curvature >= 1.0;
        if let Some(number) = values.chunks_exact(dimensions).position(outside) {
            return Err(OutsideBall { number, curvature });
        }
        let count = values.len() / dimensions;
        let points = Param::from_data(TensorData::new(values, [count, dimensions]), device);
        let alpha = Param::from_data(TensorData::new(vec![alpha], [1]), device);
        Ok(Self { points, alpha, layers, curvature })
    }

    /// Returns the number of points.
    pub fn count(&self) -> usize {
        self.points.dims()[0]
    }

    /// Returns the number of encoder blocks that the bias reaches.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// Returns c, where −c is the curvature of the ball.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// Returns the points, one after the other, and α.
    ///
    /// # Errors
    /// [`ByT5Error::Device`] when they cannot be read from the device.
    pub async fn values(&self) -> Result<(Vec<f32>, f32), ByT5Error> {
        let alpha = read(self.alpha.val()).await?.first().copied().unwrap_or_default();
        Ok((read(self.points.val()).await?, alpha))
    }

    /// Returns the trained parameters, points `[N, 32]` and α `[1]`, for an optimiser outside this crate.
    pub fn parameters(&self) -> (&Param<Tensor<2>>, &Param<Tensor<1>>) {
        (&self.points, &self.alpha)
    }

    /// Returns mutable access to the points and α.
    pub(super) fn parameters_mut(&mut self) -> (&mut Param<Tensor<2>>, &mut Param<Tensor<1>>) {
        (&mut self.points, &mut self.alpha)
    }

    /// Returns the same points with another strength.
    pub fn with_alpha(&self, alpha: f32) -> Self {
        let alpha = Param::from_data(TensorData::new(vec![alpha], [1]), &self.points.val().device());
        Self { alpha, ..self.clone() }
    }

    /// Returns the same bias with another number of encoder blocks.
    pub fn with_layers(self, layers: usize) -> Self {
        Self { layers, ..self }
    }

    /// Returns the bias of rows of equal length, given the number of the point at every place: `[rows, 1, length,
    /// length]`.
    ///
    /// # Errors
    /// [`ByT5Error::Device`] when the points cannot be read from the device.
    pub async fn bias(&self, rows: &[Vec<u32>]) -> Result<Tensor<4>, ByT5Error> {
        if self.points.val().device().is_autodiff() { Ok(self.by_products(rows)) } else { self.looked_up(rows).await }
    }

    /// Computes the bias with gradients: distances as tensors, looked up by one-hot products.
    pub fn by_products(&self, rows: &[Vec<u32>]) -> Tensor<4> {
        let (count, length) = (rows.len(), rows.first().map_or(0, Vec::len));
        let distinct = Distinct::of(rows);
        let kinds = distinct.numbers.len();
        let points = self.points.val();
        let device = points.device();
        let own = one_hot(distinct.numbers.iter().map(|number| *number as usize), self.count(), &device).matmul(points);
        let hot = one_hot(distinct.places.into_iter(), kinds, &device);
        let taken = hot.clone().matmul(self.distances(own)).reshape([count, length, kinds]);
        let taken = taken.matmul(hot.reshape([count, length, kinds]).swap_dims(1, 2));
        taken.reshape([count, 1, length, length]) * self.alpha.val().neg().reshape([1, 1, 1, 1])
    }

    /// Returns the distances between all rows of `[n, 32]`: `[n, n]`.
    fn distances(&self, points: Tensor<2>) -> Tensor<2> {
        let (c, count) = (self.curvature, points.dims()[0]);
        let norms = points.clone().square().sum_dim(1);
        let products = points.clone().matmul(points.clone().transpose());
        let squares = (norms.clone() + norms.clone().transpose() - products * 2.0).clamp_min(0.0);
        // The diagonal is set to exactly 0, which also removes the gradient of its rounding error.
        let squares = squares * (Tensor::<2>::eye(count, &points.device()).neg() + 1.0);
        if c == 0.0 {
            return (squares * 4.0 + ROOT_FLOOR).sqrt();
        }
        let inside = norms.mul_scalar(-c) + 1.0;
        let u = squares * (2.0 * c) / (inside.clone() * inside.transpose()).clamp_min(RIM);
        let root = (u.clone() * (u.clone() + 2.0) + ROOT_FLOOR).sqrt();
        (u + root).log1p() / c.sqrt()
    }

    /// Computes the bias without gradients, from a table of the distances between the distinct points.
    async fn looked_up(&self, rows: &[Vec<u32>]) -> Result<Tensor<4>, ByT5Error> {
        let (count, length) = (rows.len(), rows.first().map_or(0, Vec::len));
        let distinct = Distinct::of(rows);
        let kinds = distinct.numbers.len();
        let points = self.points.val();
        let device = points.device();
        let numbers: Vec<i32> = distinct.numbers.iter().map(|number| *number as i32).collect();
        let numbers = Tensor::<1, Int>::from_data(TensorData::new(numbers, [kinds]), &device);
        let (own, alpha) = (read(points.select(0, numbers)).await?, read(self.alpha.val()).await?);
        let alpha = alpha.first().copied().map_or(0.0, f64::from);
        let table: Vec<f32> =
            table(&own, kinds, self.curvature).into_iter().map(|distance| (-alpha * distance) as f32).collect();
        let mut bias = Vec::with_capacity(count * length * length);
        for row in distinct.places.chunks_exact(length.max(1)) {
            for from in row {
                let distances = &table[from * kinds..][..kinds];
                bias.extend(row.iter().map(|to| distances[*to]));
            }
        }
        Ok(Tensor::from_data(TensorData::new(bias, [count, 1, length, length]), &device))
    }
}

/// Returns the distances between `count` points that lie one after the other.
fn table(points: &[f32], count: usize, curvature: f64) -> Vec<f64> {
    let point = |number: usize| &points[number * points.len() / count..][..points.len() / count];
    let inside: Vec<f64> =
        (0..count).map(|at| 1.0 - curvature * point(at).iter().map(|x| f64::from(*x).powi(2)).sum::<f64>()).collect();
    let mut table = vec![0.0; count * count];
    for i in 0..count {
        for j in 0..=i {
            let square: f64 = point(i).iter().zip(point(j)).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2)).sum();
            let u = 2.0 * curvature * square / (inside[i] * inside[j]).max(RIM);
            let distance = if curvature == 0.0 {
                (4.0 * square + ROOT_FLOOR).sqrt()
            } else {
                (u + (u * (u + 2.0) + ROOT_FLOOR).sqrt()).ln_1p() / curvature.sqrt()
            };
            table[i * count + j] = distance;
            table[j * count + i] = distance;
        }
    }
    table
}

/// Returns one row per number, with a one in the column of that number: `[numbers, width]`.
fn one_hot(numbers: impl ExactSizeIterator<Item = usize>, width: usize, device: &Device) -> Tensor<2> {
    let rows = numbers.len();
    let mut hot = vec![0.0f32; rows * width];
    for (row, number) in numbers.enumerate() {
        hot[row * width + number] = 1.0;
    }
    Tensor::from_data(TensorData::new(hot, [rows, width]), device)
}

#[cfg(test)]
#[path = "hyperbolic_bias_tests.rs"]
mod tests;
