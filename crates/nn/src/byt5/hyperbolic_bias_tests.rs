//! Tests of the hyperbolic bias against closed forms, of its two ways against each other, and of its gradients against
//! finite differences.

use super::*;
use tuppum_random::Random;
use tuppum_testing::now;

const COUNT: usize = 12;
const DIMENSIONS: usize = 32;

/// Returns points of a fixed sequence with norms from 0 to 0.9; the last two are equal.
fn points() -> Vec<f32> {
    let mut random = Random::stream(7, 0);
    let mut values = Vec::new();
    for number in 0..COUNT - 1 {
        let direction: Vec<f64> = (0..DIMENSIONS).map(|_| random.uniform() - 0.5).collect();
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let radius = 0.9 * number as f64 / (COUNT - 2) as f64;
        values.extend(direction.iter().map(|x| (x / norm * radius) as f32));
    }
    values.extend_from_within((COUNT - 2) * DIMENSIONS..);
    values
}

fn geometry(values: Vec<f32>, alpha: f32, curvature: f64, device: &Device) -> HyperbolicBias {
    HyperbolicBias::new(values, DIMENSIONS, alpha, 4, curvature, device).unwrap()
}

fn values(bias: Tensor<4>) -> Vec<f32> {
    bias.into_data().try_to_vec::<f32>().unwrap()
}

fn every_pair() -> Vec<Vec<u32>> {
    vec![(0..COUNT as u32).collect()]
}

#[test]
fn distances_are_those_of_the_ball() {
    let found = table(&points(), COUNT, 1.0);
    for (at, found) in found.iter().enumerate() {
        let (all, [i, j]) = (points(), [at / COUNT, at % COUNT]);
        let point = |number: usize| all[number * DIMENSIONS..][..DIMENSIONS].iter().map(|x| f64::from(*x));
        let square = point(i).zip(point(j)).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
        let inside = |number| 1.0 - point(number).map(|x| x * x).sum::<f64>();
        let exact = (1.0 + 2.0 * square / (inside(i) * inside(j))).acosh();
        // The floor adds at most √1e-9 to a distance of 0 and 1e-9 / (2 d) to others; acosh itself is good to 1e-8 near
        // 1.
        let floor = if square == 0.0 { 3.2e-5 } else { 1e-7 };
        assert!((found - exact).abs() < floor, "{i} {j}: {found} and {exact}");
    }
}

#[test]
fn the_diagonal_is_the_floor_and_the_table_is_symmetric() {
    let found = table(&points(), COUNT, 1.0);
    let floor = ROOT_FLOOR.sqrt().ln_1p();
    for i in 0..COUNT {
        assert_eq!(found[i * COUNT + i], floor);
        (0..COUNT).for_each(|j| assert_eq!(found[i * COUNT + j], found[j * COUNT + i]));
    }
    assert!(floor < 3.2e-5);
}

#[test]
fn both_ways_give_the_same_bias() {
    let rows = vec![vec![3, 0, 11, 5, 3], vec![1, 1, 2, 10, 0]];
    for curvature in [0.0, 0.25, 1.0] {
        let own = geometry(points(), 0.1, curvature, &Device::flex());
        let (looked_up, products) = (now(own.looked_up(&rows)).unwrap(), own.by_products(&rows));
        assert_eq!(looked_up.dims(), [2, 1, 5, 5]);
        for (one, other) in values(looked_up).into_iter().zip(values(products)) {
            // |x|² + |y|² − 2 x·y in f32 is off by 2e-7, of which the distance of two equal points is the root: 6e-4
            // where (1 − |x|²) is 0.19; times α.
            assert!((one - other).abs() < 1e-3 * 0.1, "{one} and {other}");
        }
    }
}

#[test]
fn nearer_points_are_never_biased_lower() {
    let bias = values(now(geometry(points(), 0.1, 1.0, &Device::flex()).bias(&every_pair())).unwrap());
    let mut pairs: Vec<(f64, f32)> = table(&points(), COUNT, 1.0).into_iter().zip(bias).collect();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(pairs.is_sorted_by(|near, far| near.1 >= far.1));
    assert!(pairs.first().unwrap().1 > pairs.last().unwrap().1 + 0.1);
}

