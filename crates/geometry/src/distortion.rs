//! Measures of how well points reproduce given distances: distortion, stress, correlation.

/// Figures over pairs of a wanted and a found distance.
///
/// Definitions as in Sala, De Sa, Gu and Ré, "Representation tradeoffs for hyperbolic embeddings" (2018).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distortion {
    /// Number of pairs compared.
    pub pairs: u64,
    /// Mean of |found / (scale · wanted) - 1| over the pairs whose wanted distance is above 0.
    pub average: f64,
    /// Largest found / wanted divided by the smallest, over the same pairs; 1 is perfect, whatever the scale.
    pub worst: f64,
    /// Mean of (found / scale - wanted)².
    pub stress: f64,
    /// Pearson's correlation of found and wanted distances; 0 where either is constant.
    pub correlation: f64,
}

impl Distortion {
    /// Computes the figures from pairs (wanted, found), read once; `scale` is the distance that a wanted distance of 1
    /// should have.
    pub fn of(scale: f64, pairs: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut sums = Sums { smallest: f64::INFINITY, ..Sums::default() };
        for (wanted, found) in pairs {
            sums.add(scale, wanted, found);
        }
        sums.figures()
    }
}

/// Running sums. The means are updated pair by pair (Welford), so that millions of pairs lose no digits.
#[derive(Default)]
struct Sums {
    pairs: u64,
    positive: u64,
    deviations: f64,
    smallest: f64,
    largest: f64,
    squares: f64,
    means: [f64; 2],
    variances: [f64; 2],
    covariance: f64,
}

impl Sums {
    fn add(&mut self, scale: f64, wanted: f64, found: f64) {
        self.pairs += 1;
        if wanted > 0.0 {
            let ratio = found / wanted;
            self.positive += 1;
            self.deviations += (ratio / scale - 1.0).abs();
            self.smallest = self.smallest.min(ratio);
            self.largest = self.largest.max(ratio);
        }
        self.squares += (found / scale - wanted).powi(2);
        let count = self.pairs as f64;
        let before = [wanted - self.means[0], found - self.means[1]];
        self.means[0] += before[0] / count;
        self.means[1] += before[1] / count;
        self.variances[0] += before[0] * (wanted - self.means[0]);
        self.variances[1] += before[1] * (found - self.means[1]);
        self.covariance += before[0] * (found - self.means[1]);
    }

    fn figures(&self) -> Distortion {
        let over = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
        let spread = (self.variances[0] * self.variances[1]).sqrt();
        Distortion {
            pairs: self.pairs,
            average: over(self.deviations, self.positive),
            worst: if self.positive == 0 { 1.0 } else { self.largest / self.smallest },
            stress: over(self.squares, self.pairs),
            correlation: if spread > 0.0 { self.covariance / spread } else { 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_up_to_scale() {
        let found = Distortion::of(2.0, [(1.0, 2.0), (2.0, 4.0), (0.0, 0.0)]);
        let expected = Distortion { pairs: 3, average: 0.0, worst: 1.0, stress: 0.0, correlation: 1.0 };
        assert_eq!(Distortion { correlation: found.correlation.round(), ..found }, expected);
        assert!((found.correlation - 1.0).abs() < 1e-15);
    }

    #[test]
    fn figures_by_hand() {
        let found = Distortion::of(1.0, [(1.0, 1.0), (1.0, 2.0), (2.0, 1.0)]);
        assert!((found.average - (0.0 + 1.0 + 0.5) / 3.0).abs() < 1e-15);
        assert_eq!(found.worst, 4.0);
        assert!((found.stress - 2.0 / 3.0).abs() < 1e-15);
        assert!((found.correlation + 0.5).abs() < 1e-15);
    }

    #[test]
    fn nothing_to_compare() {
        let expected = Distortion { pairs: 0, average: 0.0, worst: 1.0, stress: 0.0, correlation: 0.0 };
        assert_eq!(Distortion::of(1.0, []), expected);
        assert_eq!(Distortion::of(1.0, [(1.0, 3.0), (1.0, 4.0)]).correlation, 0.0, "the wanted do not vary");
    }
}
