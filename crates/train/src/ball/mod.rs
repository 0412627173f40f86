//! The Poincaré ball of curvature −c over tensors of burn, one point a row; the same maps as `geometry::Ball` has in
//! f64, and [`adam`], by which points learn.
//!
//! With c = 0 all of it is what the ball becomes as c falls: Euclid's space with four times its metric, as the ball has
//! it at its centre. Nothing is read from the device.

pub mod adam;

use burn::tensor::Tensor;

/// How far from the rim of the ball a point stays, as a share of the radius.
const EDGE: f64 = 1e-5;
/// Least number that is divided by.
const LEAST: f64 = 1e-15;

/// A ball, given by its curvature.
///
/// # Shapes
/// Points and vectors are `[points, dimensions]`, numbers of them `[points, 1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoincareBall {
    c: f64,
}

fn dot(x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
    (x * y).sum_dim(1)
}

fn length(x: Tensor<2>) -> Tensor<2> {
    x.square().sum_dim(1).sqrt().clamp_min(LEAST)
}

impl PoincareBall {
    /// The ball of curvature −c; flat where c is not above 0.
    pub fn new(c: f64) -> Self {
        Self { c: if c > 0.0 { c } else { 0.0 } }
    }

    /// 1 − c |x|², which is two over the factor from Euclid's lengths at x to those of the ball.
    fn inside(&self, x: Tensor<2>) -> Tensor<2> {
        (x.square().sum_dim(1) * -self.c + 1.0).clamp_min(LEAST)
    }

    /// Brings what has left the ball back to its rim.
    pub fn drawn_in(&self, x: Tensor<2>) -> Tensor<2> {
        if self.c == 0.0 {
            return x;
        }
        let share = length(x.clone()).recip() * ((1.0 - EDGE) / self.c.sqrt());
        x * share.clamp_max(1.0)
    }

    /// The Riemannian gradient at points, from the one by their coordinates: rescaled by the inverse of the metric,
    /// (1 − c |x|²)² / 4.
    pub fn gradient(&self, x: Tensor<2>, gradient: Tensor<2>) -> Tensor<2> {
        gradient * (self.inside(x).square() / 4.0)
    }

    /// Squared Riemannian lengths of vectors at x.
    pub fn squared_length(&self, x: Tensor<2>, v: Tensor<2>) -> Tensor<2> {
        v.square().sum_dim(1) * 4.0 / self.inside(x).square()
    }

    /// Möbius addition x ⊕ y (Ungar). Its denominator, 1 + 2c⟨x, y⟩ + c²|x|²|y|², is taken as a sum of what cannot be
    /// negative, (1 − c |x|²)(1 − c |y|²) + c |x + y|²: near the rim f32 has no digit left of the other.
    pub fn add(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let c = self.c;
        let (xy, yy) = (dot(x.clone(), y.clone()), y.clone().square().sum_dim(1));
        let (of_x, of_y) = (xy * (2.0 * c) + yy * c + 1.0, self.inside(x.clone()));
        let below = self.between(x.clone(), y.clone().neg());
        (x * of_x + y * of_y) / below
    }

    /// (1 − c |x|²)(1 − c |y|²) + c |x − y|².
    fn between(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let apart = (x.clone() - y.clone()).square().sum_dim(1);
        self.inside(x) * self.inside(y) + apart * self.c
    }

    /// The exponential map: the end of the geodesic that starts at x as v.
    pub fn exp(&self, x: Tensor<2>, v: Tensor<2>) -> Tensor<2> {
        let own = length(v.clone());
        let half = own.clone() / self.inside(x.clone());
        let root = self.c.sqrt();
        let share = if self.c == 0.0 { half } else { (half * root).tanh() / root };
        self.drawn_in(self.add(x, v * (share / own)))
    }

    /// Parallel transport of vectors v at x along the geodesics to y, gyr[y, −x]v · λ(x) / λ(y).
    ///
    /// The gyration is geoopt's closed form, v + 2 (a y − b x) / d, written with δ = y − x so that every term vanishes
    /// with it: a = −c (⟨x, v⟩ (1 − c |y|²) + c |x|² ⟨δ, v⟩ + c |δ|² ⟨x, v⟩) and a − b = c (⟨δ, v⟩ (1 − c |x|²) −
    /// c |δ|² ⟨x, v⟩).
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

    /// Geodesic distances of points side by side: by their difference, so that near points keep their digits.
    pub fn distance(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        let square = (x.clone() - y.clone()).square().sum_dim(1);
        if self.c == 0.0 {
            return square.sqrt() * 2.0;
        }
        let u = square * (2.0 * self.c) / (self.inside(x) * self.inside(y));
        (u.clone() + (u.clone() * (u + 2.0)).sqrt()).log1p() / self.c.sqrt()
    }

    /// The points at this share of the ways from x to y.
    pub fn towards(&self, x: Tensor<2>, y: Tensor<2>, share: f64) -> Tensor<2> {
        let way = self.add(x.clone().neg(), y);
        if self.c == 0.0 {
            return x + way * share;
        }
        let far = (length(way.clone()) * self.c.sqrt()).clamp_max(1.0 - EDGE);
        let moved = (far.clone().atanh() * share).tanh();
        self.drawn_in(self.add(x, way * (moved / far)))
    }
}

#[cfg(test)]
mod tests;
