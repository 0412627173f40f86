//! The geometry against a published library (geoopt), and the laws that every picture and model relies on: isometries,
//! Möbius groups, maps between the models of the space and back.
//!
//! `recipes/golden_geometry.py` writes `tests/golden/geometry/`.
#![allow(clippy::unwrap_used)] // a golden file that cannot be read is a failure

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use std::fs;
use tuppum_geometry::lorentz::inner;
use tuppum_geometry::vector::{dot, norm, scaled, squared_difference};
use tuppum_geometry::{Ball, Hyperboloid};

/// Tolerance against geoopt, which rounds in different places. Coordinates of the hyperboloid reach 15, factors of the
/// ball 20.
const GOLDEN: f64 = 1e-11;

fn golden(name: &str) -> Vec<Value> {
    let path = tuppum_testing::project("tests/golden/geometry").join(name);
    let golden: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases = golden["cases"].as_array().unwrap().clone();
    assert_eq!(cases.len(), 24);
    cases
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[track_caller]
fn agrees(found: &[f64], case: &Value, name: &str) {
    let expected = case[name].as_f64().map_or_else(|| floats(&case[name]), |one| vec![one]);
    assert_eq!(found.len(), expected.len());
    let apart = squared_difference(found, &expected).sqrt();
    assert!(apart <= GOLDEN * (1.0 + norm(&expected)), "{name}: {found:?}, geoopt has {expected:?}");
}

#[test]
fn the_ball_agrees_with_geoopt() {
    for case in golden("ball.json") {
        let ball = Ball::new(case["c"].as_f64().unwrap()).unwrap();
        let (x, y, v) = (floats(&case["x"]), floats(&case["y"]), floats(&case["v"]));
        agrees(&[ball.distance(&x, &y)], &case, "dist");
        agrees(&ball.add(&x, &y), &case, "mobius_add");
        agrees(&ball.exp(&x, &v), &case, "expmap");
        agrees(&ball.log(&x, &y), &case, "logmap");
        agrees(&ball.transport(&x, &y, &v), &case, "transp");
        agrees(&[ball.conformal_factor(&x)], &case, "lambda_x");
        agrees(&ball.gyration(&x, &y, &v), &case, "gyration");
        agrees(&ball.multiply(0.4, &x), &case, "mobius_scalar_mul");
    }
}

#[test]
fn the_hyperboloid_agrees_with_geoopt() {
    for case in golden("hyperboloid.json") {
        let space = Hyperboloid::new(case["c"].as_f64().unwrap()).unwrap();
        let (x, y, v) = (floats(&case["x"]), floats(&case["y"]), floats(&case["v"]));
        agrees(&[space.distance(&x, &y)], &case, "dist");
        agrees(&space.exp(&x, &v), &case, "expmap");
        agrees(&space.log(&x, &y), &case, "logmap");
        agrees(&space.transport(&x, &y, &v), &case, "transp");
        agrees(&[inner(&v, &v)], &case, "inner");
    }
}

fn settings() -> ProptestConfig {
    ProptestConfig { cases: 512, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

fn ball() -> impl Strategy<Value = Ball> {
    prop::sample::select(vec![0.1, 0.5, 1.0, 4.0]).prop_map(|curvature| Ball::new(curvature).unwrap())
}

/// Returns a point of the unit ball whose norm lies between the two bounds.
fn point(lowest: f64, highest: f64) -> impl Strategy<Value = Vec<f64>> {
    (prop::array::uniform3(-1.0f64..1.0), lowest..highest)
        .prop_filter("a direction", |(direction, _)| norm(direction) > 1e-3)
        .prop_map(|(direction, length)| scaled(length / norm(&direction), &direction))
}

/// Returns points up to norm 0.9, distance 3 from the centre: the range of a tree on the screen, where no digits are
/// lost.
fn inner_point() -> impl Strategy<Value = Vec<f64>> {
    point(0.0, 0.9)
}

fn apart(x: &[f64], y: &[f64]) -> f64 {
    squared_difference(x, y).sqrt()
}

/// Rotates x in the plane of two axes.
fn rotated(x: &[f64], angle: f64) -> Vec<f64> {
    let (sine, cosine) = angle.sin_cos();
    vec![cosine * x[0] - sine * x[1], sine * x[0] + cosine * x[1], x[2]]
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn isometries_keep_distances(
        ball in ball(),
        a in inner_point(),
        x in inner_point(),
        y in inner_point(),
        angle in 0.0f64..6.3,
    ) {
        let [a, x, y] = [a, x, y].map(|x| scaled(ball.radius(), &x));
        let before = ball.distance(&x, &y) / ball.radius();
        let after = |x: &[f64], y: &[f64]| ball.distance(x, y) / ball.radius();
        prop_assert!((after(&ball.add(&a, &x), &ball.add(&a, &y)) - before).abs() < 1e-9);
        prop_assert!((after(&ball.to_origin(&a, &x), &ball.to_origin(&a, &y)) - before).abs() < 1e-9);
        prop_assert!((after(&rotated(&x, angle), &rotated(&y, angle)) - before).abs() < 1e-9);
        prop_assert!((after(&scaled(-1.0, &x), &scaled(-1.0, &y)) - before).abs() < 1e-9);
    }

    #[test]
    fn boosts_keep_distances(ball in ball(), a in inner_point(), x in inner_point(), y in inner_point()) {
        let space = Hyperboloid::new(ball.curvature()).unwrap();
        let [a, x, y] = [a, x, y].map(|x| ball.to_hyperboloid(&scaled(ball.radius(), &x)));
        let (before, after) = (space.distance(&x, &y), space.distance(&space.boost(&a, &x), &space.boost(&a, &y)));
        prop_assert!((before - after).abs() < 1e-9 * ball.radius(), "{before} {after}");
    }

    // Ungar's laws of a gyrocommutative gyrogroup.
    #[test]
    fn moebius_addition_is_a_gyrogroup(ball in ball(), x in inner_point(), y in inner_point(), z in inner_point()) {
        let [x, y, z] = [x, y, z].map(|x| scaled(ball.radius(), &x));
        let zero = vec![0.0; 3];
        let same = |one: &[f64], other: &[f64]| apart(one, other) < 1e-9 * ball.radius();
        prop_assert!(same(&ball.add(&zero, &x), &x) && same(&ball.add(&x, &zero), &x), "neutral");
        prop_assert!(same(&ball.add(&scaled(-1.0, &x), &x), &zero), "inverse");
        prop_assert!(same(&ball.add(&scaled(-1.0, &x), &ball.add(&x, &y)), &y), "cancels from the left");
        let turned = ball.gyration(&x, &y, &z);
        prop_assert!((norm(&turned) - norm(&z)).abs() < 1e-9 * ball.radius(), "a gyration is a rotation");
        prop_assert!(same(&ball.add(&x, &ball.add(&y, &z)), &ball.add(&ball.add(&x, &y), &turned)), "gyroassociative");
        let swapped = ball.gyration(&x, &y, &ball.add(&y, &x));
        prop_assert!(same(&ball.add(&x, &y), &swapped), "gyrocommutative");
        // A gyration is linear: it passes through the addition.
        let of_sum = ball.gyration(&x, &y, &ball.add(&x, &z));
        let sum_of = ball.add(&ball.gyration(&x, &y, &x), &turned);
        prop_assert!(same(&of_sum, &sum_of), "an automorphism");
        // The loop property, gyr[x, y] = gyr[x ⊕ y, y].
        prop_assert!(same(&turned, &ball.gyration(&ball.add(&x, &y), &y, &z)), "loop");
    }

    #[test]
    fn multiples_add_up_along_a_ray(ball in ball(), x in inner_point(), s in -1.0f64..1.0, t in -1.0f64..1.0) {
        let x = scaled(ball.radius(), &x);
        let both = ball.add(&ball.multiply(s, &x), &ball.multiply(t, &x));
        prop_assert!(apart(&both, &ball.multiply(s + t, &x)) < 1e-9 * ball.radius());
        prop_assert!(apart(&ball.multiply(s, &ball.multiply(t, &x)), &ball.multiply(s * t, &x)) < 1e-9 * ball.radius());
    }

    #[test]
    fn ways_around_the_models_lead_back(ball in ball(), x in point(0.0, 0.99)) {
        // Norms up to 0.99: 1 - |x|² is at least 0.02, so two digits are lost.
        ways_back(ball, &x, 1e-12)?;
    }

    #[test]
    fn ways_around_the_models_lead_back_under_the_rim(ball in ball(), x in point(0.99, 1.0 - 1e-5)) {
        // The hyperboloid's coordinates are cosh of the distance from the centre, at most 1e5 here: as many digits of
        // the sixteen are lost.
        let cosh = ball_cosh(&x);
        ways_back(ball, &x, 4.0 * f64::EPSILON * cosh)?;
    }

    #[test]
    fn distances_are_the_same_in_all_models(ball in ball(), x in point(0.0, 1.0 - 1e-5), y in point(0.0, 1.0 - 1e-5)) {
        let space = Hyperboloid::new(ball.curvature()).unwrap();
        let cosh = ball_cosh(&x).max(ball_cosh(&y));
        let [x, y] = [x, y].map(|x| scaled(ball.radius(), &x));
        let here = ball.distance(&x, &y) / ball.radius();
        let [on_x, on_y] = [&x, &y].map(|x| ball.to_hyperboloid(x));
        let lorentz = space.distance(&on_x, &on_y) / ball.radius();
        // Under the rim one step of a coordinate is 1e-16, a distance cosh times as long; the distance of two close
        // points there is a difference of two such steps.
        let slack = 1e-12 + 64.0 * f64::EPSILON * cosh;
        prop_assert!((here - lorentz).abs() < slack * (1.0 + here), "{} {}", here, lorentz);
    }
}

/// Returns cosh of the distance from the centre of the unit ball.
fn ball_cosh(x: &[f64]) -> f64 {
    let gap = (1.0 - norm(x)) * (1.0 + norm(x));
    2.0 / gap - 1.0
}

/// Maps a point from Poincaré's ball to the hyperboloid and back.
fn ways_back(ball: Ball, x: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    let space = Hyperboloid::new(ball.curvature()).unwrap();
    let x = scaled(ball.radius(), x);
    let lorentz = ball.to_hyperboloid(&x);
    let found = space.to_ball(&lorentz);
    prop_assert!(apart(&found, &x) <= tolerance * ball.radius(), "{:?} {:?}", found, x);
    // The point is on the surface, as far as the squares of its coordinates allow.
    let off = inner(&lorentz, &lorentz) * ball.curvature() + 1.0;
    prop_assert!(off.abs() <= 8.0 * f64::EPSILON * dot(&lorentz, &lorentz) * ball.curvature());
    Ok(())
}
