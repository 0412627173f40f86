//! Tests the hyperboloid against closed forms and the laws of its isometries.

use super::*;
use crate::vector::norm;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn settings() -> ProptestConfig {
    ProptestConfig { cases: 256, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

fn space() -> impl Strategy<Value = Hyperboloid> {
    (-2.0f64..2.0).prop_map(|exponent| Hyperboloid::new(10f64.powf(exponent)).unwrap())
}

/// Returns a direction of three dimensions times a distance up to 6, in units of 1 / √c.
fn vector() -> impl Strategy<Value = [f64; 3]> {
    (prop::array::uniform3(-1.0f64..1.0), 0.0f64..6.0).prop_map(|(direction, distance)| {
        let length = norm(&direction).max(1e-3);
        direction.map(|one| one / length * distance)
    })
}

fn sized(space: Hyperboloid, v: [f64; 3]) -> Vec<f64> {
    let unit = 1.0 / space.curvature().sqrt();
    [&[0.0], scaled(unit, &v).as_slice()].concat()
}

fn point(space: Hyperboloid, v: [f64; 3]) -> Vec<f64> {
    space.exp(&space.origin(3), &sized(space, v))
}

/// Asserts equality to 1e-6 in units of 1 / √c. Points are up to 12 apart, where products of coordinates reach e²⁴, so
/// ten of sixteen digits are lost.
#[track_caller]
fn near(space: Hyperboloid, one: f64, other: f64) {
    let unit = 1.0 / space.curvature().sqrt();
    assert!((one - other).abs() <= 1e-6 * (unit + one.abs()), "{one} {other}");
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn points_stay_on_the_surface(space in space(), v in vector(), w in vector()) {
        let (x, y) = (point(space, v), point(space, w));
        for point in [&x, &space.exp(&x, &space.log(&x, &y)), &space.boost(&x, &y)] {
            let squares: f64 = dot(point, point);
            prop_assert!((inner(point, point) + 1.0 / space.curvature()).abs() < 1e-12 * squares);
        }
    }

    #[test]
    fn exponential_and_logarithm_undo_each_other(space in space(), v in vector(), w in vector()) {
        let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
        let (x, y) = (half(v), half(w));
        let tangent = space.log(&x, &y);
        near(space, space.length(&tangent), space.distance(&x, &y));
        near(space, space.distance(&space.exp(&x, &tangent), &y), 0.0);
        near(space, inner(&x, &tangent) * space.curvature().sqrt() / x[0].max(1.0), 0.0);
    }

    #[test]
    fn boosts_keep_distances_and_have_inverses(space in space(), a in vector(), v in vector(), w in vector()) {
        // Half as far out each, so that the boosted points reach the distances of the others.
        let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
        let (a, x, y) = (half(a), half(v), half(w));
        near(space, space.distance(&space.boost(&a, &x), &space.boost(&a, &y)), space.distance(&x, &y));
        near(space, space.distance(&space.boost_back(&a, &space.boost(&a, &x)), &x), 0.0);
        near(space, space.distance(&space.boost(&a, &space.origin(3)), &a), 0.0);
        near(space, space.distance(&space.boost_back(&a, &a), &space.origin(3)), 0.0);
    }

    #[test]
    fn transport_keeps_inner_products_and_the_geodesic(
        space in space(),
        v in vector(),
        w in vector(),
        one in vector(),
        other in vector(),
    ) {
        let half = |v: [f64; 3]| point(space, v.map(|one| one / 2.0));
        let (x, y) = (half(v), half(w));
        let at_x = |vector: [f64; 3]| space.boost(&x, &scaled(1.0 / 6.0, &sized(space, vector)));
        let (one, other) = (at_x(one), at_x(other));
        let (moved, moved_other) = (space.transport(&x, &y, &one), space.transport(&x, &y, &other));
        let unit = space.curvature().sqrt();
        near(space, inner(&moved, &moved_other) * unit, inner(&one, &other) * unit);
        near(space, inner(&y, &moved) * space.curvature().sqrt() / y[0].max(1.0), 0.0);
        let (onward, back) = (space.transport(&x, &y, &space.log(&x, &y)), space.log(&y, &x));
        near(space, norm(&combined(1.0, &onward, 1.0, &back)) / y[0].max(1.0), 0.0);
    }

    #[test]
    fn flat_in_the_limit(v in vector(), w in vector()) {
        let space = Hyperboloid::new(1e-10).unwrap();
        let (x, y) = (space.lifted(&v), space.lifted(&w));
        // The error is the curvature, 1e-10, times the cube of lengths up to 12.
        prop_assert!((space.distance(&x, &y) - squared_difference(&v, &w).sqrt()).abs() < 1e-6);
    }
}

#[test]
fn distances_in_closed_form() {
    let space = Hyperboloid::UNIT;
    let at = |d: f64, angle: f64| vec![d.cosh(), d.sinh() * angle.cos(), d.sinh() * angle.sin()];
    for d in [1e-12, 1e-6, 0.1, 1.0, 10.0, 30.0] {
        let found = space.distance(&at(0.0, 0.0), &at(d, 1.0));
        assert!((found - d).abs() < 1e-12 * d, "{found} {d}");
    }
    // The law of cosines: cosh c = cosh a · cosh b - sinh a · sinh b · cos γ.
    let (a, b, angle) = (1.5f64, 2.5f64, 0.7f64);
    let expected = (a.cosh() * b.cosh() - a.sinh() * b.sinh() * angle.cos()).acosh();
    assert!((space.distance(&at(a, 0.2), &at(b, 0.2 + angle)) - expected).abs() < 1e-12);
    // Points at distance 20 on two rays 1e-3 rad apart, where all coordinates of the ball lie at the rim.
    let (a, angle) = (20.0f64, 1e-3f64);
    let expected = 2.0 * (a.sinh() * (angle / 2.0).sin()).asinh();
    assert!((space.distance(&at(a, 0.0), &at(a, angle)) - expected).abs() < 1e-7);
}

#[test]
fn only_negative_curvature_makes_a_hyperboloid() {
    for curvature in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Hyperboloid::new(curvature), None);
    }
    assert_eq!(inner(&[], &[]), 0.0);
}
