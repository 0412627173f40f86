//! Scores and queries against the geometry in f64, and settings that cannot be.

use super::transform::Query;
use super::*;
use tuppum_geometry::Hyperboloid;

const HYPERBOLIC: [GraphGeometry; 4] =
    [GraphGeometry::Lorentz, GraphGeometry::Poincare, GraphGeometry::RotH, GraphGeometry::AttH];

/// Returns a small model with something in every number.
pub fn model(geometry: GraphGeometry, curvature: f32) -> GraphModel {
    let settings = GraphSettings { geometry, dimension: 4, curvature, ..GraphSettings::default() };
    let mut model = GraphModel::new(settings, 6, 2, 4);
    let mut random = Random::new(5);
    for numbers in [&mut model.points, &mut model.shifts, &mut model.head_biases, &mut model.tail_biases] {
        numbers.iter_mut().for_each(|one| *one = 0.6 * random.normal() as f32);
    }
    model.transforms.iter_mut().for_each(|one| *one += 0.4 * random.normal() as f32);
    model.complete();
    model
}

fn whole(time: f32, space: &[f32]) -> Vec<f64> {
    std::iter::once(&time).chain(space).map(|one| f64::from(*one)).collect()
}

#[test]
fn queries_lie_on_the_sheet_and_scores_are_distances() {
    for k in [-0.5f32, -1.0, -2.0] {
        let plain = Hyperboloid::new(f64::from(-k)).unwrap();
        for geometry in HYPERBOLIC {
            let model = model(geometry, k);
            for (head, tail) in [(0, 1), (2, 3), (4, 4)] {
                let mut query = Query::default();
                model.query(head, head % 2, &mut query);
                let lifted = plain.lifted(&query.space.iter().map(|one| f64::from(*one)).collect::<Vec<_>>());
                assert!((f64::from(query.time) - lifted[0]).abs() < 1e-5 * lifted[0], "{geometry} {query:?}");
                let point = plain.lifted(&whole(0.0, model.point(tail))[1..]);
                let product = model.settings.product(&query.space, query.time, model.point(tail), model.times[tail]);
                let distance = plain.distance(&lifted, &point);
                let expected = if geometry == GraphGeometry::Lorentz {
                    8.0 - (2.0 / f64::from(k) - 2.0 * tuppum_geometry::lorentz::inner(&lifted, &point))
                } else {
                    8.0 - distance * distance
                };
                let found = f64::from(model.settings.score(product).0);
                assert!((found - expected).abs() < 1e-3, "{geometry}: {found} {expected}");
            }
        }
    }
}

#[test]
fn the_poincare_query_is_log_diagonal_exp_boost() {
    let model = model(GraphGeometry::Poincare, -2.0);
    let plain = Hyperboloid::new(2.0).unwrap();
    let wide = |row: &[f32]| whole(0.0, row);
    let origin = plain.origin(4);
    for (head, relation) in [(0, 0), (1, 1), (5, 0)] {
        let tangent = plain.log(&origin, &plain.lifted(&wide(model.point(head))[1..]));
        let diagonal = wide(model.transform(relation));
        let scaled: Vec<f64> = tangent.iter().zip(&diagonal).map(|(one, factor)| one * factor).collect();
        let to = plain.exp(&origin, &wide(model.shift(relation)));
        let expected = plain.boost(&to, &plain.exp(&origin, &scaled));
        let mut query = Query::default();
        model.query(head, relation, &mut query);
        for (found, expected) in whole(query.time, &query.space).iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "{query:?} {expected:?}");
        }
    }
}

/// Returns a relation's planes turned (or mirrored) by its angles, as a Givens matrix written out.
fn by_planes(angles: &[f32], mirrored: bool, tangent: &[f64]) -> Vec<f64> {
    let mut image = vec![0.0; tangent.len()];
    for (plane, angle) in angles.iter().enumerate() {
        let (sin, cos) = f64::from(*angle).sin_cos();
        let rows = if mirrored { [[cos, sin], [sin, -cos]] } else { [[cos, -sin], [sin, cos]] };
        let (x, y) = (tangent[1 + 2 * plane], tangent[2 + 2 * plane]);
        for (row, place) in rows.iter().zip(1 + 2 * plane..) {
            image[place] = row[0] * x + row[1] * y;
        }
    }
    image
}

#[test]
fn the_queries_of_roth_and_atth_are_those_of_their_equations() {
    let plain = Hyperboloid::new(2.0).unwrap();
    let origin = plain.origin(4);
    for geometry in [GraphGeometry::RotH, GraphGeometry::AttH] {
        let model = model(geometry, -2.0);
        for (head, relation) in [(0, 0), (1, 1), (5, 0)] {
            let tangent = plain.log(&origin, &plain.lifted(&whole(0.0, model.point(head))[1..]));
            let transform = model.transform(relation);
            let turned = by_planes(&transform[..2], false, &tangent);
            let moved = if geometry == GraphGeometry::RotH {
                turned
            } else {
                let mirrored = by_planes(&transform[2..4], true, &tangent);
                let attended = |image: &[f64]| {
                    let context = transform[4..].iter().zip(&image[1..]);
                    (context.map(|(one, x)| f64::from(*one) * x).sum::<f64>() / 4f64.sqrt()).exp()
                };
                let (by_turn, by_mirror) = (attended(&turned), attended(&mirrored));
                let weight = by_turn / (by_turn + by_mirror);
                assert!((weight - 0.5).abs() > 1e-3, "the context weighs nothing");
                turned.iter().zip(&mirrored).map(|(turned, other)| weight * turned + (1.0 - weight) * other).collect()
            };
            let to = plain.exp(&origin, &whole(0.0, model.shift(relation)));
            let expected = plain.boost(&to, &plain.exp(&origin, &moved));
            let mut query = Query::default();
            model.query(head, relation, &mut query);
            for (found, expected) in whole(query.time, &query.space).iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-4, "{geometry}: {query:?} {expected:?}");
            }
        }
    }
}

#[test]
fn settings_that_cannot_be_are_refused_with_a_reason() {
    let check = |settings: GraphSettings, expected: &str| {
        let message = settings.check().unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    let good = GraphSettings::default();
    assert_eq!(good.check(), Ok(()));
    assert_eq!(GraphSettings { geometry: GraphGeometry::Euclidean, curvature: 0.0, ..good }.check(), Ok(()));
    check(GraphSettings { dimension: 1, ..good }, "at least 2 dimensions");
    for geometry in [GraphGeometry::RotH, GraphGeometry::AttH] {
        check(GraphSettings { geometry, dimension: 5, ..good }, "it must be even");
    }
    check(GraphSettings { curvature: 0.0, ..good }, "negative");
    check(GraphSettings { curvature: 1.0, ..good }, "negative");
    check(GraphSettings { scale: f32::NAN, ..good }, "the scale is NaN");
}
