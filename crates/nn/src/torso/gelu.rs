//! GELU (Hendrycks & Gimpel 2016, <https://arxiv.org/abs/1606.08415>): `x · Φ(x) = x/2 · (1 + erf(x/√2))`.

use crate::error::{TorsoError, Unreadable};
use burn::tensor::{Device, Tensor, TensorData, activation};

/// Computes GELU of every number.
///
/// On the CPU, burn calls the exact erf number by number, which in a browser takes half as long as all matrix products
/// together. One vectorised pass over the same memory does it in a tenth of the time; with gradients, another computes
/// the derivative. On other devices burn's own GELU is used.
pub async fn gelu(x: Tensor<2>) -> Result<Tensor<2>, TorsoError> {
    let device = x.device();
    let plain = device.clone().without_autodiff();
    if plain != Device::flex() {
        return Ok(activation::gelu(x));
    }
    if device.is_autodiff() {
        return with_slopes(x, &plain).await;
    }
    let mut data = x.into_data_async().await.map_err(Unreadable::of)?;
    for value in data.as_mut_slice::<f32>().map_err(Unreadable::of)? {
        *value = gelu_of(*value);
    }
    Ok(Tensor::from_data(data, &device))
}

/// Computes GELU with its gradient `Φ(x) + x · φ(x)`, where φ is the density of the normal distribution.
async fn with_slopes(x: Tensor<2>, plain: &Device) -> Result<Tensor<2>, TorsoError> {
    let shape = x.dims();
    let data = x.clone().inner().into_data_async().await.map_err(Unreadable::of)?;
    let mut values = data.try_into_vec::<f32>().map_err(Unreadable::of)?;
    let mut slopes = vec![0.0; values.len()];
    for (value, slope) in values.iter_mut().zip(&mut slopes) {
        *slope = slope_of(*value);
        *value = gelu_of(*value);
    }
    // Zeros whose gradient is that of GELU: the value stays exact, and burn stores only the slopes.
    let slopes = Tensor::<2>::from_data(TensorData::new(slopes, shape), plain).autodiff();
    let moved = (x.clone() - x.inner().autodiff()) * slopes;
    Ok(Tensor::<2>::from_data(TensorData::new(values, shape), plain).autodiff() + moved)
}

/// Returns GELU, computed with Eigen's rational erf (`generic_fast_erf_float`): an odd over an even polynomial,
/// accurate to a few units in the last place where `|z| < 4`; beyond, erf is 1 in f32. It has no branch and no table,
/// so that the compiler vectorises the loop.
#[inline]
fn gelu_of(x: f32) -> f32 {
    0.5 * x * (1.0 + erf_of(x))
}

/// Returns the derivative of GELU.
#[inline]
fn slope_of(x: f32) -> f32 {
    const INVERSE_ROOT_TWO_PI: f32 = 0.398_942_3;
    0.5 * (1.0 + erf_of(x)) + x * INVERSE_ROOT_TWO_PI * (-0.5 * x * x).exp()
}

/// Returns erf(x/√2).
#[inline]
fn erf_of(x: f32) -> f32 {
    const ODD: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024_1e-6,
        -5.692_506_5e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_4e-2,
    ];
    const EVEN: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_3e-3, -1.426_473_9e-2];
    let z = (x * std::f32::consts::FRAC_1_SQRT_2).clamp(-4.0, 4.0);
    let square = z * z;
    let horner = |sum: f32, coefficient: &f32| sum * square + coefficient;
    z * ODD.iter().fold(0.0, horner) / EVEN.iter().fold(0.0, horner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tolerance for single numbers, in units of `1 + |x|`: two or three roundings of f32.
    const CLOSE: f32 = 3e-7;

    #[test]
    fn the_sweep_agrees_with_the_exact_erf() {
        let inputs: Vec<f32> = (-80_000..=80_000).map(|step| step as f32 / 8_000.0).collect();
        let exact = activation::gelu(Tensor::<1>::from_floats(inputs.as_slice(), &Device::flex()));
        let exact = exact.into_data().try_to_vec::<f32>().unwrap();
        for (x, exact) in inputs.iter().zip(exact) {
            assert!((gelu_of(*x) - exact).abs() <= CLOSE * (1.0 + x.abs()), "{x}: {} and {exact}", gelu_of(*x));
        }
    }

    #[test]
    fn gradients_are_those_of_the_exact_gelu() {
        let inputs: Vec<f32> = (-8_000..=8_000).map(|step| step as f32 / 1_000.0).collect();
        let x = || Tensor::<2>::from_data(TensorData::new(inputs.clone(), [1, inputs.len()]), &Device::flex());
        let gradient = |of: &dyn Fn(Tensor<2>) -> Tensor<2>| {
            let x = x().autodiff().require_grad();
            let mut gradients = of(x.clone()).sum().backward();
            x.grad_remove(&mut gradients).unwrap().into_data().try_to_vec::<f32>().unwrap()
        };
        let now = |x| tuppum_testing::now(gelu(x)).unwrap();
        // The value is the same with gradients as without, bit by bit.
        let plain = now(x()).into_data().try_to_vec::<f32>().unwrap();
        assert_eq!(now(x().autodiff()).inner().into_data().try_to_vec::<f32>().unwrap(), plain);
        let (own, exact) = (gradient(&now), gradient(&activation::gelu::<2>));
        for ((x, own), exact) in inputs.iter().zip(own).zip(exact) {
            assert!((own - exact).abs() < 1e-6, "{x}: {own} and {exact}");
        }
    }

    #[test]
    fn far_values_go_through_or_vanish() {
        assert_eq!(gelu_of(1e30), 1e30);
        assert_eq!(gelu_of(-1e30), 0.0);
        assert_eq!(gelu_of(0.0), 0.0);
        assert!(gelu_of(f32::NAN).is_nan());
    }
}
