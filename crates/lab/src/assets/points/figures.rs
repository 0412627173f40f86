//! Agreement of points with the distances they were made for, as a row of the table in `assets/geometry/README.md`.

use tuppum_geometry::Ball;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::ranking::{Monotonicity, rank_correlation};

/// All figures for one set of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    distortion: Distortion,
    /// Spearman's rank correlation.
    rank: f64,
    monotonicity: Monotonicity,
}

impl Figures {
    /// The head of the table.
    pub const HEADER: &str = "| points | pairs | correlation | rank correlation | stress | mean distortion | order \
        violated |\n\
        |---|---|---|---|---|---|---|";

    /// Measures points over all pairs.
    pub fn of(points: &[Vec<f64>], scale: f64, count: usize, wanted: impl Fn(usize, usize) -> f64) -> Self {
        let found = |one: usize, other: usize| match (points.get(one), points.get(other)) {
            (Some(one), Some(other)) => Ball::UNIT.distance(one, other),
            _ => 0.0,
        };
        let both = |one: usize, other: usize| (wanted(one, other), found(one, other));
        let pairs = || (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let mut monotonicity = Monotonicity::default();
        for one in 0..count {
            let mut row: Vec<_> = (0..count).filter(|other| *other != one).map(|other| both(one, other)).collect();
            monotonicity.add(&mut row);
        }
        let (as_wanted, as_found): (Vec<f64>, Vec<f64>) = pairs().map(|(one, other)| both(one, other)).unzip();
        let rank = rank_correlation(&as_wanted, &as_found);
        Figures { distortion: Distortion::of(scale, as_wanted.into_iter().zip(as_found)), rank, monotonicity }
    }

    /// Returns the row under [`Figures::HEADER`].
    pub fn row(&self, name: &str) -> String {
        let Distortion { pairs, average, stress, correlation, .. } = self.distortion;
        let (rank, violated) = (self.rank, 100.0 * self.monotonicity.share());
        format!(
            "| {name} | {pairs} | {correlation:.4} | {rank:.4} | {stress:.5} | {:.1} % | {violated:.3} % |",
            100.0 * average
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_points_of_a_line() {
        // At 0, 1 and 2 from the centre along one ray, in the ball's own distance.
        let points: Vec<Vec<f64>> = [0.0f64, 1.0, 2.0].iter().map(|at| vec![(at / 2.0).tanh()]).collect();
        let figures = Figures::of(&points, 1.0, 3, |one, other| other.abs_diff(one) as f64);
        assert_eq!(figures.row("line"), "| line | 3 | 1.0000 | 0.8660 | 0.00000 | 0.0 % | 0.000 % |");
        assert_eq!(Figures::HEADER.lines().next().map(|line| line.matches('|').count()), Some(8));
    }
}
