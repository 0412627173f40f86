//! How far the probabilities of a translator can be believed, as measured on translations of texts that it has not
//! seen.

use serde::{Deserialize, Serialize};

/// Probabilities nearer to 0 and 1 than this are taken for this: their log-odds would outweigh everything else.
const NEAREST: f32 = 1e-4;

/// What makes of a translator's probabilities the share of words that stand in an edition's translation: a logistic
/// function (Platt 1999, "Probabilistic outputs for support vector machines") whose numbers belong to one set of
/// weights. Fitted by `recipes/translator/calibrate.py`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Added to the log-odds.
    pub constant: f32,
    /// Weight of the log-odds of the word's own probability.
    pub word: f32,
    /// Weight of the log-odds of the geometric mean of the probabilities of all bytes of the translation.
    pub translation: f32,
    /// Weight of the logarithm of how many times as long as its source the translation is, in bytes: what is invented
    /// often says more than the source has room for.
    #[serde(default)]
    pub length: f32,
    /// A translation of whose words less than this part is expected to be right is held back.
    pub least_right: f32,
}

impl Calibration {
    /// Whether all numbers are finite.
    pub fn is_sound(&self) -> bool {
        [self.constant, self.word, self.translation, self.length, self.least_right].iter().all(|one| one.is_finite())
    }

    /// How often a word of this probability is right, in a translation of this mean probability of a byte which is so
    /// many times as long as its source.
    pub fn right(&self, probability: f32, byte_probability: f32, times_as_long: f32) -> f32 {
        let own = self.word * log_odds(probability) + self.translation * log_odds(byte_probability);
        let sum = self.constant + own + self.length * times_as_long.ln();
        1.0 / (1.0 + (-sum).exp())
    }
}

fn log_odds(probability: f32) -> f32 {
    let probability = if probability.is_nan() { NEAREST } else { probability.clamp(NEAREST, 1.0 - NEAREST) };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Calibration =
        Calibration { constant: -1.0, word: 0.5, translation: 0.5, length: -1.0, least_right: 0.5 };

    #[test]
    fn a_probability_that_is_one_half_leaves_the_constant() {
        assert!((OWN.right(0.5, 0.5, 1.0) - 1.0 / (1.0 + 1f32.exp())).abs() < 1e-6);
    }

    #[test]
    fn what_is_more_probable_is_right_more_often_and_never_surely() {
        let all = [f32::NAN, 0.0, 0.1, 0.5, 0.9, 0.999].map(|probability| OWN.right(probability, 0.9, 1.0));
        assert!(all[1..].windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        assert!(all.iter().all(|right| *right > 0.0 && *right < 1.0), "{all:?}");
        assert_eq!(all[0], all[1]);
    }
}
