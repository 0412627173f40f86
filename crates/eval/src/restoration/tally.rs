//! Sums over targets, and the means made of them.

use serde::{Deserialize, Serialize};

/// The k of hit@k.
pub const HITS: [usize; 4] = [1, 5, 10, 20];

/// Sums over targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    targets: u64,
    loss: f64,
    hits: [u64; HITS.len()],
    reciprocal: f64,
}

/// Means over targets; all 0 when there were none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorationScores {
    /// Number of targets.
    pub targets: u64,
    /// Mean negative log probability of the target.
    pub loss: f64,
    /// Share of targets that are the first answer.
    #[serde(rename = "hit@1")]
    pub hit_1: f64,
    /// Share among the first 5 answers.
    #[serde(rename = "hit@5")]
    pub hit_5: f64,
    /// Share among the first 10 answers.
    #[serde(rename = "hit@10")]
    pub hit_10: f64,
    /// Share among the first 20 answers.
    #[serde(rename = "hit@20")]
    pub hit_20: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
}

impl Tally {
    /// Adds a target by its log probability and its rank, 0 being the first answer.
    pub fn add(&mut self, log_probability: f64, rank: usize) {
        self.targets += 1;
        self.loss -= log_probability;
        self.reciprocal += 1.0 / (rank + 1) as f64;
        for (hits, most) in self.hits.iter_mut().zip(HITS) {
            *hits += u64::from(rank < most);
        }
    }

    /// Returns the means.
    pub fn scores(&self) -> RestorationScores {
        let count = self.targets.max(1) as f64;
        let [hit_1, hit_5, hit_10, hit_20] = self.hits.map(|hits| hits as f64 / count);
        RestorationScores {
            targets: self.targets,
            loss: self.loss / count,
            hit_1,
            hit_5,
            hit_10,
            hit_20,
            mrr: self.reciprocal / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_by_hand() {
        let mut tally = Tally::default();
        for (probability, rank) in [(0.5, 0), (0.25, 4), (0.125, 5), (0.125, 19)] {
            tally.add(f64::ln(probability), rank);
        }
        let scores = tally.scores();
        assert_eq!(
            (scores.targets, scores.hit_1, scores.hit_5, scores.hit_10, scores.hit_20),
            (4, 0.25, 0.5, 0.75, 1.0)
        );
        // ln 2 · (1 + 2 + 3 + 3) / 4 and (1 + 1/5 + 1/6 + 1/20) / 4, in f64.
        assert!((scores.loss - 9.0 / 4.0 * std::f64::consts::LN_2).abs() < 1e-12);
        assert!((scores.mrr - 17.0 / 48.0).abs() < 1e-12);
        assert_eq!(Tally::default().scores(), RestorationScores::default());
    }
}
