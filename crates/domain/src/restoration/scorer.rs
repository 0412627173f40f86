//! Interface between the search and a model, and measures of how well its logits predict the sign at a place.

use tuppum_text::tokens::{SPECIALS, TokenId, Vocabulary};

/// A row to score: tokens with masks in place, and the places whose logits are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Tokens, `<bos>` first, at most the window's length.
    pub ids: Vec<TokenId>,
    /// Places in `ids`, in rising order.
    pub places: Vec<usize>,
}

/// Logits over the whole vocabulary for each wanted place of a row, in order.
pub type Logits = Vec<Vec<f32>>;

/// A model that scores masked rows.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Scorer {
    /// Reason why scoring stopped: cancelled, device lost.
    type Error;

    /// Returns the logits for each row, in order. Rows may differ in length; the scorer pads and batches as it sees
    /// fit, yields between layers, and stops when the job is cancelled.
    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error>;

    /// Returns the number of rows to request in one call, even if some may prove needless. A GPU computes a handful in
    /// the time of one, a processor does not.
    fn rows_at_once(&self) -> usize {
        usize::MAX
    }

    /// Returns the probability that a word begins at a place of a row, where the signs beside it alone make it `prior`.
    fn word_start(&mut self, row: &Row, place: usize, prior: f32) -> f32 {
        let _ = (row, place);
        prior
    }
}

impl<S: Scorer> Scorer for &mut S {
    type Error = S::Error;

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
        (**self).score(rows).await
    }

    fn word_start(&mut self, row: &Row, place: usize, prior: f32) -> f32 {
        (**self).word_start(row, place, prior)
    }

    fn rows_at_once(&self) -> usize {
        (**self).rows_at_once()
    }
}

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
