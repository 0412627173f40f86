//! Calibration of a translator's probabilities, measured on translations of texts that it has not seen.

use serde::{Deserialize, Serialize};

/// Distance from 0 and 1 to which probabilities are clamped, since extreme log-odds would outweigh everything else.
const PROBABILITY_MARGIN: f32 = 1e-4;

/// Maps a translator's probabilities to the share of words that occur in an edition's translation: a logistic function
/// (Platt 1999, "Probabilistic outputs for support vector machines"), fitted for one set of weights by
/// `recipes/translator/calibrate.py`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Constant term of the log-odds.
    pub constant: f32,
    /// Weight of the log-odds of the word's own probability.
    pub word: f32,
    /// Weight of the log-odds of the geometric mean of the probabilities of all bytes of the translation.
    pub translation: f32,
    /// Weight of the logarithm of the translation's length divided by its source's, in bytes: invented text often
    /// exceeds what the source has room for.
    #[serde(default)]
    pub length: f32,
    /// Weight of the logarithm of the word's place, from 1: the longer it writes, the more it invents.
    #[serde(default)]
    pub place: f32,
    /// Weight of a repetition of an earlier word: text that goes round in circles is mostly wrong.
    #[serde(default)]
    pub repeated: f32,
    /// Constant term of the log-odds for a whole translation. Words of one translation are right and wrong together, so
    /// that the mean says too much for half-right ones.
    #[serde(default)]
    pub whole_constant: f32,
    /// Weight of the log-odds of the mean of a translation's words.
    #[serde(default = "one")]
    pub whole: f32,
    /// Minimum expected share of right words of a translation that is not held back.
    pub least_right: f32,
}

/// Returns 1, which leaves the mean unchanged if nothing was fitted.
fn one() -> f32 {
    1.0
}

/// Features by which a word of a translation is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedWord {
    /// Probability given the text before it.
    pub probability: f32,
    /// Geometric mean of the probabilities of the translation's bytes.
    pub byte_probability: f32,
    /// Length of the translation divided by the length of its source, in bytes.
    pub times_as_long: f32,
    /// Number of words before it.
    pub before: usize,
    /// `true` if it repeats one of them, letter case and punctuation aside.
    pub is_repeated: bool,
}

impl Calibration {
    /// Returns `true` if all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let weights =
            [self.word, self.translation, self.length, self.place, self.repeated, self.whole_constant, self.whole];
        weights.iter().chain([&self.constant, &self.least_right]).all(|one| one.is_finite())
    }

    /// Returns the probability that such a word is right.
    pub fn right(&self, word: &JudgedWord) -> f32 {
        let own = self.word * log_odds(word.probability) + self.translation * log_odds(word.byte_probability);
        let place = self.place * ((word.before + 1) as f32).ln() + if word.is_repeated { self.repeated } else { 0.0 };
        share(self.constant + own + self.length * word.times_as_long.ln() + place)
    }

    /// Returns the share of a translation's words that are right, from the mean probability of its words; 0 for no
    /// words.
    pub fn right_of_whole(&self, mean: f32) -> f32 {
        if mean > 0.0 { share(self.whole_constant + self.whole * log_odds(mean)) } else { 0.0 }
    }
}

/// Returns the probability with these log-odds (logistic function).
fn share(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn log_odds(probability: f32) -> f32 {
    let probability = if probability.is_nan() {
        PROBABILITY_MARGIN
    } else {
        probability.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN)
    };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Calibration = Calibration {
        constant: -1.0,
        word: 0.5,
        translation: 0.5,
        length: -1.0,
        place: -0.5,
        repeated: -2.0,
        whole_constant: -1.0,
        whole: 2.0,
        least_right: 0.5,
    };

    fn right(probability: f32, byte_probability: f32, before: usize, is_repeated: bool) -> f32 {
        OWN.right(&JudgedWord { probability, byte_probability, times_as_long: 1.0, before, is_repeated })
    }

    #[test]
    fn a_probability_that_is_one_half_leaves_the_constant() {
        assert!((right(0.5, 0.5, 0, false) - 1.0 / (1.0 + 1f32.exp())).abs() < 1e-6);
    }

    #[test]
    fn what_is_written_late_or_again_is_right_less_often() {
        let [first, second, again] =
            [(0, false), (1, false), (1, true)].map(|(before, own)| right(0.9, 0.9, before, own));
        assert!(first > second && second > again, "{first} {second} {again}");
        let odds = |right: f32| right / (1.0 - right);
        // Odds are quotients of numbers of 24 bits, here up to 12: rounding stays below a hundredth of this.
        assert!((odds(first) / odds(second) - 2f32.sqrt()).abs() < 1e-4, "e to the half logarithm of 2");
        assert!((odds(second) / odds(again) - 2f32.exp()).abs() < 1e-3);
    }

    #[test]
    fn a_whole_translation_is_judged_by_the_mean_of_its_words() {
        assert!((OWN.right_of_whole(0.5) - share(-1.0)).abs() < 1e-6);
        assert!(OWN.right_of_whole(0.9) > OWN.right_of_whole(0.8));
        assert_eq!(OWN.right_of_whole(0.0), 0.0);
        let older = r#"{"constant": -1.0, "word": 0.5, "translation": 0.5, "least_right": 0.5}"#;
        let older: Calibration = serde_json::from_str(older).expect("a calibration without the newer numbers");
        // Logarithm and exponential of 24 bits, there and back.
        assert!((older.right_of_whole(0.3) - 0.3).abs() < 1e-5, "as before, where nothing was fitted");
    }

    #[test]
    fn what_is_more_probable_is_right_more_often_and_never_surely() {
        let all = [f32::NAN, 0.0, 0.1, 0.5, 0.9, 0.999].map(|probability| right(probability, 0.9, 0, false));
        assert!(all[1..].windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        assert!(all.iter().all(|right| *right > 0.0 && *right < 1.0), "{all:?}");
        assert_eq!(all[0], all[1]);
    }
}
