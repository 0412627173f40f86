//! Measures how well logits predict the sign at a place: its probability and its rank.

use tuppum_text::tokens::{SPECIALS, TokenId, Vocabulary};

/// Returns the logarithm of the target's softmax over all logits, in f64; minus infinity for a target outside.
pub fn log_probability(logits: &[f32], target: TokenId) -> f64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - largest).exp()).sum();
    logits.get(target as usize).map_or(f64::NEG_INFINITY, |logit| f64::from(logit - largest) - sum.ln())
}

/// Returns the number of wanted answers with a higher logit than the target.
pub fn rank_among(logits: &[f32], target: TokenId, is_wanted: impl Fn(TokenId) -> bool) -> usize {
    let Some(own) = logits.get(target as usize) else { return logits.len() };
    (0..).zip(logits).filter(|(id, logit)| *logit > own && is_wanted(*id)).count()
}

/// Returns `true` if a token, special ones included, begins a word: it has no leading `-`. Answers are compared within
/// one kind.
pub fn starts_word(vocabulary: &Vocabulary, id: TokenId) -> bool {
    match vocabulary.reading(id) {
        Some((_, starts_word)) => starts_word,
        None => !SPECIALS.get(id as usize).is_some_and(|special| special.starts_with('-')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_probability_by_hand_and_of_large_logits() {
        let third = [1.0, 1.0, 1.0];
        assert!((log_probability(&third, 2) + 3.0_f64.ln()).abs() < 1e-12);
        assert!((log_probability(&[1_000.0, 0.0], 0)).abs() < 1e-12);
        assert_eq!(log_probability(&third, 3), f64::NEG_INFINITY);
    }

    #[test]
    fn ranks_count_answers_of_the_kind_only() {
        let logits = [5.0, 4.0, 3.0, 2.0, 3.0];
        assert_eq!(rank_among(&logits, 2, |_| true), 2);
        assert_eq!(rank_among(&logits, 2, |id| id != 0), 1);
        assert_eq!(rank_among(&logits, 9, |_| true), 5);
    }
}
