//! Properties of every layer: outputs on the hyperboloid, isometries among the linear layers, centroids of least
//! distance, weights that sum to 1.

use super::support::{CURVATURES, near, on_hyperboloid, points, read, rows, vectors};
use super::{Activation, LinearSettings, Lorentz, LorentzAttention, LorentzLinear, attend, attention_weights};
use burn::tensor::{Device, Tensor};
use proptest::prelude::*;
use tuppum_geometry::lorentz::inner;
use tuppum_geometry::{Hyperboloid, Random};

fn curvature() -> impl Strategy<Value = f64> {
    prop::sample::select(CURVATURES.to_vec())
}

/// Points of dimension 4 up to where the time-like coordinate is 1,000, near the origin as often as far.
fn some_points(seed: u64, k: f64, count: usize) -> Vec<Vec<f64>> {
    points(&mut Random::new(seed), k, 4, count, (1e3 * (-k).sqrt()).acosh() / (-k).sqrt())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_layer_ends_on_the_sheet(
        seed in any::<u64>(),
        k in curvature(),
        bias: bool,
        scaled: bool,
        rectified: bool,
    ) {
        let lorentz = Lorentz::new(k).unwrap();
        let (x, y) = (some_points(seed, k, 6), some_points(seed ^ 1, k, 6));
        let settings = LinearSettings {
            activation: if rectified { Activation::Relu } else { Activation::Tanh },
            dropout: 0.3,
            bias,
            normalised: scaled.then_some(10.0),
            ..LinearSettings::exact(4, 7)
        };
        let training = Device::flex().autodiff();
        let layer = LorentzLinear::new(lorentz, &settings, &training);
        on_hyperboloid(lorentz, layer.forward(rows(&x).autodiff()).inner());
        let exact = LorentzLinear::new(lorentz, &LinearSettings::exact(4, 7), &Device::flex());
        on_hyperboloid(lorentz, exact.forward(rows(&x)));
        on_hyperboloid(lorentz, lorentz.residual(rows(&x), rows(&y)));
        on_hyperboloid(lorentz, lorentz.at_positions(rows(&x), rows(&vectors(&mut Random::new(seed), 4, 6))));
        on_hyperboloid(lorentz, lorentz.boost(rows(&x), rows(&y)));
        let drawn = vectors(&mut Random::new(seed), 6, 3).into_iter();
        let weights: Vec<Vec<f64>> = drawn.map(|row| row.into_iter().map(f64::abs).collect()).collect();
        on_hyperboloid(lorentz, lorentz.centroids(rows(&weights), rows(&x)));
        let places = |x: &[Vec<f64>]| rows(x).reshape([2, 3, 5]);
        let attention = LorentzAttention::new(lorentz, 4, 2, &Device::flex());
        on_hyperboloid(lorentz, attention.forward(places(&x), places(&y), None));
        on_hyperboloid(lorentz, lorentz.heads_joined(rows(&x).reshape([1, 2, 3, 5])));
    }

    #[test]
    fn attention_weights_sum_to_one(seed in any::<u64>(), k in curvature()) {
        let lorentz = Lorentz::new(k).unwrap();
        let heads = |seed| rows(&some_points(seed, k, 12)).reshape([1, 2, 6, 5]);
        let mut mask = vec![vec![0.0; 6]; 6];
        mask[2][3] = -1e9;
        let mask = rows(&mask).reshape([1, 1, 6, 6]);
        let weights = read(attention_weights(lorentz, heads(seed), heads(seed ^ 1), Some(mask.clone())));
        for row in &weights {
            // Six f32 numbers, each rounded.
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{row:?}");
        }
        prop_assert_eq!(weights[2][3], 0.0);
        on_hyperboloid(lorentz, attend(lorentz, heads(seed), heads(seed ^ 1), heads(seed ^ 2), Some(mask)));
    }
}

#[test]
fn heads_come_apart_and_together() {
    let lorentz = Lorentz::new(-2.5).unwrap();
    let x = points(&mut Random::new(3), -2.5, 6, 4, 2.0);
    let apart = lorentz.heads_apart(Lorentz::space(rows(&x)).reshape([1, 4, 6]), 3);
    on_hyperboloid(lorentz, apart.clone());
    near(&read(lorentz.heads_joined(apart.clone())), &x, 1e-6);
    // Eq. 6 gives the time-like coordinate as √(Σ tᵢ² + (N - 1)/K).
    let times = read(Lorentz::time(apart).squeeze_dim::<3>(3).squeeze_dim::<2>(0).transpose());
    for (times, x) in times.iter().zip(&x) {
        let expected = (times.iter().map(|one| one * one).sum::<f64>() + 2.0 / -2.5).sqrt();
        assert!((expected - x[0]).abs() < 1e-5 * x[0], "{expected} {}", x[0]);
    }
}

