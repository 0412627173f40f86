//! The Poincaré ball of curvature −c over tensors of burn, one point per row: the same maps as `geometry::Ball` in f64,
//! and [`RiemannianAdam`], by which points learn, with the steps of geoopt's `PoincareBallExact`; the length of
//! gradients in the ball; and the pull of points back to where they began.
//!
//! With c = 0 everything is the limit of the ball as c falls: Euclidean space with four times its metric, which is the
//! metric of the ball at its centre. Nothing is read from the device.

use crate::update_rules::{RiemannianAdam, TensorMoments};
use burn::tensor::Tensor;

/// Smallest distance of a point from the rim, as a share of the radius.
const RIM_DISTANCE: f64 = 1e-5;
/// Smallest divisor.
const MIN_DIVISOR: f64 = 1e-15;

/// Poincaré ball, given by its curvature.
///
/// # Shapes
/// Points and vectors are `[points, dimensions]`, numbers per point `[points, 1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoincareBall {
    c: f64,
}

fn dot(x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
    (x * y).sum_dim(1)
}

fn length(x: Tensor<2>) -> Tensor<2> {
    x.square().sum_dim(1).sqrt().clamp_min(MIN_DIVISOR)
}

impl PoincareBall {
    /// Creates the ball of curvature −c; space is flat if c is not above 0.
    pub fn new(c: f64) -> Self {
        Self { c: if c > 0.0 { c } else { 0.0 } }
    }

    /// Returns 1 − c |x|², which is 2 / λ(x), where λ(x) is the ratio of lengths in the ball to Euclidean ones at x.
    fn inside(&self, x: Tensor<2>) -> Tensor<2> {
        (x.square().sum_dim(1) * -self.c + 1.0).clamp_min(MIN_DIVISOR)
    }

    /// Moves points outside the ball to its rim.
    pub fn drawn_in(&self, x: Tensor<2>) -> Tensor<2> {
        if self.c == 0.0 {
            return x;
        }
        let share = length(x.clone()).recip() * ((1.0 - RIM_DISTANCE) / self.c.sqrt());
        x * share.clamp_max(1.0)
    }

    /// Returns the Riemannian gradient for a gradient by coordinates: the gradient times the inverse of the metric, (1
    /// − c |x|²)² / 4.
    pub fn gradient(&self, x: Tensor<2>, gradient: Tensor<2>) -> Tensor<2> {
        gradient * (self.inside(x).square() / 4.0)
    }

    /// Returns the squared Riemannian lengths of vectors at x.
    pub fn squared_length(&self, x: Tensor<2>, v: Tensor<2>) -> Tensor<2> {
        v.square().sum_dim(1) * 4.0 / self.inside(x).square()
    }

    /// Returns the Möbius sum x ⊕ y (Ungar). Its denominator, 1 + 2c⟨x, y⟩ + c²|x|²|y|², is computed as the sum of two
    /// terms that cannot be negative, (1 − c |x|²)(1 − c |y|²) + c |x + y|²: near the rim, f32 has no correct digit
    /// left of the first form.
    pub fn add(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let c = self.c;
        let (xy, yy) = (dot(x.clone(), y.clone()), y.clone().square().sum_dim(1));
        let (of_x, of_y) = (xy * (2.0 * c) + yy * c + 1.0, self.inside(x.clone()));
        let below = self.between(x.clone(), y.clone().neg());
        (x * of_x + y * of_y) / below
    }

    /// Returns (1 − c |x|²)(1 − c |y|²) + c |x − y|².
    fn between(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let apart = (x.clone() - y.clone()).square().sum_dim(1);
        self.inside(x) * self.inside(y) + apart * self.c
    }

    /// Computes the exponential map: the end of the geodesic that starts at x with velocity v.
    pub fn exp(&self, x: Tensor<2>, v: Tensor<2>) -> Tensor<2> {
        let own = length(v.clone());
        let half = own.clone() / self.inside(x.clone());
        let root = self.c.sqrt();
        // |v| λ / 2 = |v| / (1 − c |x|²) is half the length of the geodesic.
        let share = if self.c == 0.0 { half } else { (half * root).tanh() / root };
        self.drawn_in(self.add(x, v * (share / own)))
    }

    /// Transports vectors v from x to y in parallel along the geodesics: gyr[y, −x]v · λ(x) / λ(y).
    ///
    /// The gyration is geoopt's closed form, v + 2 (a y − b x) / d, rewritten with δ = y − x so that every term
    /// vanishes with δ: a = −c (⟨x, v⟩ (1 − c |y|²) + c |x|² ⟨δ, v⟩ + c |δ|² ⟨x, v⟩) and a − b = c (⟨δ, v⟩ (1 − c |x|²)
    /// − c |δ|² ⟨x, v⟩).
    pub fn transport(&self, x: Tensor<2>, y: Tensor<2>, v: Tensor<2>) -> Tensor<2> {
        let c = self.c;
        let way = y.clone() - x.clone();
        let (xv, along) = (dot(x.clone(), v.clone()), dot(way.clone(), v.clone()));
        let turned = xv.clone() * way.clone().square().sum_dim(1) * c;
        let (inside_x, inside_y) = (self.inside(x.clone()), self.inside(y.clone()));
        let of_way = (xv * inside_y.clone() + x.clone().square().sum_dim(1) * along.clone() * c + turned.clone()) * -c;
        let of_x = (along * inside_x.clone() - turned) * c;
        let below = self.between(x.clone(), y);
        (v + (way * of_way + x * of_x) * 2.0 / below) * (inside_y / inside_x)
    }

    /// Returns the geodesic distances of points row by row, computed from their difference, so that near points keep
    /// their digits.
    pub fn distance(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let square = (x.clone() - y.clone()).square().sum_dim(1);
        if self.c == 0.0 {
            return square.sqrt() * 2.0;
        }
        let u = square * (2.0 * self.c) / (self.inside(x) * self.inside(y));
        (u.clone() + (u.clone() * (u + 2.0)).sqrt()).log1p() / self.c.sqrt()
    }

    /// Returns the points at this share of the way from x to y.
    pub fn towards(&self, x: Tensor<2>, y: Tensor<2>, share: f64) -> Tensor<2> {
        let way = self.add(x.clone().neg(), y);
        if self.c == 0.0 {
            return x + way * share;
        }
        let far = (length(way.clone()) * self.c.sqrt()).clamp_max(1.0 - RIM_DISTANCE);
        let moved = (far.clone().atanh() * share).tanh();
        self.drawn_in(self.add(x, way * (moved / far)))
    }
}

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
#[path = "ball_adam_tests.rs"]
mod adam_tests;
#[cfg(test)]
#[path = "ball_tests.rs"]
mod tests;