#[test]
fn a_flat_ball_is_euclidean_and_a_curved_one_is_wider() {
    let all = points();
    let point = |number: usize| all[number * DIMENSIONS..][..DIMENSIONS].iter();
    let flat = table(&all, COUNT, 1e-6);
    let euclid = table(&all, COUNT, 0.0);
    let curved = [0.25, 0.5, 1.0].map(|curvature| table(&all, COUNT, curvature));
    for (i, j) in (0..COUNT - 1).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let euclidean = point(i).zip(point(j)).map(|(x, y)| f64::from(x - y).powi(2)).sum::<f64>().sqrt();
        // The ball's metric is four times the Euclidean one at its centre. The floor is divided by √c: 1e-9 / (2 c · 2
        // d).
        assert!((flat[i * COUNT + j] - 2.0 * euclidean).abs() < 5e-3, "{i} {j}");
        assert!((euclid[i * COUNT + j] - 2.0 * euclidean).abs() < 1e-6, "{i} {j}");
        let at = |number: usize| curved[number][i * COUNT + j];
        assert!(2.0 * euclidean < at(0) + 1e-4 && at(0) < at(1) && at(1) < at(2), "{i} {j}");
    }
}

#[test]
fn a_point_outside_the_ball_is_named() {
    let mut values = points();
    values[5 * DIMENSIONS] = 1.5;
    let error = HyperbolicBias::new(values, DIMENSIONS, 0.1, 4, 1.0, &Device::flex()).unwrap_err().to_string();
    assert!(error.starts_with("point 5 lies outside"), "{error}");
}

/// Returns a number that depends on every entry of the bias, each with its own weight.
fn weighed(bias: Tensor<4>) -> Tensor<1> {
    let count = bias.shape().num_elements();
    let weights: Vec<f32> = (0..count).map(|at| ((at * 7 + 3) % 11) as f32 / 11.0 - 0.4).collect();
    let weights = Tensor::<1>::from_data(TensorData::new(weights, [count]), &bias.device());
    (bias.reshape([count]) * weights).sum()
}

/// Step of the finite differences. It moves the sum by about 1e-3; rounding of f32 in sums of 100 terms near 0.3 makes
/// 3e-6 of that uncertain, the third derivative as much again: a hundredth in all. A wrong gradient is off by tenths.
const STEP: f32 = 1e-3;
const AGREEMENT: f32 = 1e-2;

#[test]
fn the_gradient_is_that_of_finite_differences() {
    // The diagonal counts here, and so do two different tokens at one point.
    let rows = vec![(0..COUNT as u32).collect::<Vec<_>>(), (0..COUNT as u32).rev().collect()];
    let device = Device::flex().autodiff();
    let own = geometry(points(), 0.3, 1.0, &device);
    let mut gradients = weighed(own.by_products(&rows)).backward();
    let of_points = own.points.val().grad_remove(&mut gradients).unwrap().into_data().try_to_vec::<f32>().unwrap();
    let of_alpha = own.alpha.val().grad_remove(&mut gradients).unwrap().into_data().try_to_vec::<f32>().unwrap();
    assert!(of_points.iter().chain(&of_alpha).all(|value| value.is_finite()), "{of_points:?} {of_alpha:?}");
    let at = |values: Vec<f32>, alpha: f32| {
        let own = geometry(values, alpha, 1.0, &Device::flex());
        values_sum(&now(own.looked_up(&rows)).unwrap())
    };
    let slope = ((at(points(), 0.3 + STEP) - at(points(), 0.3 - STEP)) / f64::from(2.0 * STEP)) as f32;
    assert!((slope - of_alpha[0]).abs() < AGREEMENT * slope.abs().max(1.0), "{slope} and {}", of_alpha[0]);
    // The two equal points sit at a kink, where the slope is the mean of both sides; the others are smooth.
    for number in (0..(COUNT - 2) * DIMENSIONS).step_by(5) {
        let moved = |by: f32| {
            let mut values = points();
            values[number] += by;
            at(values, 0.3)
        };
        let slope = ((moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP)) as f32;
        let found = of_points[number];
        assert!((slope - found).abs() < AGREEMENT * slope.abs().max(1.0), "{number}: {slope} and {found}");
    }
}

/// Returns [`weighed`], summed in f64.
fn values_sum(bias: &Tensor<4>) -> f64 {
    let terms = values(bias.clone()).into_iter().enumerate();
    terms.map(|(at, value)| f64::from(value) * f64::from(((at * 7 + 3) % 11) as f32 / 11.0 - 0.4)).sum()
}
