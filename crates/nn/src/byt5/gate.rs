//! The gate of the feed-forward part: `gelu(a) · b`, with the tanh form of GELU (Hendrycks & Gimpel 2016, §2;
//! Shazeer 2020, <https://arxiv.org/abs/2002.05202>): `a/2 · (1 + tanh(√(2/π) · (a + 0.044715 a³)))`.

use crate::error::{ByT5Error, read};
use burn::tensor::{Device, Tensor, TensorData};

const ROOT_TWO_OVER_PI: f32 = 0.797_884_6;
const CUBIC: f32 = 0.044_715;
/// Largest size of an argument of tanh. In f32, tanh is 1 from 9.01 on; shading languages compute it from exponentials
/// that overflow from 44 on and give NaN.
const SATURATED: f32 = 10.0;

/// Computes `gelu(left half) · right half` of every row: `[n, 2 · ff]` to `[n, ff]`.
///
/// On the CPU one vectorised pass over the memory replaces the ten tensors of the formula and, with gradients, the
/// fifteen of its derivative.
pub async fn gate(wide: Tensor<2>) -> Result<Tensor<2>, ByT5Error> {
    let [rows, width] = wide.dims();
    let half = width / 2;
    let device = wide.device();
    let plain = device.clone().without_autodiff();
    #[cfg(target_family = "wasm")]
    if let Some(gated) = crate::graphics::gate(&wide) {
        return Ok(gated);
    }
    if plain != Device::flex() {
        let (a, b) = (wide.clone().narrow(1, 0, half), wide.narrow(1, half, half));
        let inner = (a.clone().square() * a.clone() * CUBIC + a.clone()) * ROOT_TWO_OVER_PI;
        return Ok(a * 0.5 * (inner.clamp(-SATURATED, SATURATED).tanh() + 1.0) * b);
    }
    let values = read(wide.clone().inner()).await?;
    if !device.is_autodiff() {
        return Ok(Tensor::from_data(TensorData::new(gated_rows(&values, width), [rows, half]), &plain));
    }
    let mut gated = vec![0.0; rows * half];
    let mut slopes = vec![0.0; rows * width];
    let all = values.chunks_exact(width).zip(gated.chunks_exact_mut(half)).zip(slopes.chunks_exact_mut(width));
    for ((row, gated), slopes) in all {
        let ((a, b), (by_a, by_b)) = (row.split_at(half), slopes.split_at_mut(half));
        for ((((gated, a), b), by_a), by_b) in gated.iter_mut().zip(a).zip(b).zip(by_a).zip(by_b) {
            let (gelu, slope) = gelu_and_slope(*a);
            (*gated, *by_a, *by_b) = (gelu * b, slope * b, gelu);
        }
    }
    // Zeros whose gradient is that of the gate: the value stays exact, and burn stores only the slopes.
    let moved = (wide.clone() - wide.inner().autodiff())
        * Tensor::from_data(TensorData::new(slopes, [rows, width]), &plain).autodiff();
    let gated = Tensor::<2>::from_data(TensorData::new(gated, [rows, half]), &plain).autodiff();
    Ok(gated + moved.clone().narrow(1, 0, half) + moved.narrow(1, half, half))
}

/// Computes [`gate`] of rows of this width in plain memory.
pub fn gated_rows(values: &[f32], width: usize) -> Vec<f32> {
    let mut gated = vec![0.0; values.len() / 2];
    for (row, gated) in values.chunks_exact(width).zip(gated.chunks_exact_mut(width / 2)) {
        let (a, b) = row.split_at(width / 2);
        for ((gated, a), b) in gated.iter_mut().zip(a).zip(b) {
            *gated = gelu_of(*a) * b;
        }
    }
    gated
}

#[inline]
fn gelu_of(x: f32) -> f32 {
    0.5 * x * (1.0 + tanh_of(ROOT_TWO_OVER_PI * (x + CUBIC * x * x * x)))
}

/// Returns GELU and its derivative, `(1 + t)/2 + a/2 · (1 − t²) · u'`, where u is the argument of the tanh and t its
/// value.
#[inline]
fn gelu_and_slope(x: f32) -> (f32, f32) {
    let square = x * x;
    let t = tanh_of(ROOT_TWO_OVER_PI * x * (1.0 + CUBIC * square));
    // Beyond 6, 1 − t² is nothing but the rounding error of t, and multiplying it by x³ would make it visible.
    let near = x.clamp(-6.0, 6.0);
    let inner_slope = ROOT_TWO_OVER_PI * (1.0 + 3.0 * CUBIC * near * near);
    (0.5 * x * (1.0 + t), 0.5 * (1.0 + t) + 0.5 * near * (1.0 - t * t) * inner_slope)
}

