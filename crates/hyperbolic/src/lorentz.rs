//! The hyperboloid of curvature K < 0, over tensors in f32; `geometry::Hyperboloid` has the same maps in f64.
//!
//! Beside its maps stand the operations that make one point of several (sums, positions, centroids, heads side by
//! side), and the maps to and from the tangent space of the origin, for layers that make the detour by it (Eq. 2).

use burn::tensor::Tensor;
use std::fmt;

/// Number added under roots whose gradient at 0 would be infinite. It is far below the square of anything that f32 can
/// tell from 0 beside 1.
const ROOT_FLOOR: f64 = 1e-14;
/// Minimum squared length by which a direction is divided.
const DIRECTION_FLOOR: f64 = 1e-12;
/// Share of x₀y₀ below which the product's digits do not suffice for a squared distance.
const NEAR: f64 = 0.1;
/// Minimum divisor. Only far points would divide by less, and their result is not used: it must only stay finite.
const MIN_DIVISOR: f64 = 1e-4;

/// A sheet of the hyperboloid, given by its curvature.
///
/// Points are the last axis of a tensor, `[…, n + 1]`, the time-like coordinate first. Where two tensors meet, axes of
/// size 1 are repeated as in burn's arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lorentz {
    /// c = -K.
    c: f64,
}

/// A curvature that no hyperboloid has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvatureError(pub f64);

impl fmt::Display for CurvatureError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self(curvature) = self;
        write!(
            formatter,
            "the curvature is {curvature}, but Lorentz's model exists for negative curvatures only. Give a negative \
             number, -1 for the paper's; for curvature 0 take the Euclidean layers."
        )
    }
}

impl std::error::Error for CurvatureError {}

impl Lorentz {
    /// The hyperboloid of curvature -1, as in the paper's experiments.
    pub const UNIT: Lorentz = Lorentz { c: 1.0 };

    /// Returns the hyperboloid of curvature K.
    ///
    /// # Errors
    /// Unless K is negative and finite.
    pub fn new(curvature: f64) -> Result<Self, CurvatureError> {
        if curvature < 0.0 && curvature.is_finite() {
            Ok(Self { c: -curvature })
        } else {
            Err(CurvatureError(curvature))
        }
    }

    /// K.
    pub fn curvature(&self) -> f64 {
        -self.c
    }

    /// Returns the space-like coordinates: `[…, n + 1]` to `[…, n]`.
    pub fn space<const D: usize>(x: Tensor<D>) -> Tensor<D> {
        let width = x.dims()[D - 1];
        x.narrow(D - 1, 1, width - 1)
    }

    /// Returns the time-like coordinate: `[…, n + 1]` to `[…, 1]`.
    pub fn time<const D: usize>(x: Tensor<D>) -> Tensor<D> {
        x.narrow(D - 1, 0, 1)
    }

    /// Returns the point over space-like coordinates, (√(|s|² - 1/K), s): `[…, n]` to `[…, n + 1]`.
    pub fn lift<const D: usize>(&self, space: Tensor<D>) -> Tensor<D> {
        let time = (space.clone().square().sum_dim(D - 1) + 1.0 / self.c).sqrt();
        Tensor::cat(vec![time, space], D - 1)
    }

    /// ⟨x, y⟩ of points side by side: `[…, n + 1]` twice to `[…, 1]`.
    pub fn inner<const D: usize>(x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        let time = Self::time(x.clone()) * Self::time(y.clone());
        (Self::space(x) * Self::space(y)).sum_dim(D - 1) - time
    }

    /// ⟨x, y⟩ of every x with every y: `[…, i, n + 1]` and `[…, j, n + 1]` to `[…, i, j]`.
    pub fn inners<const D: usize>(x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        let mirrored = Tensor::cat(vec![Self::time(y.clone()).neg(), Self::space(y)], D - 1);
        x.matmul(mirrored.swap_dims(D - 2, D - 1))
    }

