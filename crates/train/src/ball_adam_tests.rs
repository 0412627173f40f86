//! Tests of Riemannian Adam against geoopt's recorded steps (`recipes/golden_ball_adam.py`) and against its own
//! properties.

use super::tests::{tensor, values};
use super::*;
use crate::update_rules::{RiemannianAdam, TensorUpdate};
use burn::tensor::DType;
use proptest::prelude::*;
use serde::Deserialize;
use tuppum_geometry::Ball;

const GOLDEN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/geometry/ball_adam.json"));

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    c: f64,
    dimensions: usize,
    betas: [f64; 2],
    epsilon: f64,
    start: Vec<f64>,
    steps: Vec<Taken>,
    ways: Vec<f64>,
}

#[derive(Deserialize)]
struct Taken {
    rate: f64,
    gradient: Vec<f64>,
    points: Vec<f64>,
    first: Vec<f64>,
}

#[track_caller]
fn close(found: Tensor<2>, expected: &[f64], tolerance: f64) {
    let found = values(found);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance * expected.abs().max(1.0), "{found} and {expected}");
    }
}

fn steps_are_those_of_geoopt(dtype: DType, tolerance: f64) {
    let Golden { cases } = serde_json::from_str(GOLDEN).unwrap();
    for Case { c, dimensions, betas, epsilon, start, steps, ways } in &cases {
        let ball = PoincareBall::new(*c);
        let tensor = |values: &[f64]| tensor(values, *dimensions, dtype);
        let (mut points, mut moments) = (tensor(start), None);
        for (step, number) in steps.iter().zip(1..) {
            let update = TensorUpdate { rate: step.rate, betas: *betas, epsilon: *epsilon, decay: 0.0, number };
            let (moved, after) = ball.adam(points, tensor(&step.gradient), moments, &update);
            close(moved.clone(), &step.points, tolerance);
            close(after.first.clone(), &step.first, tolerance);
            (points, moments) = (moved, Some(after));
        }
        close(ball.distance(points, tensor(start)), ways, tolerance);
    }
    assert_eq!(cases.len(), 3);
}

#[test]
fn steps_are_those_of_geoopt_in_f64() {
    // Some thousand roundings of f64, magnified at most 1 / (1 − 0.95²)² = 105 times.
    steps_are_those_of_geoopt(DType::F64, 1e-11);
}

#[test]
fn steps_are_those_of_geoopt_in_f32() {
    // A thousand roundings of f32, most of which do not add up.
    steps_are_those_of_geoopt(DType::F32, 1e-4);
}

fn update(rate: f64, number: u32) -> TensorUpdate {
    TensorUpdate { rate, betas: [0.9, 0.999], epsilon: 1e-8, decay: 0.0, number }
}

