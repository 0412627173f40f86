//! Helpers of this crate's tests: tensors from numbers and back, random points on a hyperboloid.

use super::Lorentz;
use burn::tensor::{Device, Tensor, TensorData};
use tuppum_geometry::{Hyperboloid, Random};

/// Curvatures K under which everything is tested.
pub const CURVATURES: [f64; 3] = [-0.3, -1.0, -2.5];

/// Returns a tensor of rows, to be differentiated by or not.
pub fn rows(rows: &[Vec<f64>]) -> Tensor<2> {
    let width = rows.first().map_or(0, Vec::len);
    let values: Vec<f32> = rows.iter().flatten().map(|one| *one as f32).collect();
    Tensor::from_data(TensorData::new(values, [rows.len(), width]), &Device::flex())
}

/// Returns the rows of a tensor, in f64; every number finite.
#[track_caller]
pub fn read<const D: usize>(tensor: Tensor<D>) -> Vec<Vec<f64>> {
    let width = tensor.dims()[D - 1];
    let values = tensor.into_data().try_into_vec::<f32>().unwrap();
    assert!(values.iter().all(|one| one.is_finite()), "{values:?}");
    values.chunks_exact(width).map(|row| row.iter().map(|one| f64::from(*one)).collect()).collect()
}

/// Random points of dimension n, up to `farthest` from the origin, rounded to f32 and lifted in f64 again.
pub fn points(random: &mut Random, k: f64, n: usize, count: usize, farthest: f64) -> Vec<Vec<f64>> {
    (0..count)
        .map(|_| {
            let reach = (farthest * random.uniform() * (-k).sqrt()).sinh() / (-k).sqrt();
            let space: Vec<f64> = random.direction(n).iter().map(|one| f64::from((reach * one) as f32)).collect();
            let time = (space.iter().map(|one| one * one).sum::<f64>() - 1.0 / k).sqrt();
            [vec![time], space].concat()
        })
        .collect()
}

/// Random vectors.
pub fn vectors(random: &mut Random, n: usize, count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|_| (0..n).map(|_| f64::from(random.normal() as f32)).collect()).collect()
}

/// Random tangent vectors at some points, up to 2 long.
pub fn tangents(random: &mut Random, plain: &Hyperboloid, at: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let drawn = vectors(random, at.first().map_or(0, Vec::len), at.len());
    let shortened = |x: &Vec<f64>, v: Vec<f64>, length: f64| {
        let tangent = plain.tangent(x, &v);
        let share = length / plain.length(&tangent);
        tangent.iter().map(|one| share * one).collect()
    };
    at.iter().zip(drawn).map(|(x, v)| shortened(x, v, 2.0 * random.uniform())).collect()
}

/// Asserts that every row lies on the hyperboloid: its time-like coordinate is √(|s|² - 1/K) to 1e-5, and positive.
#[track_caller]
pub fn on_hyperboloid<const D: usize>(lorentz: Lorentz, tensor: Tensor<D>) {
    for row in read(tensor) {
        let space: f64 = row[1..].iter().map(|one| one * one).sum();
        let time = (space - 1.0 / lorentz.curvature()).sqrt();
        assert!((row[0] - time).abs() < 1e-5 * time, "{} {time}", row[0]);
    }
}

/// The rows differ by at most `tolerance` of their size, at least 1.
#[track_caller]
pub fn near(found: &[Vec<f64>], expected: &[Vec<f64>], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let size = expected.iter().map(|one| one * one).sum::<f64>().sqrt().max(1.0);
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < tolerance * size, "{found:?}\n{expected:?}");
        }
        assert_eq!(found.len(), expected.len());
    }
}
