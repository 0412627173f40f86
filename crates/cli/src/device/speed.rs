//! The speed of a device at matrix products, measured for a moment.

use crate::failure::Result;
use burn::tensor::{Device, Tensor};
use futures_lite::future::block_on;
use std::time::{Duration, Instant};

/// Minimum duration of a measured product: in shorter ones the start would be measured along.
const LONG_ENOUGH: Duration = Duration::from_millis(30);
/// Sides of the measured matrices, the smallest first; the last needs 200 MB.
const SIDES: [usize; 4] = [512, 1024, 2048, 4096];

/// Returns "N GFLOP/s in products of S × S".
///
/// # Errors
/// The device computes nothing.
pub fn measured(device: &Device) -> Result<String> {
    let mut told = String::new();
    for side in SIDES {
        let factor = Tensor::<2>::full([side, side], 0.5, device);
        multiplied(&factor)?; // what is compiled at the first time is not measured
        let start = Instant::now();
        multiplied(&factor)?;
        let took = start.elapsed();
        let operations = 2.0 * (side as f64).powi(3);
        told = format!("{:.0} GFLOP/s in products of {side} × {side}", operations / took.as_secs_f64() / 1e9);
        if took >= LONG_ENOUGH {
            break;
        }
    }
    Ok(told)
}

/// Waits for a product by reading one of its numbers.
fn multiplied(factor: &Tensor<2>) -> Result<()> {
    let side = factor.dims()[0];
    let corner = factor.clone().matmul(factor.clone()).slice([0..1, 0..1]);
    let found = block_on(corner.into_data_async())
        .map_err(|error| format!("the computing device failed at its first product: {error}"))?;
    let found = found.try_to_vec::<f32>().map_err(|error| format!("a product cannot be read: {error:?}"))?;
    // Sums of quarters are exact in f32 up to far larger sides.
    match found.first() {
        Some(found) if *found == side as f32 / 4.0 => Ok(()),
        found => Err(format!("the computing device multiplies wrongly: {found:?} instead of {}", side / 4).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_speed() {
        let told = measured(&Device::flex()).unwrap();
        let number = told.split(' ').next().and_then(|number| number.parse::<f64>().ok());
        assert!(number.is_some() && told.contains("GFLOP/s in products of"), "{told}");
    }
}
