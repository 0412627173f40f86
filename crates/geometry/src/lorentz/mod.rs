//! Lorentz's hyperboloid, curvature -c: ⟨x, x⟩ = -1/c with x₀ > 0, where ⟨x, y⟩ = -x₀y₀ + x₁y₁ + … .
//!
//! Formulas as in Nickel and Kiela, "Learning continuous hierarchies in the Lorentz model" (2018), with the curvature
//! inserted. Coordinates grow as e^d with the distance d from the origin, while in the ball they crowd under the rim.

#[cfg(test)]
mod tests;

use super::vector::{combined, dot, scaled, squared_difference};

/// Hyperboloid of a given curvature. Points of dimension n have n + 1 coordinates, the time-like one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperboloid {
    /// The c of the curvature -c.
    curvature: f64,
    /// The root √c.
    root: f64,
}

/// Returns the Lorentz product ⟨x, y⟩ = -x₀y₀ + x₁y₁ + … .
pub fn inner(x: &[f64], y: &[f64]) -> f64 {
    match (x, y) {
        ([x0, x @ ..], [y0, y @ ..]) => dot(x, y) - x0 * y0,
        _ => 0.0,
    }
}

impl Hyperboloid {
    /// The hyperboloid of curvature -1.
    pub const UNIT: Hyperboloid = Hyperboloid { curvature: 1.0, root: 1.0 };

    /// Creates the hyperboloid of curvature -`curvature`; `None` unless that is positive and finite.
    pub fn new(curvature: f64) -> Option<Self> {
        let root = curvature.sqrt();
        (root > 0.0 && root.is_finite()).then_some(Hyperboloid { curvature, root })
    }

    /// Returns the c of the curvature -c.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// Returns the origin (1 / √c, 0, …, 0) with `dimension` zeros.
    pub fn origin(&self, dimension: usize) -> Vec<f64> {
        self.lifted(&vec![0.0; dimension])
    }

    /// Returns the point with these space-like coordinates: x₀ = √(1/c + |x|²).
    pub fn lifted(&self, space: &[f64]) -> Vec<f64> {
        let time = (1.0 / self.curvature + dot(space, space)).sqrt();
        [&[time], space].concat()
    }

    /// Returns the geodesic distance, 2/√c · arsinh(√c/2 · √⟨x - y, x - y⟩). It equals arcosh(-c⟨x, y⟩) / √c without
    /// the loss of digits near 1.
    ///
    /// For points close to each other only the space-like parts need be exact: x₀ - y₀ is computed as (|x|² - |y|²) /
    /// (x₀ + y₀).
    pub fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let ([x0, x @ ..], [y0, y @ ..]) = (x, y) else { return 0.0 };
        let apart = squared_difference(x, y);
        let squared = if apart < x0 * y0 {
            let rise: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x + y)).sum::<f64>() / (x0 + y0);
            apart - rise * rise
        } else {
            // For distant points the two squares would cancel; the product does not.
            2.0 * (x0 * y0 - dot(x, y) - 1.0 / self.curvature)
        };
        2.0 * (self.root / 2.0 * squared.max(0.0).sqrt()).asinh() / self.root
    }

    /// Returns the length of a tangent vector, √⟨v, v⟩; 0 for a vector that rounding made time-like.
    pub fn length(&self, v: &[f64]) -> f64 {
        inner(v, v).max(0.0).sqrt()
    }

    /// Returns the part of v that is tangent at x: v + c⟨x, v⟩x.
    pub fn tangent(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        combined(1.0, v, self.curvature * inner(x, v), x)
    }

    /// Returns the exponential map, cosh(√c|v|)x + sinh(√c|v|)v / (√c|v|). The result is lifted again, so that rounding
    /// does not leave the surface.
    pub fn exp(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        let length = self.root * self.length(v);
        let slope = if length == 0.0 { 1.0 } else { length.sinh() / length };
        let reached = combined(length.cosh(), x, slope, v);
        self.lifted(reached.get(1..).unwrap_or(&[]))
    }

    /// Returns the logarithm at x: the tangent vector of length d(x, y) that leads to y.
    pub fn log(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        // y + c⟨x, y⟩x = (y - x) + (1 + c⟨x, y⟩)x, and 1 + c⟨x, y⟩ = -c⟨x - y, x - y⟩/2 = 1 - cosh √c·d = -2
        // sinh²(√c·d/2).
        let distance = self.distance(x, y);
        let half = (self.root * distance / 2.0).sinh();
        let towards = combined(1.0, &combined(1.0, y, -1.0, x), -2.0 * half * half, x);
        // The length of the vector is known: sinh(√c·d) / √c.
        let length = (self.root * distance).sinh() / self.root;
        if length == 0.0 { vec![0.0; x.len()] } else { scaled(distance / length, &towards) }
    }

    /// Transports a tangent vector v at x in parallel along the geodesic to y: v + c⟨y, v⟩ / (1 - c⟨x, y⟩) · (x + y).
    pub fn transport(&self, x: &[f64], y: &[f64], v: &[f64]) -> Vec<f64> {
        let share = self.curvature * inner(y, v) / (1.0 - self.curvature * inner(x, y));
        combined(1.0, v, share, &combined(1.0, x, 1.0, y))
    }

    /// Applies the Lorentz boost that takes the origin to `to`, without rotation, to a point or vector x. An isometry;
    /// in the ball it is the Möbius translation.
    pub fn boost(&self, to: &[f64], x: &[f64]) -> Vec<f64> {
        let ([to0, to @ ..], [x0, x @ ..]) = (to, x) else { return x.to_vec() };
        let (gamma, along) = (self.root * to0, dot(to, x));
        let time = gamma * x0 + self.root * along;
        let share = self.root * x0 + self.curvature * along / (1.0 + gamma);
        [&[time], combined(1.0, x, share, to).as_slice()].concat()
    }

    /// Applies the boost that takes `from` to the origin, the inverse of [`Hyperboloid::boost`].
    pub fn boost_back(&self, from: &[f64], x: &[f64]) -> Vec<f64> {
        let mirrored: Vec<f64> =
            from.iter().enumerate().map(|(place, one)| if place == 0 { *one } else { -one }).collect();
        self.boost(&mirrored, x)
    }
}
