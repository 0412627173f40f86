//! The gate of the feed-forward part: `gelu(a) · b`, with the tanh form of GELU (Hendrycks & Gimpel 2016, §2;
//! Shazeer 2020, <https://arxiv.org/abs/2002.05202>): `a/2 · (1 + tanh(√(2/π) · (a + 0.044715 a³)))`.

use super::error::{ByT5Error, read};
use burn::tensor::{Device, Tensor, TensorData};

const ROOT_TWO_OVER_PI: f32 = 0.797_884_6;
const CUBIC: f32 = 0.044_715;
/// In f32, tanh is 1 from 9.01 on. Shading languages compute it from exponentials that overflow at 44 and more, and then
/// it is no number.
const SATURATED: f32 = 10.0;

/// `gelu(left half) · right half` of every row: `[n, 2 · ff]` to `[n, ff]`.
///
/// On the CPU, and where no gradient is wanted, one vectorised sweep over the memory stands for the ten tensors of the
/// formula.
pub async fn gate(wide: Tensor<2>) -> Result<Tensor<2>, ByT5Error> {
    let [rows, width] = wide.dims();
    let half = width / 2;
    let device = wide.device();
    if device.is_autodiff() || device != Device::flex() {
        let (a, b) = (wide.clone().narrow(1, 0, half), wide.narrow(1, half, half));
        let inner = (a.clone().square() * a.clone() * CUBIC + a.clone()) * ROOT_TWO_OVER_PI;
        return Ok(a * 0.5 * (inner.clamp(-SATURATED, SATURATED).tanh() + 1.0) * b);
    }
    let wide = read(wide).await?;
    let mut gated = vec![0.0; rows * half];
    for (row, gated) in wide.chunks_exact(width).zip(gated.chunks_exact_mut(half)) {
        let (a, b) = row.split_at(half);
        for ((gated, a), b) in gated.iter_mut().zip(a).zip(b) {
            *gated = gelu_of(*a) * b;
        }
    }
    Ok(Tensor::from_data(TensorData::new(gated, [rows, half]), &device))
}

#[inline]
fn gelu_of(x: f32) -> f32 {
    0.5 * x * (1.0 + tanh_of(ROOT_TWO_OVER_PI * (x + CUBIC * x * x * x)))
}

/// The rational tanh of Eigen (`generic_fast_tanh_float`): odd over even polynomial, to a few units in the last place; 1
/// beyond its bounds. No branch and no table, so that the compiler vectorises the loop.
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

    /// What single numbers differ by, in units of `1 + |x|`: two or three roundings of f32.
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
    fn far_values_go_through_or_vanish() {
        assert_eq!(gelu_of(1e6), 1e6);
        assert!(gelu_of(-1e6).abs() <= 1.0);
        assert_eq!(gelu_of(0.0), 0.0);
        assert!(gelu_of(f32::NAN).is_nan());
    }
}
