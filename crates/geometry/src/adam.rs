//! Adam for plain numbers, in f32 or f64 (Kingma and Ba 2015, <https://arxiv.org/abs/1412.6980>). It moves points
//! towards given distances, and trains every model that is small enough to have hand-written gradients.
//!
//! For gradients g of step number t the moments are m ← β₁m + (1 - β₁)g and v ← β₂v + (1 - β₂)g², and a number moves by
//! -rate · m̂ / (√v̂ + ε) with m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ). Both corrections are applied to the rate and
//! to ε, once for all numbers: rate · √(1 - β₂ᵗ) / (1 - β₁ᵗ) and ε · √(1 - β₂ᵗ).

use num_traits::{AsPrimitive, Float};

/// Usual decay rates of the first and the second moment.
pub const BETAS: [f64; 2] = [0.9, 0.999];
/// Usual ε, which is added to the root of the second moment.
pub const EPSILON: f64 = 1e-8;

/// First and second moments of gradients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments<T> {
    /// Moments of the gradient.
    pub first: Vec<T>,
    /// Moments of the gradient's square.
    pub second: Vec<T>,
}

impl<T: Float> Moments<T> {
    /// Returns the moments of `count` numbers before the first step.
    pub fn zeros(count: usize) -> Self {
        Self::of_points(count, count)
    }

    /// Returns the moments of points before the first step: one first moment per coordinate, one second moment per
    /// point.
    pub fn of_points(coordinates: usize, points: usize) -> Self {
        Self { first: vec![T::zero(); coordinates], second: vec![T::zero(); points] }
    }
}

/// One step of Adam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep<T> {
    betas: [T; 2],
    /// Learning rate and ε, corrected for moments that started at zero.
    rate: T,
    epsilon: T,
}

impl<T: Float + 'static> AdamStep<T>
where
    f64: AsPrimitive<T>,
{
    /// Returns step `number`, counted from 1, with the usual [`BETAS`] and [`EPSILON`].
    pub fn new(rate: f64, number: u32) -> Self {
        Self::with(rate, BETAS, EPSILON, number)
    }

    /// Returns step `number`, counted from 1.
    pub fn with(rate: f64, betas: [f64; 2], epsilon: f64, number: u32) -> Self {
        let [left_1, left_2] = betas.map(|beta| 1.0 - beta.powi(i32::try_from(number).unwrap_or(i32::MAX)));
        let root = left_2.sqrt();
        Self { betas: betas.map(f64::as_), rate: (rate * root / left_1).as_(), epsilon: (epsilon * root).as_() }
    }

    /// Moves the numbers. Each number has its own gradient and its own two moments.
    pub fn update(&self, numbers: &mut [T], gradient: &[T], (first, second): (&mut [T], &mut [T])) {
        let [beta_1, beta_2] = self.betas;
        for ((number, g), (first, second)) in numbers.iter_mut().zip(gradient).zip(first.iter_mut().zip(second)) {
            *first = beta_1 * *first + (T::one() - beta_1) * *g;
            *second = beta_2 * *second + (T::one() - beta_2) * *g * *g;
            *number = *number - self.rate * *first / (second.sqrt() + self.epsilon);
        }
    }

    /// Updates the moments of a point, whose second moment is the squared length of its gradient. Returns the factor
    /// that turns the first moment into the step.
    pub fn remember(&self, gradient: &[T], square: T, first: &mut [T], second: &mut T) -> T {
        let [beta_1, beta_2] = self.betas;
        for (first, g) in first.iter_mut().zip(gradient) {
            *first = beta_1 * *first + (T::one() - beta_1) * *g;
        }
        // One second moment for the whole point: with one per coordinate the step would depend on the choice of axes.
        *second = beta_2 * *second + (T::one() - beta_2) * square;
        -self.rate / (second.sqrt() + self.epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_rate_long_whatever_the_gradient() {
        for g in [1e-3, -7.0, 1e4] {
            let (mut number, mut moments) = ([2.0], Moments::zeros(1));
            AdamStep::new(0.1, 1).update(&mut number, &[g], (&mut moments.first, &mut moments.second));
            // ε against the smallest gradient: 1e-8 of 1e-3.
            assert!((number[0] - (2.0 - 0.1 * f64::signum(g))).abs() < 1e-5 * 0.1 + 1e-15, "{number:?}");
        }
    }

    /// Tests against the recurrence as the paper writes it, with the corrections applied to the moments.
    #[test]
    fn steps_are_those_of_the_paper() {
        let (mut number, mut moments) = ([1.0], Moments::zeros(1));
        let (mut x, mut m, mut v) = (1.0, 0.0, 0.0);
        for step in 1..=50 {
            let g = f64::from(step).sin() + x;
            AdamStep::new(0.05, step).update(&mut number, &[g], (&mut moments.first, &mut moments.second));
            m = BETAS[0] * m + (1.0 - BETAS[0]) * g;
            v = BETAS[1] * v + (1.0 - BETAS[1]) * g * g;
            let [left_1, left_2] = BETAS.map(|beta| 1.0 - beta.powi(step as i32));
            x -= 0.05 * (m / left_1) / ((v / left_2).sqrt() + EPSILON);
            // The same products in another order: a few f64 roundings per step.
            assert!((number[0] - x).abs() < 1e-14 * f64::from(step), "{step}: {number:?} {x}");
        }
    }

    #[test]
    fn a_point_of_one_coordinate_moves_as_a_number_does() {
        let (mut number, mut moments) = ([0.5f32], Moments::zeros(1));
        let (mut point, mut of_point) = (0.5f32, Moments::of_points(1, 1));
        for (step, g) in (1..).zip([0.3f32, -2.0, 0.01]) {
            let adam = AdamStep::with(0.02, [0.9, 0.98], 1e-6, step);
            adam.update(&mut number, &[g], (&mut moments.first, &mut moments.second));
            let factor = adam.remember(&[g], g * g, &mut of_point.first, &mut of_point.second[0]);
            point += factor * of_point.first[0];
            // One f32 rounding per step: the factor is rounded before it is multiplied.
            assert!((number[0] - point).abs() < 1e-6, "{number:?} {point}");
        }
        assert_eq!(moments, of_point);
    }
}
