//! Adam over plain numbers, in f32 or f64 (Kingma and Ba 2015, <https://arxiv.org/abs/1412.6980>): what moves points
//! towards wanted distances, and every model that is so small that its gradients are written by hand.
//!
//! For gradients g of step number t the moments are m ← β₁m + (1 - β₁)g and v ← β₂v + (1 - β₂)g², and a number moves by
//! -rate · m̂ / (√v̂ + ε) with m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ). Both corrections are taken into the rate and
//! ε once for all numbers: rate · √(1 - β₂ᵗ) / (1 - β₁ᵗ) and ε · √(1 - β₂ᵗ).

use num_traits::{AsPrimitive, Float};

/// The usual shares of the first and of the second moment that are kept.
pub const BETAS: [f64; 2] = [0.9, 0.999];
/// The usual addition to the root of the second moment.
pub const EPSILON: f64 = 1e-8;

/// First and second moments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments<T> {
    /// Moments of the gradient.
    pub first: Vec<T>,
    /// Moments of the gradient's square.
    pub second: Vec<T>,
}

impl<T: Float> Moments<T> {
    /// The moments of this many numbers before the first step.
    pub fn zeros(count: usize) -> Self {
        Self::of_points(count, count)
    }

    /// The moments of points before the first step: the first has one number for each coordinate, the second one for
    /// each point.
    pub fn of_points(coordinates: usize, points: usize) -> Self {
        Self { first: vec![T::zero(); coordinates], second: vec![T::zero(); points] }
    }
}

/// Adam at one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep<T> {
    betas: [T; 2],
    /// The rate and ε, corrected for moments that began at zero.
    rate: T,
    epsilon: T,
}

impl<T: Float + 'static> AdamStep<T>
where
    f64: AsPrimitive<T>,
{
    /// Step `number`, from 1, with the usual [`BETAS`] and [`EPSILON`].
    pub fn new(rate: f64, number: u32) -> Self {
        Self::with(rate, BETAS, EPSILON, number)
    }

    /// Step `number`, from 1.
    pub fn with(rate: f64, betas: [f64; 2], epsilon: f64, number: u32) -> Self {
        let [left_1, left_2] = betas.map(|beta| 1.0 - beta.powi(i32::try_from(number).unwrap_or(i32::MAX)));
        let root = left_2.sqrt();
        Self { betas: betas.map(f64::as_), rate: (rate * root / left_1).as_(), epsilon: (epsilon * root).as_() }
    }

    /// Moves numbers, each by a gradient and two moments of its own.
    pub fn update(&self, numbers: &mut [T], gradient: &[T], (first, second): (&mut [T], &mut [T])) {
        let [beta_1, beta_2] = self.betas;
        for ((number, g), (first, second)) in numbers.iter_mut().zip(gradient).zip(first.iter_mut().zip(second)) {
            *first = beta_1 * *first + (T::one() - beta_1) * *g;
            *second = beta_2 * *second + (T::one() - beta_2) * *g * *g;
            *number = *number - self.rate * *first / (second.sqrt() + self.epsilon);
        }
    }

    /// Takes the gradient of a point, whose second moment is of the gradient's squared length, into its moments;
    /// returns the factor that turns the first moment into the step.
    pub fn remember(&self, gradient: &[T], square: T, first: &mut [T], second: &mut T) -> T {
        let [beta_1, beta_2] = self.betas;
        for (first, g) in first.iter_mut().zip(gradient) {
            *first = beta_1 * *first + (T::one() - beta_1) * *g;
        }
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
            // ε against the least gradient: 1e-8 of 1e-3.
            assert!((number[0] - (2.0 - 0.1 * f64::signum(g))).abs() < 1e-5 * 0.1 + 1e-15, "{number:?}");
        }
    }

    /// The recurrence as the paper has it, with the corrections at the moments.
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
            // The same products in another order: a few roundings of f64 a step.
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
            // One rounding of f32 a step: the factor is rounded before it is multiplied.
            assert!((number[0] - point).abs() < 1e-6, "{number:?} {point}");
        }
        assert_eq!(moments, of_point);
    }
}