proptest! {
    /// Checks that the first step of Adam, with its bias correction, is as long as the learning rate, whatever the
    /// length of the gradient.
    #[test]
    fn the_first_step_is_as_long_as_the_rate(
        point in prop::collection::vec(-0.45..0.45, 4),
        gradient in prop::collection::vec(-1.0..1.0, 4),
        c in 0.25..1.0,
        rate in 1e-3..0.5,
    ) {
        prop_assume!(gradient.iter().map(|g: &f64| g * g).sum::<f64>() > 0.01);
        let (ball, row) = (PoincareBall::new(c), |values: &[f64]| tensor(values, 4, DType::F64));
        let (moved, moments) = ball.adam(row(&point), row(&gradient), None, &update(rate, 1));
        let covered = Ball::new(c).unwrap().distance(&point, &values(moved.clone()));
        // The tolerance covers ε beside a gradient of a Riemannian length above 0.1 · (1 − 0.81) / 2.
        prop_assert!((covered - rate).abs() < 2e-6 * rate, "{covered} {rate}");
        prop_assert_eq!(moments.second.dims(), [1, 1]);
        let first = ball.squared_length(moved, moments.first).sqrt();
        let gradient = ball.gradient_length(row(&point), row(&gradient));
        let [first, gradient] = [values(first)[0], values(gradient.reshape([1, 1]))[0]];
        // The transport keeps lengths.
        prop_assert!((first - 0.1 * gradient).abs() < 1e-9, "{first} {gradient}");
    }

    #[test]
    fn points_stay_in_the_ball(
        points in prop::collection::vec(-0.5..0.5, 12),
        gradients in prop::collection::vec(prop::collection::vec(-1e4..1e4, 12), 5),
        rate in 1e-4..10.0,
        c in 0.1f64..4.0,
    ) {
        let ball = PoincareBall::new(c);
        let single = |values: &[f64]| tensor(values, 4, DType::F32);
        // The points are at most √4 · 0.5 from the centre and scaled into the ball.
        let start: Vec<f64> = points.iter().map(|x| x * 0.99 / c.sqrt()).collect();
        let (mut points, mut moments) = (single(&start), None);
        for (gradient, number) in gradients.iter().zip(1..) {
            let (moved, after) = ball.adam(points, single(gradient), moments, &update(rate, number));
            let (moved, after) = ball.pulled(moved, single(&start), 0.01, after);
            for point in values(moved.clone()).chunks_exact(4) {
                let norm = point.iter().map(|x| x * x).sum::<f64>();
                prop_assert!(norm * c < 1.0, "{point:?}");
            }
            prop_assert!(values(after.first.clone()).iter().all(|one| one.is_finite()), "{:?}", after.first);
            (points, moments) = (moved, Some(after));
        }
    }
}

#[test]
fn the_gradient_of_all_points_is_cut_to_its_riemannian_length() {
    let row = |values: &[f64]| tensor(values, 2, DType::F64);
    for c in [0.0, 1.0] {
        let ball = PoincareBall::new(c);
        let (points, gradient) = (row(&[0.0, 0.0, 0.6, 0.0]), row(&[3.0, 4.0, 0.0, 2.0]));
        // Lengths by coordinates divided by λ: 5 / 2, and 2 / (2 / (1 − 0.36)), or 2 / 2 without curvature.
        let other = if c == 0.0 { 1.0 } else { 0.64 };
        let length = f64::hypot(2.5, other);
        let found = values(ball.gradient_length(points.clone(), gradient.clone()).reshape([1, 1]))[0];
        assert!((found - length).abs() < 1e-12, "{found} {length}");
        let cut = ball.clipped(points.clone(), gradient.clone(), 0.5);
        let left = values(ball.gradient_length(points.clone(), cut).reshape([1, 1]))[0];
        // 1e-6 is added to the length.
        assert!((left - 0.5).abs() < 1e-6, "{left}");
        close(ball.clipped(points, gradient.clone(), 10.0), &values(gradient), 1e-15);
    }
}

#[test]
fn a_pull_goes_its_share_of_the_way_back() {
    for c in [0.0, 0.7] {
        let (ball, row) = (PoincareBall::new(c), |values: &[f64]| tensor(values, 2, DType::F64));
        let (points, start) = (row(&[0.5, -0.2, 0.1, 0.1]), row(&[-0.3, 0.4, 0.1, 0.1]));
        let moments = TensorMoments { first: row(&[1.0, 0.0, 0.0, 1.0]), second: row(&[1.0, 1.0]) };
        let before = values(ball.distance(points.clone(), start.clone()));
        for (share, left) in [(0.25, 0.75), (1.0, 0.0), (7.0, 0.0)] {
            let (pulled, carried) = ball.pulled(points.clone(), start.clone(), share, moments.clone());
            let after = values(ball.distance(pulled.clone(), start.clone()));
            // Near 0 the distance is the root of a squared difference, so its error is large.
            assert!((after[0] - left * before[0]).abs() < 1e-7 && after[1] < 1e-7, "{c} {share} {after:?}");
            let [one, other] = [(points.clone(), moments.first.clone()), (pulled, carried.first)]
                .map(|(at, v)| values(ball.squared_length(at, v)));
            assert!((one[0] - other[0]).abs() < 1e-9 * one[0], "{one:?} {other:?}");
        }
    }
}
