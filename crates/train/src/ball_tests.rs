//! Tests of the maps against those of `geometry::Ball` in f64, and of their limit without curvature against Euclidean
//! space.

use super::*;
use burn::tensor::{DType, Device, TensorData};
use proptest::prelude::*;
use tuppum_geometry::Ball;

const DIMENSIONS: usize = 4;

pub(super) fn tensor(values: &[f64], columns: usize, dtype: DType) -> Tensor<2> {
    let data = TensorData::new(values.to_vec(), [values.len() / columns, columns]);
    Tensor::from_data(data, (&Device::flex(), dtype))
}

pub(super) fn values(tensor: Tensor<2>) -> Vec<f64> {
    tensor.cast(DType::F64).into_data().try_to_vec().unwrap()
}

fn row(values: &[f64]) -> Tensor<2> {
    tensor(values, DIMENSIONS, DType::F64)
}

/// Returns a point at most 0.9 of the radius from the centre.
fn point(curvature: f64, x: [f64; DIMENSIONS]) -> Vec<f64> {
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt().max(1.0);
    x.iter().map(|x| x * 0.9 / norm / curvature.sqrt()).collect()
}

fn numbers() -> impl Strategy<Value = [f64; DIMENSIONS]> {
    prop::array::uniform(-1.0..1.0)
}

#[track_caller]
fn same(found: Tensor<2>, expected: &[f64]) {
    for (found, expected) in values(found).into_iter().zip(expected) {
        // Some hundred roundings of f64, magnified at most 1 / (1 − 0.9²)² = 28 times.
        assert!((found - expected).abs() < 1e-11, "{found} and {expected}");
    }
}

proptest! {
    #[test]
    fn the_maps_are_those_of_the_plain_ball(c in 0.1..4.0, x in numbers(), y in numbers(), v in numbers()) {
        let (plain, ball) = (Ball::new(c).unwrap(), PoincareBall::new(c));
        let [x, y] = [x, y].map(|one| point(c, one));
        same(ball.add(row(&x), row(&y)), &plain.add(&x, &y));
        // At most as long as the way to the rim.
        let v: Vec<f64> = v.iter().map(|v| v * 0.1).collect();
        same(ball.exp(row(&x), row(&v)), &plain.exp(&x, &v));
        same(ball.transport(row(&x), row(&y), row(&v)), &plain.transport(&x, &y, &v));
        same(ball.distance(row(&x), row(&y)), &[plain.distance(&x, &y)]);
        same(ball.towards(row(&x), row(&y), 0.3), &plain.geodesic(&x, &y, 0.3));
        let length = plain.conformal_factor(&x) * v.iter().map(|v| v * v).sum::<f64>().sqrt();
        same(ball.squared_length(row(&x), row(&v)).sqrt(), &[length]);
    }

    /// Checks that c = 0 gives what a ball of nearly no curvature gives.
    #[test]
    fn without_curvature_it_is_flat(x in numbers(), y in numbers(), v in numbers()) {
        let (flat, nearly) = (PoincareBall::new(0.0), PoincareBall::new(1e-9));
        let pairs = |ball: &PoincareBall| [
            ball.add(row(&x), row(&y)),
            ball.exp(row(&x), row(&v)),
            ball.transport(row(&x), row(&y), row(&v)),
            ball.distance(row(&x), row(&y)),
            ball.towards(row(&x), row(&y), 0.3),
            ball.gradient(row(&x), row(&v)),
        ];
        for (flat, nearly) in pairs(&flat).into_iter().zip(pairs(&nearly)) {
            for (flat, nearly) in values(flat).into_iter().zip(values(nearly)) {
                // Terms of first order in c, times numbers below 64.
                prop_assert!((flat - nearly).abs() < 1e-7, "{flat} {nearly}");
            }
        }
        let sum: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        same(flat.add(row(&x), row(&y)), &sum);
    }
}

#[test]
fn the_centre_and_points_that_meet_are_no_trouble() {
    for c in [0.0, 1.0] {
        let ball = PoincareBall::new(c);
        let (zero, x) = ([0.0; DIMENSIONS], [0.3, -0.2, 0.1, 0.0]);
        same(ball.exp(row(&x), row(&zero)), &x);
        same(ball.transport(row(&x), row(&x), row(&[1.0; DIMENSIONS])), &[1.0; DIMENSIONS]);
        same(ball.towards(row(&x), row(&x), 0.5), &x);
        same(ball.distance(row(&x), row(&x)), &[0.0]);
        same(ball.towards(row(&x), row(&zero), 1.0), &zero);
    }
}