/// Eigen's rational tanh (`generic_fast_tanh_float`): an odd over an even polynomial, accurate to a few units in the
/// last place, 1 beyond its bounds. It has no branch and no table, so that the compiler vectorises the loop.
#[inline]
fn tanh_of(x: f32) -> f32 {
    const ODD: [f32; 7] =
        [-2.760_768_5e-16, 2.000_188e-13, -8.604_672e-11, 5.122_297e-8, 1.485_722_4e-5, 6.372_619_3e-4, 4.893_525e-3];
    const EVEN: [f32; 4] = [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3];
    let z = x.clamp(-7.905_311, 7.905_311);
    let square = z * z;
    let horner = |sum: f32, coefficient: &f32| sum * square + coefficient;
    z * ODD.iter().fold(0.0, horner) / EVEN.iter().fold(0.0, horner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_testing::now;

    /// Tolerance for single numbers, in units of `1 + |x|`: two or three roundings of f32.
    const CLOSE: f32 = 4e-7;

    #[test]
    fn the_sweep_agrees_with_the_formula_in_f64() {
        for step in -120_000..=120_000 {
            let x = step as f32 / 8_000.0;
            let wide = f64::from(x);
            let exact =
                0.5 * wide * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (wide + 0.044715 * wide.powi(3))).tanh());
            assert!((gelu_of(x) - exact as f32).abs() <= CLOSE * (1.0 + x.abs()), "{x}: {} and {exact}", gelu_of(x));
        }
    }

    #[test]
    fn the_derivative_is_that_of_the_formula_in_f64() {
        for step in -30_000..=30_000 {
            let x = f64::from(step) / 3_000.0;
            let root = (2.0 / std::f64::consts::PI).sqrt();
            let t = (root * (x + 0.044715 * x.powi(3))).tanh();
            let exact = 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * root * (1.0 + 3.0 * 0.044715 * x * x);
            let (gelu, slope) = gelu_and_slope(x as f32);
            assert!((gelu - gelu_of(x as f32)).abs() <= CLOSE * (1.0 + x.abs() as f32), "{x}");
            // 1 − t² is accurate to a few units in the last place of t, times up to 14.
            assert!((f64::from(slope) - exact).abs() < 1e-5, "{x}: {slope} and {exact}");
        }
        assert!((gelu_and_slope(1e6).1 - 1.0).abs() < 1e-5 && gelu_and_slope(-1e6).1.abs() < 1e-5);
    }

    #[test]
    fn the_sweep_and_its_gradient_agree_with_finite_differences() {
        let values: Vec<f32> = (0..24).map(|number| (number as f32 - 11.5) / 4.0).collect();
        let weights: Vec<f32> = (0..12).map(|number| (number % 5) as f32 - 1.5).collect();
        let sum = |values: &[f32]| -> f64 {
            let rows = values.chunks_exact(8).flat_map(|row| (0..4).map(|at| gelu_of(row[at]) * row[4 + at]));
            rows.zip(&weights).map(|(gated, weight)| f64::from(gated * weight)).sum()
        };
        let device = Device::flex().autodiff();
        let wide = Tensor::<2>::from_data(TensorData::new(values.clone(), [3, 8]), &device).require_grad();
        let gated = now(gate(wide.clone())).unwrap();
        let plain = now(gate(wide.clone().inner())).unwrap().into_data().try_to_vec::<f32>().unwrap();
        // The two forms of the argument of tanh round differently.
        for (one, other) in gated.clone().inner().into_data().try_to_vec::<f32>().unwrap().iter().zip(&plain) {
            assert!((one - other).abs() <= 1e-6 * (1.0 + other.abs()), "{one} {other}");
        }
        let weighed = gated * Tensor::<2>::from_data(TensorData::new(weights.clone(), [3, 4]), &device);
        let mut gradients = weighed.sum().backward();
        let found = wide.grad_remove(&mut gradients).unwrap().into_data().try_to_vec::<f32>().unwrap();
        const STEP: f32 = 1e-2;
        for (at, found) in found.iter().enumerate() {
            let moved = |by: f32| {
                let mut values = values.clone();
                values[at] += by;
                sum(&values)
            };
            let slope = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            // Third derivatives below 3, times 1e-4 / 6; sums near 10 rounded in f32, over 0.02.
            assert!((slope - f64::from(*found)).abs() < 1e-3, "{at}: {slope} and {found}");
        }
    }

    #[test]
    fn far_values_go_through_or_vanish() {
        assert_eq!(gelu_of(1e6), 1e6);
        assert!(gelu_of(-1e6).abs() <= 1.0);
        assert_eq!(gelu_of(0.0), 0.0);
        assert!(gelu_of(f32::NAN).is_nan());
    }
}
