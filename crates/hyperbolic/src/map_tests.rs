//! The maps over tensors against the same maps in f64, which were written and tested apart from them
//! (`geometry::lorentz`).

use super::Lorentz;
use super::support::{CURVATURES, near, on_hyperboloid, points, read, rows, tangents, vectors};
use tuppum_geometry::{Hyperboloid, Random};

/// f32 keeps 6e-8 of a number; within 3 of the origin coordinates are up to 10 / √-K and the maps lose two digits of
/// them.
const AGREEMENT: f64 = 2e-5;

struct Drawn {
    tensors: Lorentz,
    plain: Hyperboloid,
    x: Vec<Vec<f64>>,
    y: Vec<Vec<f64>>,
    /// Tangent at x.
    v: Vec<Vec<f64>>,
}

/// Points and tangent vectors on the hyperboloids of three curvatures.
fn each(check: impl Fn(Drawn)) {
    let mut random = Random::new(11);
    for k in CURVATURES {
        let plain = Hyperboloid::new(-k).unwrap();
        let x = points(&mut random, k, 5, 40, 3.0);
        let y = points(&mut random, k, 5, 40, 3.0);
        let v = tangents(&mut random, &plain, &x);
        check(Drawn { tensors: Lorentz::new(k).unwrap(), plain, x, y, v });
    }
}

fn paired<T>(x: &[Vec<f64>], y: &[Vec<f64>], map: impl Fn(&[f64], &[f64]) -> T) -> Vec<T> {
    x.iter().zip(y).map(|(x, y)| map(x, y)).collect()
}

#[test]
fn products_and_distances() {
    each(|Drawn { tensors, plain, x, y, .. }| {
        let inner = paired(&x, &y, |x, y| vec![tuppum_geometry::lorentz::inner(x, y)]);
        near(&read(Lorentz::inner(rows(&x), rows(&y))), &inner, AGREEMENT);
        let distance = paired(&x, &y, |x, y| vec![plain.distance(x, y)]);
        near(&read(tensors.distance(rows(&x), rows(&y))), &distance, AGREEMENT);
        let squared: Vec<Vec<f64>> =
            inner.iter().map(|inner| vec![2.0 / tensors.curvature() - 2.0 * inner[0]]).collect();
        near(&read(tensors.squared_distance(rows(&x), rows(&y))), &squared, AGREEMENT);
        let every: Vec<Vec<f64>> = x
            .iter()
            .map(|x| {
                y.iter().map(|y| 2.0 / tensors.curvature() - 2.0 * tuppum_geometry::lorentz::inner(x, y)).collect()
            })
            .collect();
        near(&read(tensors.squared_distances(rows(&x), rows(&y))), &every, AGREEMENT);
    });
}

#[test]
fn exponential_and_logarithmic_map() {
    each(|Drawn { tensors, plain, x, y, v }| {
        let reached = paired(&x, &v, |x, v| plain.exp(x, v));
        near(&read(tensors.exp(rows(&x), rows(&v))), &reached, 10.0 * AGREEMENT);
        let towards = paired(&x, &y, |x, y| plain.log(x, y));
        near(&read(tensors.log(rows(&x), rows(&y))), &towards, 10.0 * AGREEMENT);
        // There and back; a log that points a hair wrong is magnified by sinh(6) / 6.
        near(&read(tensors.exp(rows(&x), rows(&towards))), &y, 100.0 * AGREEMENT);
    });
}

#[test]
fn tangents_lengths_and_transport() {
    each(|Drawn { tensors, plain, x, y, v }| {
        let mut random = Random::new(5);
        let any = vectors(&mut random, 6, x.len());
        let tangent = paired(&x, &any, |x, v| plain.tangent(x, v));
        near(&read(tensors.tangent(rows(&x), rows(&any))), &tangent, 10.0 * AGREEMENT);
        let lengths: Vec<Vec<f64>> = v.iter().map(|v| vec![plain.length(v).powi(2)]).collect();
        near(&read(tensors.squared_length(rows(&x), rows(&v))), &lengths, 10.0 * AGREEMENT);
        let moved: Vec<Vec<f64>> = (0..x.len()).map(|at| plain.transport(&x[at], &y[at], &v[at])).collect();
        let found = tensors.transport(rows(&x), rows(&y), rows(&v));
        near(&read(found.clone()), &moved, 100.0 * AGREEMENT);
        // Transport keeps lengths and ends tangent at y.
        near(&read(tensors.squared_length(rows(&y), found.clone())), &lengths, 100.0 * AGREEMENT);
        let upright = vec![vec![0.0]; x.len()];
        near(&read(Lorentz::inner(rows(&y), found) * 0.01), &upright, 10.0 * AGREEMENT);
    });
}

#[test]
fn boosts_and_rotations_are_isometries() {
    each(|Drawn { tensors, plain, x, y, .. }| {
        let boosted = paired(&x, &y, |x, y| plain.boost(x, y));
        near(&read(tensors.boost(rows(&x), rows(&y))), &boosted, AGREEMENT);
        let turned = |point: &Vec<f64>| vec![point[0], point[2], -point[1], point[3], point[5], point[4]];
        let turn = rows(&[
            vec![0.0, 1.0, 0.0, 0.0, 0.0],
            vec![-1.0, 0.0, 0.0, 0.0, 0.0],
            vec![0.0, 0.0, 1.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0, 0.0, 1.0],
            vec![0.0, 0.0, 0.0, 1.0, 0.0],
        ]);
        near(&read(tensors.rotate(turn, rows(&x))), &x.iter().map(turned).collect::<Vec<_>>(), AGREEMENT);
    });
}

#[test]
fn far_points_stay_on_the_sheet_and_keep_their_distances() {
    let mut random = Random::new(2);
    for k in CURVATURES {
        let (tensors, plain) = (Lorentz::new(k).unwrap(), Hyperboloid::new(-k).unwrap());
        // Time-like coordinates up to cosh(7.6) / √-K, about 1,000 on the unit hyperboloid.
        let farthest = 7.6 / (-k).sqrt();
        let (x, y) = (points(&mut random, k, 4, 60, farthest), points(&mut random, k, 4, 60, farthest));
        let distance = paired(&x, &y, |x, y| vec![plain.distance(x, y)]);
        near(&read(tensors.distance(rows(&x), rows(&y))), &distance, AGREEMENT);
        let v = paired(&x, &vectors(&mut random, 5, 60), |x, v| plain.tangent(x, v));
        let short: Vec<Vec<f64>> =
            v.iter().map(|v| v.iter().map(|one| one / plain.length(v).max(1e-9)).collect()).collect();
        let reached = tensors.exp(rows(&x), rows(&short));
        on_hyperboloid(tensors, reached.clone());
        // A step of length 1 leads 1 away. Rounding of a coordinate near 1,000 moves a point by up to 1e-4.
        near(&read(tensors.distance(rows(&x), reached)), &vec![vec![1.0]; 60], 1e-3);
        on_hyperboloid(tensors, rows(&x));
    }
}

#[test]
fn a_curvature_that_is_not_negative_is_refused() {
    for wrong in [0.0, 1.0, f64::NAN, f64::NEG_INFINITY] {
        let message = Lorentz::new(wrong).map_err(|error| error.to_string()).unwrap_err();
        assert!(message.contains("negative"), "{message}");
    }
}
