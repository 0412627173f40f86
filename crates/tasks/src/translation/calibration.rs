//! How far the probabilities of a translator can be believed, as measured on translations of texts that it has not
//! seen.

use super::answer::Candidate;
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
    /// A translation of whose words less than this part is expected to be right is held back.
    pub least_right: f32,
}

impl Calibration {
    /// Whether all numbers are finite.
    pub fn is_sound(&self) -> bool {
        [self.constant, self.word, self.translation, self.least_right].iter().all(|number| number.is_finite())
    }

    /// How often a word of this probability, in a translation of this mean probability of a byte, is right.
    pub fn right(&self, probability: f32, byte_probability: f32) -> f32 {
        let sum = self.constant + self.word * log_odds(probability) + self.translation * log_odds(byte_probability);
        1.0 / (1.0 + (-sum).exp())
    }

    /// Notes how many words of a candidate are expected to be right, each and together, and whether it is held back.
    pub fn judge(&self, candidate: &mut Candidate) {
        let byte_probability = candidate.byte_probability;
        let mut sum = 0.0;
        for word in &mut candidate.words {
            let right = self.right(word.probability, byte_probability);
            word.right = Some(right);
            sum += right;
        }
        let right = sum / candidate.words.len().max(1) as f32;
        candidate.right = Some(right);
        candidate.held_back = right < self.least_right;
    }
}

fn log_odds(probability: f32) -> f32 {
    let probability = if probability.is_nan() { NEAREST } else { probability.clamp(NEAREST, 1.0 - NEAREST) };
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::super::answer::TargetWord;
    use super::*;

    const OWN: Calibration = Calibration { constant: -1.0, word: 0.5, translation: 0.5, least_right: 0.5 };

    fn candidate(probabilities: &[f32], byte_probability: f32) -> Candidate {
        let word = |probability: &f32| TargetWord { probability: *probability, ..TargetWord::default() };
        Candidate { byte_probability, words: probabilities.iter().map(word).collect(), ..Candidate::default() }
    }

    #[test]
    fn a_probability_that_is_one_half_leaves_the_constant() {
        assert!((OWN.right(0.5, 0.5) - 1.0 / (1.0 + 1f32.exp())).abs() < 1e-6);
    }

    #[test]
    fn what_is_more_probable_is_right_more_often_and_never_surely() {
        let all = [f32::NAN, 0.0, 0.1, 0.5, 0.9, 0.999].map(|probability| OWN.right(probability, 0.9));
        assert!(all[1..].windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        assert!(all.iter().all(|right| *right > 0.0 && *right < 1.0), "{all:?}");
        assert_eq!(all[0], all[1]);
    }

    #[test]
    fn a_translation_whose_words_are_mostly_wrong_is_held_back() {
        let mut poor = candidate(&[0.5, 0.2], 0.6);
        OWN.judge(&mut poor);
        assert!(poor.held_back && poor.right.is_some_and(|right| right < 0.5));
        let mut good = candidate(&[0.999, 0.99], 0.999);
        OWN.judge(&mut good);
        assert!(!good.held_back && good.words[0].right > good.words[1].right);
        let mut empty = candidate(&[], 0.9);
        OWN.judge(&mut empty);
        assert_eq!((empty.right, empty.held_back), (Some(0.0), true), "nothing is no translation");
    }
}