#[test]
fn the_exact_layer_contains_boosts_and_rotations() {
    let mut random = Random::new(8);
    for k in CURVATURES {
        let (lorentz, plain) = (Lorentz::new(k).unwrap(), Hyperboloid::new(-k).unwrap());
        let x = points(&mut random, k, 3, 20, 2.0);
        // A boost is linear: its columns are what it makes of the unit vectors, its space-like rows are W.
        let to = points(&mut random, k, 3, 1, 2.0).remove(0);
        let units: Vec<Vec<f64>> =
            (0..4).map(|at| (0..4).map(|one| f64::from(u8::from(one == at))).collect()).collect();
        let transposed: Vec<Vec<f64>> = units.iter().map(|unit| plain.boost(&to, unit)[1..].to_vec()).collect();
        let boost = LorentzLinear::of_weight(lorentz, rows(&transposed));
        let expected: Vec<Vec<f64>> = x.iter().map(|x| plain.boost(&to, x)).collect();
        near(&read(boost.forward(rows(&x))), &expected, 2e-5);
        near(&read(lorentz.boost(rows(&[to]), rows(&x))), &expected, 2e-5);
        // A rotation about the third axis; W has no column for time.
        let (sine, cosine) = 0.7f64.sin_cos();
        let rotation = vec![vec![cosine, -sine, 0.0], vec![sine, cosine, 0.0], vec![0.0, 0.0, 1.0]];
        let mut transposed = vec![vec![0.0; 3]];
        transposed.extend((0..3).map(|column| rotation.iter().map(|row| row[column]).collect()));
        let layer = LorentzLinear::of_weight(lorentz, rows(&transposed));
        near(&read(layer.forward(rows(&x))), &read(lorentz.rotate(rows(&rotation), rows(&x))), 2e-5);
        let turned = |x: &Vec<f64>| vec![x[0], cosine * x[1] - sine * x[2], sine * x[1] + cosine * x[2], x[3]];
        near(&read(layer.forward(rows(&x))), &x.iter().map(turned).collect::<Vec<_>>(), 2e-5);
    }
}

#[test]
fn the_centroid_minimises_the_weighted_squared_distance() {
    let mut random = Random::new(21);
    for k in CURVATURES {
        let (lorentz, plain) = (Lorentz::new(k).unwrap(), Hyperboloid::new(-k).unwrap());
        let x = points(&mut random, k, 3, 5, 2.0);
        let weights: Vec<f64> = (0..5).map(|_| random.uniform()).collect();
        let cost = |at: &[f64]| -> f64 {
            x.iter().zip(&weights).map(|(x, weight)| weight * (2.0 / k - 2.0 * inner(x, at))).sum()
        };
        let found = read(lorentz.centroids(rows(std::slice::from_ref(&weights)), rows(&x))).remove(0);
        // Numeric minimisation in f64: steps from the origin in random directions, shorter whenever none helps.
        let (mut best, mut step) = (plain.origin(3), 1.0);
        while step > 1e-7 {
            let tried: Vec<Vec<f64>> = (0..40)
                .map(|_| {
                    let v: Vec<f64> = [vec![0.0], random.direction(3)].concat().iter().map(|one| one * step).collect();
                    plain.exp(&best, &plain.tangent(&best, &v))
                })
                .collect();
            let least = tried.into_iter().min_by(|one, other| cost(one).total_cmp(&cost(other))).unwrap();
            if cost(&least) < cost(&best) { best = least } else { step *= 0.6 }
        }
        // f32 coordinates up to 10.
        assert!(plain.distance(&best, &found) < 1e-5, "{best:?} {found:?}");
    }
}

#[test]
fn a_normalised_layer_has_the_length_of_its_gate() {
    let device = Device::flex();
    let settings = LinearSettings { normalised: Some(3.0), bias: true, ..LinearSettings::exact(4, 6) };
    let layer = LorentzLinear::new(Lorentz::UNIT, &settings, &device);
    let x = points(&mut Random::new(4), -1.0, 4, 10, 2.0);
    let velocity = read(layer.normalisation.as_ref().unwrap().velocity.val());
    for (row, x) in read(layer.forward(rows(&x))).iter().zip(&x) {
        let length = row[1..].iter().map(|one| one * one).sum::<f64>().sqrt();
        let gate: f64 = velocity.iter().zip(x).map(|(v, x)| v[0] * x).sum();
        let expected = 3.0 / (1.0 + (-gate).exp());
        assert!((length - expected).abs() < 1e-4 * expected, "{length} {expected}");
    }
    // An input that the product takes to zero has no direction, but is no reason for NaN.
    let zero = LorentzLinear::of_weight(Lorentz::UNIT, Tensor::zeros([5, 6], &device));
    near(&read(zero.forward(rows(&x)))[..1], &[vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], 1e-6);
}