    /// Returns the squared Lorentz distance 2/K - 2⟨x, y⟩ of every x to every y (before Eq. 4): `[…, i, j]`. Not the
    /// square of the geodesic distance, but it grows with it. Rounding may leave it a little below 0 where points meet.
    pub fn squared_distances<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        Self::inners(x, y) * -2.0 - 2.0 / self.c
    }

    /// ⟨x - y, x - y⟩ = 2/K - 2⟨x, y⟩ of points side by side, never negative: `[…, 1]`.
    ///
    /// For points near each other, the product has lost every digit of this. There, with Δ = x - y and s = x + y over
    /// the space-like coordinates, Δ∥ and Δ⊥ the parts of Δ along and across s, and ρ = |Δ∥| / (x₀ + y₀), it is (|Δ⊥|²
    /// - 4ρ²/K) / (1 - ρ²).
    pub fn squared_distance<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        let (x0, y0) = (Self::time(x.clone()), Self::time(y.clone()));
        let (xs, ys) = (Self::space(x), Self::space(y));
        let times = x0.clone() * y0.clone();
        let far = (times.clone() - (xs.clone() * ys.clone()).sum_dim(D - 1)) * 2.0 - 2.0 / self.c;
        let (across, sum) = (xs.clone() - ys.clone(), xs + ys);
        let reach = sum.clone().square().sum_dim(D - 1) + DIRECTION_FLOOR;
        let along = (across.clone() * sum.clone()).sum_dim(D - 1) / reach.clone();
        let ratio = along.clone().square() * reach / (x0 + y0).square();
        let across = across - sum * along;
        let apart = across.square().sum_dim(D - 1) + ratio.clone() * (4.0 / self.c);
        let near = apart / (ratio.neg() + 1.0).clamp_min(MIN_DIVISOR);
        far.clone().mask_where(far.lower(times * NEAR), near).clamp_min(0.0)
    }

    /// Geodesic distance, 2/√c · arsinh(√c/2 · √⟨x - y, x - y⟩) with c = -K: `[…, 1]`. At least 1e-7, for the sake of
    /// the gradient where points meet.
    pub fn distance<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        let root = self.c.sqrt();
        let half = (self.squared_distance(x, y) + ROOT_FLOOR).sqrt() * (root / 2.0);
        // arsinh z = log1p(z + z² / (1 + √(1 + z²))), all terms positive.
        let square = half.clone().square();
        (half + square.clone() / ((square + 1.0).sqrt() + 1.0)).log1p() * (2.0 / root)
    }

    /// Returns the part of v that is tangent at x, v - K⟨x, v⟩x: `[…, n + 1]`.
    ///
    /// Its time-like coordinate is that of a tangent vector with its space-like ones, (x·v) / x₀, so that ⟨x, v⟩ = 0
    /// whatever rounding did.
    pub fn tangent<const D: usize>(&self, x: Tensor<D>, v: Tensor<D>) -> Tensor<D> {
        let along = Self::inner(x.clone(), v.clone()) * self.c;
        let space = Self::space(v) + Self::space(x.clone()) * along;
        Self::with_tangent_time(x, space)
    }

    /// Returns the tangent vector at x that has these space-like coordinates: `[…, n]` to `[…, n + 1]`.
    pub fn with_tangent_time<const D: usize>(x: Tensor<D>, space: Tensor<D>) -> Tensor<D> {
        let time = (Self::space(x.clone()) * space.clone()).sum_dim(D - 1) / Self::time(x);
        Tensor::cat(vec![time, space], D - 1)
    }

    /// ⟨v, v⟩ of a tangent vector at x: `[…, 1]`.
    ///
    /// The part along x's space-like direction is shortened by 1 - |x|²/x₀² = 1 / (c x₀²), which is used as such: the
    /// difference of the two squares would lose every digit far from the origin.
    pub fn squared_length<const D: usize>(&self, x: Tensor<D>, v: Tensor<D>) -> Tensor<D> {
        let (x0, xs, vs) = (Self::time(x.clone()), Self::space(x), Self::space(v));
        let reach = xs.clone().square().sum_dim(D - 1) + DIRECTION_FLOOR;
        let along = (xs.clone() * vs.clone()).sum_dim(D - 1) / reach.clone();
        let across = vs - xs * along.clone();
        across.square().sum_dim(D - 1) + along.square() * reach / (x0.square() * self.c)
    }

    /// Returns the exponential map at x of a tangent vector v: cosh(s)x + sinh(s)/s · v with s = √(c⟨v, v⟩): `[…, n +
    /// 1]`.
    pub fn exp<const D: usize>(&self, x: Tensor<D>, v: Tensor<D>) -> Tensor<D> {
        let length = ((self.squared_length(x.clone(), v.clone()) + ROOT_FLOOR) * self.c).sqrt();
        let slope = length.clone().sinh() / length.clone();
        self.lift(Self::space(x) * length.cosh() + Self::space(v) * slope)
    }

    /// Returns the logarithmic map at x: the tangent vector that leads to y, as long as they are apart: `[…, n + 1]`.
    ///
    /// With y - x for the direction and 1 + c⟨x, y⟩ = -c⟨x - y, x - y⟩ / 2, so that near points lose no digits.
    pub fn log<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>) -> Tensor<D> {
        let squared = self.squared_distance(x.clone(), y.clone());
        let distance = self.distance(x.clone(), y.clone()) * self.c.sqrt();
        let slope = distance.clone() / distance.sinh();
        let space = Self::space(y) - Self::space(x.clone()) - Self::space(x.clone()) * (squared * (self.c / 2.0));
        Self::with_tangent_time(x, space * slope)
    }

    /// Parallel transport along the geodesic of a tangent vector v at x to y: v + c⟨y, v⟩ / (1 - c⟨x, y⟩) · (x + y):
    /// `[…, n + 1]`.
    pub fn transport<const D: usize>(&self, x: Tensor<D>, y: Tensor<D>, v: Tensor<D>) -> Tensor<D> {
        let share = Self::inner(y.clone(), v.clone()) * self.c / (Self::inner(x.clone(), y.clone()) * -self.c + 1.0);
        let space = Self::space(v) + (Self::space(x) + Self::space(y.clone())) * share;
        Self::with_tangent_time(y, space)
    }

    /// Returns the boost that takes the origin to the point `to`, without rotation, applied to x: `[…, n + 1]`.
    pub fn boost<const D: usize>(&self, to: Tensor<D>, x: Tensor<D>) -> Tensor<D> {
        let root = self.c.sqrt();
        let (to0, to_space, x0, xs) = (Self::time(to.clone()), Self::space(to), Self::time(x.clone()), Self::space(x));
        let along = (to_space.clone() * xs.clone()).sum_dim(D - 1);
        let share = x0 * root + along * self.c / (to0 * root + 1.0);
        self.lift(xs + to_space * share)
    }

    /// Returns the rotation of the space-like coordinates by the rows of an orthogonal matrix: `[…, n + 1]` and `[n,
    /// n]` to `[…, n + 1]`.
    pub fn rotate<const D: usize>(&self, rotation: Tensor<2>, x: Tensor<D>) -> Tensor<D> {
        self.lift(by_matrix(Self::space(x), rotation.transpose()))
    }
}

/// Returns the product of the last axis with a matrix: `[…, n]` and `[n, m]` to `[…, m]`.
pub(super) fn by_matrix<const D: usize>(x: Tensor<D>, matrix: Tensor<2>) -> Tensor<D> {
    let mut dims = x.dims();
    let ([inputs, outputs], rows) = (matrix.dims(), dims[..D - 1].iter().product::<usize>());
    dims[D - 1] = outputs;
    x.reshape([rows, inputs]).matmul(matrix).reshape(dims)
}

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
