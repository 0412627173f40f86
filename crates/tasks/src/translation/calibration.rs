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
    /// Weight of the logarithm of the word's place, the first being 1: the longer it writes, the more it invents.
    #[serde(default)]
    pub place: f32,
    /// Weight of that the word has been written before: what goes round in circles is mostly wrong.
    #[serde(default)]
    pub repeated: f32,
    /// Added to the log-odds of the mean of its words, once they are multiplied: words of one translation are right and
    /// wrong together, so that the mean says too much of those that are half right.
    #[serde(default)]
    pub whole_constant: f32,
    /// What the log-odds of the mean of its words are multiplied by.
    #[serde(default = "one")]
    pub whole: f32,
    /// A translation of whose words less than this part is expected to be right is held back.
    pub least_right: f32,
}

/// The mean as it is, where nothing was fitted.
fn one() -> f32 {
    1.0
}

/// What a word of a translation is judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Its probability, given what stands before it.
    pub probability: f32,
    /// Geometric mean of the probabilities of the translation's bytes.
    pub byte_probability: f32,
    /// How many times as long as its source the translation is, in bytes.
    pub times_as_long: f32,
    /// How many words stand before it.
    pub before: usize,
    /// Whether it is one of them, letter case and punctuation aside.
    pub is_repeated: bool,
}

impl Calibration {
    /// Whether all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let weights =
            [self.word, self.translation, self.length, self.place, self.repeated, self.whole_constant, self.whole];
        weights.iter().chain([&self.constant, &self.least_right]).all(|one| one.is_finite())
    }

    /// How often such a word is right.
    pub fn right(&self, word: &Written) -> f32 {
        let own = self.word * log_odds(word.probability) + self.translation * log_odds(word.byte_probability);
        let place = self.place * ((word.before + 1) as f32).ln() + if word.is_repeated { self.repeated } else { 0.0 };
        share(self.constant + own + self.length * word.times_as_long.ln() + place)
    }

    /// Which part of a translation's words is right, from the mean of how often each of them is; nothing of none.
    pub fn right_of_whole(&self, mean: f32) -> f32 {
        if mean > 0.0 { share(self.whole_constant + self.whole * log_odds(mean)) } else { 0.0 }
    }
}

/// The share that has these log-odds.
fn share(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn log_odds(probability: f32) -> f32 {
    let probability = if probability.is_nan() { NEAREST } else { probability.clamp(NEAREST, 1.0 - NEAREST) };
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
        OWN.right(&Written { probability, byte_probability, times_as_long: 1.0, before, is_repeated })
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
        // Odds are quotients of numbers of 24 bits, here up to 12: what rounding leaves is below a hundredth of this.
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
