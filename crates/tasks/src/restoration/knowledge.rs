//! What the search knows beside the model: how tokens become readings, and what the corpora say about boundaries and
//! lengths. A trait, so that the search is tested on vocabularies of five tokens.

use super::{Proposal, Traces};
use tuppum_text::tokens::TokenId;

/// What the model said about one place, and what is known about the place.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Logits over the whole vocabulary with `<mask>` at the place, if asked.
    pub start: Option<&'a [f32]>,
    /// Logits at the place with `-<mask>`.
    pub inside: Option<&'a [f32]>,
    /// Probability that a word begins here.
    pub word_start: f32,
    /// What can still be seen.
    pub traces: &'a Traces,
}

/// What the search knows beside the model.
pub trait Knowledge {
    /// The best readings for a place, most probable first. With only one kind of logits, probabilities are those given
    /// that kind; with both, of the two mixed by `word_start`.
    fn proposals(&self, evidence: &Evidence, top: usize) -> Vec<Proposal>;

    /// Probability that a word begins at a place with these tokens on both sides (`<mask>`: open, `<br>`: the line's
    /// end).
    fn word_start(&self, previous: TokenId, next: TokenId) -> f32;

    /// Natural logarithm of the probability that a break has `length` signs.
    fn log_length(&self, length: usize) -> f32;

    /// What the logarithms of the probabilities of `length` filled signs sum to on average, so that lengths compare.
    fn expected_log_probability(&self, length: usize) -> f32;
}
