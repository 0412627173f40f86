//! The knowledge that is compiled in: the ranking of readings and the priors of the corpora.

use super::knowledge::{Evidence, Knowledge};
use super::rank::Ranker;
use super::{Period, Proposal};
use crate::signs::{Neighbour, Priors};
use crate::text::Style;
use crate::text::tokens::{
    BEGIN, END, GAP, ILLEGIBLE, INNER_ILLEGIBLE, INNER_MASK, LINE_END, MASK, TokenId, Vocabulary,
};

/// The knowledge of the corpora, as compiled in.
pub struct Tables<'a> {
    /// From logits to readings.
    pub ranker: &'a Ranker,
    /// The model's tokens.
    pub vocabulary: &'a Vocabulary,
    /// Boundaries and lengths.
    pub priors: &'a Priors,
    /// Re-rank by the counts of this period.
    pub period: Option<Period>,
    /// How readings are written back.
    pub style: Style,
}

/// Share of the corpora's legible signs that begin a word (0.399).
const WORD_STARTS: f32 = 0.4;

impl Tables<'_> {
    /// What a neighbour may be, with weights. An open place or an illegible sign is some sign that cannot be read; what the
    /// corpora have beside `x` would mislead, for editors set it apart whatever stood there.
    fn neighbours(&self, token: TokenId) -> [(Neighbour, f32); 2] {
        let sure = |neighbour| [(neighbour, 1.0), (neighbour, 0.0)];
        match token {
            LINE_END | BEGIN | END => sure(Neighbour::LineEdge),
            GAP => sure(Neighbour::Gap),
            MASK | INNER_MASK | ILLEGIBLE | INNER_ILLEGIBLE => {
                [(Neighbour::WordStart, WORD_STARTS), (Neighbour::Inside, 1.0 - WORD_STARTS)]
            }
            _ => match self.vocabulary.reading(token) {
                Some((reading, starts_word)) => sure(Neighbour::of_sign(reading, starts_word)),
                // A reading outside the vocabulary: rare ones are mostly logograms that stand alone.
                None => sure(Neighbour::WordStart),
            },
        }
    }
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
        let mut probability = 0.0;
        for (before, weight) in self.neighbours(previous) {
            for (after, other) in self.neighbours(next) {
                probability += weight * other * self.priors.word_start(before, after);
            }
        }
        probability
    }

    fn log_length(&self, length: usize) -> f32 {
        self.priors.log_length(length)
    }

    fn expected_log_probability(&self, length: usize) -> f32 {
        self.priors.expected_log_probability(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::restoration::toy::vocabulary;
    use crate::signs::{Frequencies, SignList};

    #[test]
    fn a_neighbour_that_cannot_be_read_says_nothing() {
        let vocabulary = vocabulary();
        let ranker = Ranker::new(&vocabulary, SignList::shared(), Frequencies::shared());
        let priors = Priors::shared();
        let style = Style::default();
        let tables = Tables { ranker: &ranker, vocabulary: &vocabulary, priors, period: None, style };
        let (start, inside) = (vocabulary.id("b", true), vocabulary.id("b", false));
        assert_eq!(tables.word_start(start, inside), priors.word_start(Neighbour::WordStart, Neighbour::Inside));
        let unread = tables.word_start(ILLEGIBLE, inside);
        assert_eq!(unread, tables.word_start(MASK, inside));
        let read = [tables.word_start(start, inside), tables.word_start(inside, inside)];
        assert!(read[0] < unread && unread < read[1], "{read:?} {unread}");
        // Signs that editors could read beside an x mostly begin words; a sign beside an unreadable one need not.
        assert!(priors.word_start(Neighbour::Illegible, Neighbour::Inside) > read[1]);
    }
}
