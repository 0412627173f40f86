//! Compiled-in knowledge: the ranking of readings and the priors of the corpora.

use super::knowledge::{Evidence, Knowledge};
use super::rank::Ranker;
use super::{Period, Proposal};
use tuppum_text::Style;
use tuppum_text::signs::Priors;
use tuppum_text::tokens::{TokenId, Vocabulary};

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
    fn proposals(&self, evidence: &Evidence, top: usize) -> Vec<Proposal> {
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
