//! Hyperbolic attention against its equations, written out over plain numbers in f64, and its gradients.

use super::*;
use crate::gradient_tests::check;
use crate::support::{near, read, rows, vectors};
use tuppum_random::Random;

/// Numbers of a point, three dimensions and a radius.
const NUMBERS: usize = 4;
const BETA: f64 = 0.7;

fn matching() -> HyperbolicMatching {
    let beta = Tensor::from_data(TensorData::new(vec![BETA as f32], [1]), &Device::flex());
    HyperbolicMatching { beta: Param::from_tensor(beta) }
}

/// (sinh(r) d / |d|, cosh r), the time-like coordinate last.
fn polar(numbers: &[f64]) -> Vec<f64> {
    let (direction, radius) = (&numbers[..NUMBERS - 1], numbers[NUMBERS - 1]);
    let length = direction.iter().map(|one| one * one).sum::<f64>().sqrt();
    direction.iter().map(|one| radius.sinh() * one / length).chain([radius.cosh()]).collect()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let time = x[NUMBERS - 1] * y[NUMBERS - 1];
    (time - x.iter().zip(y).take(NUMBERS - 1).map(|(one, other)| one * other).sum::<f64>()).acosh()
}

#[test]
fn values_meet_in_einsteins_midpoint_by_weights_of_geodesic_distance() {
    let mut random = Random::new(51);
    let [q, k, v] = [5, 7, 7].map(|count| vectors(&mut random, NUMBERS, count));
    let heads = |x: &[Vec<f64>]| rows(x).unsqueeze::<4>();
    let found = matching().attend(heads(&q), heads(&k), heads(&v), None);
    let expected: Vec<Vec<f64>> = q
        .iter()
        .map(|q| {
            let weights: Vec<f64> = k.iter().map(|k| (-BETA * distance(&polar(q), &polar(k))).exp()).collect();
            let (mut above, mut below) = (vec![0.0; NUMBERS - 1], 0.0);
            for (weight, v) in weights.iter().zip(&v) {
                // Klein's coordinates and γ = 1 / √(1 - |v|²).
                let point = polar(v);
                let klein: Vec<f64> = point[..NUMBERS - 1].iter().map(|one| one / point[NUMBERS - 1]).collect();
                let gamma = 1.0 / (1.0 - klein.iter().map(|one| one * one).sum::<f64>()).sqrt();
                above.iter_mut().zip(&klein).for_each(|(sum, one)| *sum += weight * gamma * one);
                below += weight * gamma;
            }
            above.iter().map(|one| one / below).collect()
        })
        .collect();
    // Distances lose digits where points are near: √1e-6 at most, and far less at those drawn here.
    near(&read(found), &expected, 1e-4);
}

#[test]
fn a_hidden_key_plays_no_part() {
    let mut random = Random::new(52);
    let [q, k, v] = [1, 3, 3].map(|count| rows(&vectors(&mut random, NUMBERS, count)).unsqueeze::<4>());
    let mask = rows(&[vec![0.0, 0.0, -1e9]]).unsqueeze::<4>();
    let masked = matching().attend(q.clone(), k.clone(), v.clone(), Some(mask));
    let without = matching().attend(q, k.narrow(2, 0, 2), v.narrow(2, 0, 2), None);
    // The same sums, but for weights of 0.
    near(&read(masked), &read(without), 1e-6);
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let mut random = Random::new(53);
    let [q, k, v] = [2, 3, 3].map(|count| vectors(&mut random, NUMBERS, count));
    check("hyperbolic attention", &[q, k, v], |t| {
        let heads = |x: &Tensor<2>| x.clone().unsqueeze::<4>();
        let beta = t[0].clone().slice([0..1, 0..1]).reshape([1]) * 0.0 + BETA;
        let matching = HyperbolicMatching { beta: Param::initialized(burn::module::ParamId::new(), beta) };
        matching.attend(heads(&t[0]), heads(&t[1]), heads(&t[2]), None).reshape([2, NUMBERS - 1])
    });
}
