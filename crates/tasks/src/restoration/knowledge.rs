//! Knowledge of the search beside the model: which readings tokens are, and the statistics of the corpora on boundaries
//! and lengths. A trait, so that tests of the search use vocabularies of five tokens.

use super::{Proposal, Traces};
use tuppum_text::tokens::TokenId;

/// Output of the model for one place, with what is known about the place.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Logits over the whole vocabulary with `<mask>` at the place, if asked.
    pub start: Option<&'a [f32]>,
    /// Logits at the place with `-<mask>`, if asked.
    pub inside: Option<&'a [f32]>,
    /// Probability that a word begins here.
    pub word_start: f32,
    /// Visible traces of the sign.
    pub traces: &'a Traces,
}

/// Knowledge of the search beside the model.
pub trait Knowledge {
    /// Returns the best readings for a place, most probable first. With one kind of logits, probabilities are
    /// conditional on that kind; with both, the two are mixed by `word_start`.
    fn proposals(&self, evidence: &Evidence, top: usize) -> Vec<Proposal>;

    /// Returns the probability that a word begins at a place between these tokens (`<mask>`: open, `<br>`: end of
    /// line).
    fn word_start(&self, previous: TokenId, next: TokenId) -> f32;

    /// Returns the natural logarithm of the probability that a break has `length` signs.
    fn log_length(&self, length: usize) -> f32;

    /// Returns the average sum of the log-probabilities of `length` filled signs, so that lengths can be compared.
    fn expected_log_probability(&self, length: usize) -> f32;
}
