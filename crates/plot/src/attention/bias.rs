//! The bias itself as a matrix, computed from points alone, without a model.

use super::matrix::Matrix;
use tuppum_geometry::Ball;

/// Returns the factor by which the bias multiplies the weight of each pair before each row is scaled to sum to 1 again:
/// exp(-α·d) for the distance d of their points, which is a logit of -α·d. `numbers` gives the point of each place; a
/// place without a point is at the centre.
pub fn factors(points: &[Vec<f64>], numbers: &[usize], alpha: f64) -> Matrix {
    let centre = vec![0.0; points.first().map_or(0, Vec::len)];
    let own: Vec<&[f64]> = numbers.iter().map(|number| points.get(*number).unwrap_or(&centre).as_slice()).collect();
    let factor = |one: &[f64], other: &[f64]| (-alpha * Ball::UNIT.distance(one, other)).exp() as f32;
    let values = own.iter().flat_map(|one| own.iter().map(move |other| factor(one, other))).collect();
    Matrix { rows: own.len(), columns: own.len(), values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_the_exponential_of_the_distance() {
        // 0.5 on an axis is 2 artanh 0.5 = ln 3 from the centre.
        let points = vec![vec![0.0, 0.0], vec![0.5, 0.0]];
        let found = factors(&points, &[0, 1, 1, 9], 2.0);
        for (at, expected) in [((0, 0), 1.0), ((0, 1), 1.0 / 9.0), ((1, 2), 1.0), ((3, 1), 1.0 / 9.0), ((3, 0), 1.0)] {
            assert!((found.at(at.0, at.1) - expected).abs() < 1e-6, "{at:?}");
        }
        assert!(factors(&points, &[0, 1], 0.0).values.iter().all(|value| *value == 1.0));
    }
}
