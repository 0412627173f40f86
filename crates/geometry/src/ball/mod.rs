//! The Poincaré ball of curvature -c: all points with c|x|² < 1.
//!
//! Formulas as in Ganea, Bécigneul and Hofmann, "Hyperbolic neural networks" (2018), after Ungar's gyrovectors. The
//! metric is λ²·Euclid with λ = 2 / (1 - c|x|²), so for c → 0 distances become 2|x - y|, twice the Euclidean ones.

#[cfg(test)]
mod tests;

use super::vector::{combined, dot, norm, scaled, squared_difference};

/// Smallest distance from the rim that maps return, as a share of the radius: eight steps of an f64. A point can then
/// be at most about 35 / √c from the centre; points farther out are moved in to that distance.
pub const EDGE: f64 = 8.0 * f64::EPSILON;

/// Poincaré ball of a given curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The c of the curvature -c.
    curvature: f64,
    /// √c, the inverse of the ball's radius.
    root: f64,
}

impl Ball {
    /// The ball of curvature -1.
    pub const UNIT: Ball = Ball { curvature: 1.0, root: 1.0 };

    /// Creates the ball of curvature -`curvature`; `None` unless that is positive and finite.
    pub fn new(curvature: f64) -> Option<Self> {
        let root = curvature.sqrt();
        (root > 0.0 && root.is_finite()).then_some(Ball { curvature, root })
    }

    /// Returns the c of the curvature -c.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// Returns 1 / √c, the Euclidean radius of the rim.
    pub fn radius(&self) -> f64 {
        1.0 / self.root
    }

    /// Returns `true` if the point lies inside the ball, neither on its rim nor beyond.
    pub fn contains(&self, x: &[f64]) -> bool {
        self.root * norm(x) < 1.0
    }

    /// Returns the point itself, or the point just under the rim in its direction if it lies farther out than [`EDGE`]
    /// allows.
    pub fn drawn_in(&self, x: Vec<f64>) -> Vec<f64> {
        let share = self.root * norm(&x);
        if share > 1.0 - EDGE { scaled((1.0 - EDGE) / share, &x) } else { x }
    }

    /// Returns 1 - c|x|², computed as a product so that it is precise to the last digits at the rim too.
    fn gap(&self, x: &[f64]) -> f64 {
        let share = self.root * norm(x);
        ((1.0 - share) * (1.0 + share)).max(EDGE)
    }

    /// Returns λ(x) = 2 / (1 - c|x|²), the factor from Euclidean lengths at x to lengths in the ball.
    pub fn conformal_factor(&self, x: &[f64]) -> f64 {
        2.0 / self.gap(x)
    }

