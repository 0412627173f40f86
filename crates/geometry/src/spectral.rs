//! Initial points for given distances: the leading eigenvectors of a Gaussian kernel.
//!
//! `spectral_embedding` of the reference program: exp(-d²/2σ²), centred, each eigenvector times the root of its value,
//! all shrunk to lie within a radius. Distances that take only a few values give the kernel nearly equal eigenvalues,
//! so the start alone reproduces them poorly; [`super::stress`] continues from it.

use super::eigen::symmetric;
use super::subspace::leading;
use super::vector::{norm, scaled};
use super::{Ball, Distances};

/// Number of items from which on only the leading eigenvectors are computed.
const MANY: usize = 400;

/// Rounds and accuracy of the iteration for many items. A start needs no more.
const ROUNDS: usize = 100;
const ACCURACY: f64 = 1e-10;

/// Settings of the spectral embedding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpectralSettings {
    /// Number of coordinates of a point.
    pub dimension: usize,
    /// The σ of the kernel, in the unit of the distances.
    pub width: f64,
    /// Distance of the outermost point from the centre, as a share of the ball's radius.
    pub radius: f64,
}

impl Default for SpectralSettings {
    /// Returns the settings of the byte points: 32 dimensions, σ = 1, radius 0.7.
    fn default() -> Self {
        SpectralSettings { dimension: 32, width: 1.0, radius: 0.7 }
    }
}

/// Returns one point in the ball for every item. Items that the kernel cannot tell from the mean lie at the centre, and
/// dimensions beyond the number of items are 0. Which eigenvectors are chosen among those of equal value depends on
/// rounding.
pub fn embedding(ball: Ball, distances: &Distances, settings: &SpectralSettings) -> Vec<Vec<f64>> {
    let count = distances.count();
    let kernel = centred(distances, settings.width);
    let eigen = if count < MANY {
        symmetric(&kernel)
    } else {
        let multiply = |vector: &[f64]| kernel.iter().map(|row| super::vector::dot(row, vector)).collect();
        leading(count, settings.dimension, ROUNDS, ACCURACY, 0, multiply)
    };
    let axes: Vec<(f64, &Vec<f64>)> =
        eigen.values.iter().map(|value| value.max(0.0).sqrt()).zip(&eigen.vectors).collect();
    let coordinate =
        |thing: usize, axis: usize| axes.get(axis).map_or(0.0, |(root, axis)| root * axis.get(thing).unwrap_or(&0.0));
    let points: Vec<Vec<f64>> =
        (0..count).map(|thing| (0..settings.dimension).map(|axis| coordinate(thing, axis)).collect()).collect();
    let outermost = points.iter().map(|point| norm(point)).fold(0.0, f64::max);
    let factor = if outermost > 0.0 { settings.radius * ball.radius() / outermost } else { 0.0 };
    points.iter().map(|point| scaled(factor, point)).collect()
}

/// Returns the kernel minus the means of its rows and columns.
fn centred(distances: &Distances, width: f64) -> Vec<Vec<f64>> {
    let count = distances.count();
    let kernel = |one: usize, other: usize| (-distances.at(one, other).powi(2) / (2.0 * width * width)).exp();
    let mut rows: Vec<Vec<f64>> = (0..count).map(|one| (0..count).map(|other| kernel(one, other)).collect()).collect();
    let means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / count as f64).collect();
    let mean = means.iter().sum::<f64>() / count.max(1) as f64;
    for (row, row_mean) in rows.iter_mut().zip(&means) {
        for (cell, column_mean) in row.iter_mut().zip(&means) {
            *cell += mean - row_mean - column_mean;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distortion::Distortion;

    fn on_a_line(count: usize) -> Distances {
        Distances::of(count, |one, other| (other - one) as f64 * 3.0 / count as f64)
    }

    fn settings() -> SpectralSettings {
        SpectralSettings { dimension: 3, width: 3.0, radius: 0.1 }
    }

    #[test]
    fn a_line_stays_a_line() {
        for count in [20, MANY + 20] {
            let points = embedding(Ball::UNIT, &on_a_line(count), &settings());
            let outermost = points.iter().map(|point| norm(point)).fold(0.0, f64::max);
            assert!((outermost - 0.1).abs() < 1e-12);
            let distances = on_a_line(count);
            let pairs = distances
                .pairs()
                .map(|(one, other, wanted)| (wanted, Ball::UNIT.distance(&points[one], &points[other])));
            // So close together, within one width of the kernel, and so near the centre, both the kernel and the ball
            // are nearly flat.
            assert!(Distortion::of(1.0, pairs).correlation > 0.98);
        }
    }

    #[test]
    fn equal_distances_and_few_things() {
        let points = embedding(Ball::UNIT, &Distances::of(3, |_, _| 1.0), &SpectralSettings::default());
        assert!(points.iter().all(|point| point.len() == 32 && (norm(point) - 0.7).abs() < 1e-9));
        assert_eq!(embedding(Ball::UNIT, &Distances::of(0, |_, _| 1.0), &settings()), Vec::<Vec<f64>>::new());
        assert_eq!(embedding(Ball::UNIT, &Distances::of(1, |_, _| 1.0), &settings()), [[0.0; 3]]);
        assert_eq!(embedding(Ball::UNIT, &Distances::of(2, |_, _| 0.0), &settings()), [[0.0; 3], [0.0; 3]]);
    }
}
