//! Knowledge of the search beside the model: which readings tokens are, and the statistics of the corpora on boundaries
//! and lengths. A trait, so that tests of the search use vocabularies of five tokens; [`Tables`] is the compiled-in
//! knowledge.

use super::rank::Ranker;
use super::{Period, Proposal, Traces};
use tuppum_text::Style;
use tuppum_text::signs::Priors;
use tuppum_text::tokens::{TokenId, Vocabulary};

/// Output of the model for one place, with what is known about the place.
#[derive(Clone, Copy, Debug)]
pub struct PlaceEvidence<'a> {
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
    fn proposals(&self, evidence: &PlaceEvidence, top: usize) -> Vec<Proposal>;

    /// Returns the probability that a word begins at a place between these tokens (`<mask>`: open, `<br>`: end of
    /// line).
    fn word_start(&self, previous: TokenId, next: TokenId) -> f32;

    /// Returns the natural logarithm of the probability that a break has `length` signs.
    fn log_length(&self, length: usize) -> f32;

    /// Returns the average sum of the log-probabilities of `length` filled signs, so that lengths can be compared.
    fn expected_log_probability(&self, length: usize) -> f32;
}

/// Compiled-in knowledge of the corpora.
pub struct Tables<'a> {
    /// Ranks readings by logits.
    pub ranker: &'a Ranker,
    /// Tokens of the model.
    pub vocabulary: &'a Vocabulary,
    /// Priors of word boundaries and of lengths.
    pub priors: &'a Priors,
    /// Period by whose counts proposals are re-ranked.
    pub period: Option<Period>,
    /// Style in which readings are written.
    pub style: Style,
}

impl Knowledge for Tables<'_> {
    fn proposals(&self, evidence: &PlaceEvidence, top: usize) -> Vec<Proposal> {
        self.ranker.proposals(
            evidence.start,
            evidence.inside,
            evidence.word_start,
            evidence.traces,
            self.period,
            &self.style,
            top,
        )
    }

    fn word_start(&self, previous: TokenId, next: TokenId) -> f32 {
        self.priors.word_start_between(previous, next, self.vocabulary)
    }

    fn log_length(&self, length: usize) -> f32 {
        self.priors.log_length(length)
    }

    fn expected_log_probability(&self, length: usize) -> f32 {
        self.priors.expected_log_probability(length)
    }
}