    /// Returns the geodesic distance, arcosh(1 + u) / √c with u = 2c|x - y|² / ((1 - c|x|²)(1 - c|y|²)).
    ///
    /// Computed as log1p(u + √(u(u + 2))), because arcosh loses half the digits where x and y are close to each other.
    pub fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let u = 2.0 * self.curvature * squared_difference(x, y) / (self.gap(x) * self.gap(y));
        (u + (u * (u + 2.0)).sqrt()).ln_1p() / self.root
    }

    /// Returns the Möbius sum x ⊕ y (Ungar). The sum is neither commutative nor associative; 0 is neutral and -x is the
    /// left inverse.
    pub fn add(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let c = self.curvature;
        let (xy, xx, yy) = (dot(x, y), dot(x, x), dot(y, y));
        let below = 1.0 + 2.0 * c * xy + c * c * xx * yy;
        // Where x and y are nearly opposite on the rim all three terms cancel; the floor keeps the quotient finite.
        let below = below.max(EDGE * EDGE);
        self.drawn_in(combined((1.0 + 2.0 * c * xy + c * yy) / below, x, (1.0 - c * xx) / below, y))
    }

    /// Returns (-x) ⊕ y, the image of y when x moves to the centre. An isometry; [`Ball::from_origin`] is its inverse.
    pub fn to_origin(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        self.add(&scaled(-1.0, x), y)
    }

    /// Returns x ⊕ y, the image of y when the centre moves to x. An isometry: the Möbius translation along the geodesic
    /// from the centre to x.
    pub fn from_origin(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        self.add(x, y)
    }

    /// Returns gyr[x, y]z = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ z)), the rotation by which two Möbius translations differ from the
    /// translation by their sum.
    pub fn gyration(&self, x: &[f64], y: &[f64], z: &[f64]) -> Vec<f64> {
        self.to_origin(&self.add(x, y), &self.add(x, &self.add(y, z)))
    }

    /// Returns gyr[x, y]v for a vector instead of a point. A gyration is linear and keeps Euclidean lengths, so v may
    /// have any length.
    fn gyrated(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let length = norm(v);
        if length == 0.0 {
            return v.to_vec();
        }
        let inside = self.radius() / 2.0 / length;
        scaled(1.0 / inside, &self.gyration(x, y, &scaled(inside, v)))
    }

    /// Returns t ⊗ x, the point in the direction of x at t times its distance from the centre.
    pub fn multiply(&self, t: f64, x: &[f64]) -> Vec<f64> {
        let length = norm(x);
        if length == 0.0 {
            return x.to_vec();
        }
        let share = (t * artanh(self.root * length)).tanh();
        self.drawn_in(scaled(share / (self.root * length), x))
    }

    /// Returns the exponential map at the centre, tanh(√c|v|)·v / (√c|v|). The point is at distance 2|v|, because λ(0)
    /// = 2.
    pub fn exp_origin(&self, v: &[f64]) -> Vec<f64> {
        let length = self.root * norm(v);
        if length == 0.0 {
            return v.to_vec();
        }
        self.drawn_in(scaled(length.tanh() / length, v))
    }

    /// Returns the inverse of [`Ball::exp_origin`].
    pub fn log_origin(&self, x: &[f64]) -> Vec<f64> {
        let share = self.root * norm(x);
        if share == 0.0 {
            return x.to_vec();
        }
        scaled(artanh(share) / share, x)
    }

    /// Returns the exponential map at x: the point at distance λ(x)|v| along the geodesic that starts at x in direction
    /// v.
    pub fn exp(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        let step = self.exp_origin(&scaled(self.conformal_factor(x) / 2.0, v));
        self.add(x, &step)
    }

    /// Returns the logarithm at x, the inverse of [`Ball::exp`]: the tangent vector that leads from x to y.
    pub fn log(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let seen = self.to_origin(x, y);
        let length = norm(&seen);
        if length == 0.0 {
            return seen;
        }
        // The distance computed from the points is more precise than artanh|(-x) ⊕ y|, whose argument comes close to 1.
        scaled(self.distance(x, y) / (self.conformal_factor(x) * length), &seen)
    }

    /// Transports the tangent vector v at x in parallel along the geodesic to y: λ(x) / λ(y) · gyr[y, -x]v.
    pub fn transport(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let turned = self.gyrated(y, &scaled(-1.0, x), v);
        scaled(self.conformal_factor(x) / self.conformal_factor(y), &turned)
    }

    /// Returns the point at share t of the way from x (t = 0) to y (t = 1). Other values of t lie beyond the two ends.
    pub fn geodesic(&self, x: &[f64], y: &[f64], t: f64) -> Vec<f64> {
        self.add(x, &self.multiply(t, &self.to_origin(x, y)))
    }

    /// Returns the weighted gyromidpoint, ½ ⊗ Σwλx / Σw(λ - 1): Einstein's midpoint in Klein's model, mapped to this
    /// one (Ungar, "Analytic hyperbolic geometry", 2005). For two equal weights it is the middle of the geodesic;
    /// isometries preserve it.
    ///
    /// Returns `None` if there are no points or the sum of the weights is not positive.
    pub fn midpoint<'a>(&self, weighted: impl IntoIterator<Item = (f64, &'a [f64])>) -> Option<Vec<f64>> {
        let (mut sum, mut below) = (Vec::new(), 0.0);
        for (weight, x) in weighted {
            let factor = self.conformal_factor(x);
            sum.resize(x.len(), 0.0);
            sum = combined(1.0, &sum, weight * factor, x);
            below += weight * (factor - 1.0);
        }
        (below > 0.0).then(|| self.multiply(0.5, &self.drawn_in(scaled(1.0 / below, &sum))))
    }
}

/// Returns artanh of an argument that is kept under 1.
fn artanh(share: f64) -> f64 {
    share.min(1.0 - EDGE).atanh()
}
