//! Projection of points of many dimensions onto a hyperbolic plane.
//!
//! Principal geodesic analysis (Fletcher, Lu, Pizer and Joshi, "Principal geodesic analysis for the study of nonlinear
//! statistics of shape", 2004) with the ball's centre, the root of the taxonomy, as its base. The plane is spanned by
//! the two directions in which the points' logarithms vary most, and every point is mapped to the nearest point of the
//! plane. The plane is totally geodesic, so no distance grows; [`Plane::distortion`] says how much they shrink.

use super::distortion::Distortion;
use super::eigen::symmetric;
use super::vector::{dot, scaled};
use super::{Ball, Random};

/// Number of points up to which all pairs are compared; for more points, pairs are drawn at random.
const ALL_PAIRS: usize = 400;
const DRAWN: usize = 60_000;

/// A plane through the centre of a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    ball: Ball,
    axes: [Vec<f64>; 2],
    /// Share of the logarithms' squared lengths that lies in the plane.
    pub share: f64,
}

impl Plane {
    /// Returns the plane in which these points vary most around the centre.
    pub fn through(ball: Ball, points: &[Vec<f64>]) -> Self {
        let dimension = points.first().map_or(2, Vec::len).max(2);
        let mut products = vec![vec![0.0; dimension]; dimension];
        for point in points {
            let way = ball.log_origin(point);
            for (row, one) in products.iter_mut().zip(&way) {
                for (cell, other) in row.iter_mut().zip(&way) {
                    *cell += one * other;
                }
            }
        }
        let eigen = symmetric(&products);
        let whole: f64 = eigen.values.iter().map(|value| value.max(0.0)).sum();
        let share = if whole > 0.0 { eigen.values.iter().take(2).sum::<f64>() / whole } else { 1.0 };
        let mut vectors = eigen.vectors.into_iter();
        let axes = [vectors.next().unwrap_or_default(), vectors.next().unwrap_or_default()];
        Self { ball, axes, share }
    }

    /// Returns the nearest point of the plane, in Poincaré's disk of curvature -1.
    ///
    /// With (x₀, x) on the hyperboloid and a, b the components of x along the axes it is (x₀, a, b) / s with s = √(x₀²
    /// - a² - b²); in the disk (a, b) / (x₀ + s).
    pub fn nearest(&self, point: &[f64]) -> [f64; 2] {
        // In the ball of curvature -1. Time and space coordinates both lack the common factor 1 / (1 - |x|²), which
        // cancels.
        let inside = scaled(1.0 / self.ball.radius(), point);
        let time = 1.0 + dot(&inside, &inside);
        let [a, b] = [0, 1].map(|axis| 2.0 * dot(&inside, &self.axes[axis]));
        let root = (time * time - a * a - b * b).max(f64::MIN_POSITIVE).sqrt();
        [a / (time + root), b / (time + root)]
    }

    /// Returns the scale, which is the mean ratio of distances on the plane to those in the ball, and the distortion at
    /// that scale.
    pub fn distortion(&self, points: &[Vec<f64>]) -> (f64, Distortion) {
        let seen: Vec<[f64; 2]> = points.iter().map(|point| self.nearest(point)).collect();
        let both = |(one, other): (usize, usize)| {
            // The plane has curvature -1, so its lengths are in units of 1 / √c of the ball.
            let found = Ball::UNIT.distance(&seen[one], &seen[other]) * self.ball.radius();
            (self.ball.distance(&points[one], &points[other]), found)
        };
        let pairs: Vec<(f64, f64)> = if points.len() <= ALL_PAIRS {
            (0..points.len()).flat_map(|one| (0..one).map(move |other| (one, other))).map(both).collect()
        } else {
            let mut random = Random::new(1);
            (0..DRAWN).map(|_| (random.below(points.len()), random.below(points.len()))).map(both).collect()
        };
        let apart = || pairs.iter().filter(|(wanted, _)| *wanted > 0.0);
        let scale = apart().map(|(wanted, found)| found / wanted).sum::<f64>() / apart().count().max(1) as f64;
        (scale, Distortion::of(scale.max(f64::MIN_POSITIVE), pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::norm;
    use proptest::prelude::*;

    fn cloud(seed: u64, dimension: usize, count: usize) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed);
        (0..count).map(|_| scaled(0.95 * random.uniform(), &random.direction(dimension))).collect()
    }

    proptest! {
        #[test]
        fn no_distance_grows_and_the_nearest_is_nearest(seed in 0..200u64, curvature in 0.3..2.0f64) {
            let ball = Ball::new(curvature).unwrap();
            let points: Vec<Vec<f64>> = cloud(seed, 5, 12).iter().map(|point| scaled(ball.radius(), point)).collect();
            let plane = Plane::through(ball, &points);
            let back = |[a, b]: [f64; 2]| -> Vec<f64> {
                let axes = plane.axes[0].iter().zip(&plane.axes[1]);
                axes.map(|(one, other)| ball.radius() * (a * one + b * other)).collect()
            };
            for one in &points {
                let near = plane.nearest(one);
                let away = ball.distance(one, &back(near));
                for [x, y] in [[1e-3, 0.0], [-1e-3, 0.0], [0.0, 1e-3], [0.0, -1e-3]] {
                    prop_assert!(ball.distance(one, &back([near[0] + x, near[1] + y])) >= away - 1e-12);
                }
                for other in &points {
                    let found = Ball::UNIT.distance(&near, &plane.nearest(other)) * ball.radius();
                    prop_assert!(found <= ball.distance(one, other) + 1e-9);
                }
            }
        }
    }

    #[test]
    fn points_of_a_plane_stay_as_they_are() {
        // A tilted plane in five dimensions.
        let axes = [[0.6, 0.0, 0.8, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0]];
        let flat = cloud(3, 2, 30);
        let lifted: Vec<Vec<f64>> = flat
            .iter()
            .map(|point| (0..5).map(|at| point[0] * axes[0][at] + point[1] * axes[1][at]).collect())
            .collect();
        let plane = Plane::through(Ball::UNIT, &lifted);
        assert!((plane.share - 1.0).abs() < 1e-12);
        for (flat, lifted) in flat.iter().zip(&lifted) {
            assert!((norm(&plane.nearest(lifted)) - norm(flat)).abs() < 1e-12);
        }
        let (scale, figures) = plane.distortion(&lifted);
        assert!((scale - 1.0).abs() < 1e-9 && figures.average < 1e-9 && figures.worst < 1.0 + 1e-9);
    }

    #[test]
    fn nothing_and_one_point_have_a_plane() {
        assert_eq!(Plane::through(Ball::UNIT, &[]).distortion(&[]).1.pairs, 0);
        let one = vec![vec![0.0; 4]];
        assert_eq!(Plane::through(Ball::UNIT, &one).nearest(&one[0]), [0.0, 0.0]);
    }
}
