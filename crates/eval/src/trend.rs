//! The line that best fits some points, and how far chance among the points moves it.

use super::texts::TextGroups;
use super::translation::Interval;
use crate::error::ComparisonError;
use tuppum_random::Draws;

/// A line y = height + slope · (x − middle) by least squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Rise for each unit of x, with the interval in which 95 % of the bootstrap samples lie.
    pub slope: Interval,
    /// The line, and the band in which 95 % of the samples' lines lie: x, y, lower and upper end, at even distances
    /// over all x.
    pub line: Vec<[f64; 4]>,
}

/// Places of the line at which the band is computed.
const PLACES: usize = 25;

impl Trend {
    /// Returns the line through points of weight 1, with its band by a bootstrap over the texts that the points are of.
    ///
    /// # Errors
    /// No line can be drawn: there are fewer than three points, all points have one x, there are no samples, or the
    /// texts belong to other points.
    pub fn of(
        points: &[[f64; 2]],
        texts: &TextGroups,
        samples: usize,
        draws: &mut impl Draws,
    ) -> Result<Self, ComparisonError> {
        if texts.pairs() != points.len() {
            return Err(ComparisonError::Points { told: texts.pairs(), points: points.len() });
        }
        let whole = Line::through(points.iter());
        let (Some(whole), true) = (whole, points.len() > 2 && samples > 0) else {
            return Err(ComparisonError::NoLine(points.len()));
        };
        let own: Vec<Vec<[f64; 2]>> = texts.sums(points, |own: &mut Vec<_>, point| own.push(*point));
        let mut lines = Vec::with_capacity(samples);
        // A sample whose points all have one x has no slope; such samples are next to impossible among many points.
        for _ in 0..samples {
            let drawn: Vec<&Vec<[f64; 2]>> = own.iter().map(|_| &own[draws.below(own.len())]).collect();
            lines.extend(Line::through(drawn.into_iter().flatten()));
        }
        if lines.is_empty() {
            return Err(ComparisonError::NoSlope);
        }
        let xs = || points.iter().map(|point| point[0]);
        let (least, most) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
        let at = |place: usize| least + (most - least) * place as f64 / (PLACES - 1) as f64;
        let band = |x: f64| Interval::of(whole.at(x), lines.iter().map(|line| line.at(x)).collect());
        let line = (0..PLACES).map(at).map(|x| (x, band(x))).map(|(x, y)| [x, y.value, y.low, y.high]).collect();
        Ok(Self { slope: Interval::of(whole.slope, lines.iter().map(|line| line.slope).collect()), line })
    }
}

#[derive(Clone, Copy, Debug)]
struct Line {
    slope: f64,
    middle: [f64; 2],
}

impl Line {
    fn through<'p>(points: impl Iterator<Item = &'p [f64; 2]> + Clone) -> Option<Self> {
        let count = points.clone().count() as f64;
        let middle = [0, 1].map(|axis| points.clone().map(|point| point[axis]).sum::<f64>() / count);
        let product = |axis: usize| {
            points.clone().map(|point| (point[0] - middle[0]) * (point[axis] - middle[axis])).sum::<f64>()
        };
        let [width, rise] = [0, 1].map(product);
        (width > 0.0).then(|| Self { slope: rise / width, middle })
    }

    fn at(&self, x: f64) -> f64 {
        self.middle[1] + self.slope * (x - self.middle[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_random::Random;

    #[test]
    fn points_on_a_line_leave_nothing_to_chance() {
        let points: Vec<[f64; 2]> = (0..20).map(f64::from).map(|x| [x, 3.0 - 0.5 * x]).collect();
        let trend = Trend::of(&points, &TextGroups::each_its_own(points.len()), 200, &mut Random::new(1)).unwrap();
        for value in [trend.slope.value, trend.slope.low, trend.slope.high] {
            assert!((value + 0.5).abs() < 1e-12, "{value}");
        }
        for [x, y, low, high] in &trend.line {
            assert!((y - (3.0 - 0.5 * x)).abs() < 1e-9 && (low - y).abs() < 1e-9 && (high - y).abs() < 1e-9);
        }
        assert_eq!((trend.line[0][0], trend.line[PLACES - 1][0]), (0.0, 19.0));
    }

    #[test]
    fn noise_has_no_slope_that_is_sure() {
        let mut draws = Random::new(7);
        let points: Vec<[f64; 2]> = (0..300).map(|_| [draws.uniform(), draws.uniform()]).collect();
        let Interval { low, high, .. } =
            Trend::of(&points, &TextGroups::each_its_own(points.len()), 500, &mut draws).unwrap().slope;
        assert!(low < 0.0 && high > 0.0, "{low} {high}");
    }

    #[test]
    fn points_of_one_text_are_no_evidence_of_their_own() {
        let mut draws = Random::new(7);
        // Twelve texts of forty points that all lie in the same place but for a hair.
        let places: Vec<[f64; 2]> = (0..12).map(|_| [draws.uniform(), draws.uniform()]).collect();
        let points: Vec<[f64; 2]> =
            (0..480).map(|number| places[number / 40].map(|x| x + 1e-3 * draws.uniform())).collect();
        let texts = TextGroups::of((0..480).map(|number| number / 40));
        let by_point = Trend::of(&points, &TextGroups::each_its_own(points.len()), 500, &mut draws).unwrap().slope;
        let by_text = Trend::of(&points, &texts, 500, &mut draws).unwrap().slope;
        assert!(by_text.high - by_text.low > 2.0 * (by_point.high - by_point.low), "{by_text:?} {by_point:?}");
        assert!(Trend::of(&points[1..], &texts, 500, &mut draws).is_err());
    }

    #[test]
    fn no_line_is_drawn_through_one_place() {
        assert!(
            Trend::of(&[[1.0, 2.0], [1.0, 3.0], [1.0, 4.0]], &TextGroups::each_its_own(3), 10, &mut Random::new(1))
                .is_err()
        );
        assert!(Trend::of(&[[1.0, 2.0], [2.0, 3.0]], &TextGroups::each_its_own(2), 10, &mut Random::new(1)).is_err());
    }
}
