//! A scorer that mixes the network's logits with attested contexts, so that every search over a scorer (single gaps,
//! joint search, unknown lengths, evaluation) ranks by both.

use super::affinity::Affinity;
use super::mixture::Mixture;
use super::newest::{AboutText, Newest};
use super::question::{Context, Question, signs_of};
use super::search::Contexts;
use super::tokens::CorpusTokens;
use crate::attested::TextNumber;
use std::collections::HashMap;
use std::sync::Arc;
use tuppum_tasks::restoration::{Logits, Row, Scorer};
use tuppum_text::tokens::{INNER_MASK, TokenId, Vocabulary};

/// Logit of what cannot stand at a place. Finite, since a mask of minus infinity turns sums into NaN.
const IMPOSSIBLE: f32 = -1e9;
/// Weight of the word-start prior relative to the network's weight beside the witnesses. It is small because the prior
/// knows only the two neighbouring signs. Chosen on the validation texts; between 0.003 and 0.1 little changes.
const PRIOR: f32 = 0.02;
/// Cache size, in contexts: some thousand hypotheses of a joint search.
const REMEMBERED: usize = 4096;

/// Mixes the logits of a scorer with attested contexts.
pub struct ContextScorer<'a, S> {
    inner: S,
    contexts: Contexts<'a>,
    tokens: CorpusTokens,
    except: Option<TextNumber>,
    newest: Option<&'a Newest>,
    about: Option<(Vec<TokenId>, Arc<AboutText>)>,
    remembered: HashMap<(Context, bool), Mixture<TokenId>>,
}

impl<'a, S: Scorer> ContextScorer<'a, S> {
    /// Wraps a scorer over a network's tokens. The text `except`, which is the one asked about, is never a witness.
    pub fn new(inner: S, vocabulary: &Vocabulary, contexts: Contexts<'a>, except: Option<TextNumber>) -> Self {
        let tokens = CorpusTokens::new(vocabulary, contexts.corpus.readings());
        Self { inner, contexts, tokens, except, newest: None, about: None, remembered: HashMap::new() }
    }

    /// Shares the cache of findings about the last text with other scorers.
    pub fn sharing(self, newest: &'a Newest) -> Self {
        Self { newest: Some(newest), ..self }
    }

    /// Compares a row with the texts of the corpora, unless the row before was about the same text: rows of one
    /// question differ only in what fills their open places.
    fn meet(&mut self, row: &Row) {
        let known = |ids: &[TokenId]| -> Vec<TokenId> {
            ids.iter().copied().filter(|id| self.tokens.is_reading(*id)).collect()
        };
        let is_met = self.about.as_ref().is_some_and(|(ids, _)| *ids == row.ids);
        if is_met {
            return;
        }
        let signs = signs_of(&self.tokens.question(&row.ids));
        let is_new_text = self.about.as_ref().is_none_or(|(ids, _)| differs(&known(ids), &known(&row.ids)));
        if is_new_text {
            let about = match self.newest {
                Some(newest) => newest.about(&self.contexts, &signs, self.except),
                None => Arc::new(AboutText::new(Affinity::of(self.contexts.corpus, &signs, self.except))),
            };
            self.about = Some((row.ids.clone(), about));
            self.remembered.clear();
        }
    }

    /// Returns the mixture of the witnesses of a place.
    fn mixture(&mut self, question: &[Question], place: usize, starts_word: bool) -> Mixture<TokenId> {
        let key = (Context::around(question, place), starts_word);
        if let Some(known) = self.remembered.get(&key) {
            return known.clone();
        }
        let Some((_, about)) = &self.about else { return Mixture::default() };
        let witnesses = about.witnesses(&self.contexts, &key.0, &[starts_word]);
        let (corpus, tokens) = (self.contexts.corpus, &self.tokens);
        let mixture = Mixture::of(&witnesses, self.contexts.weights.of_network(), |witness| {
            tokens.token(corpus.sign(witness.place as usize))
        });
        if self.remembered.len() >= REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(key, mixture.clone());
        mixture
    }

    /// Replaces the logits of one place by log-probabilities of the mixture, among the readings that a mask of this
    /// kind allows.
    fn mix(&self, logits: &mut [f32], mixture: &Mixture<TokenId>, starts_word: bool) {
        let network = self.tokens.probabilities(logits, starts_word);
        for ((id, logit), network) in (0..).zip(logits).zip(network) {
            *logit = if self.tokens.is_possible(id, starts_word) {
                mixture.probability(&id, network).max(f32::MIN_POSITIVE).ln()
            } else {
                IMPOSSIBLE
            };
        }
    }
}

/// Returns `true` if more than one in five known signs differ in number or kind: another text, or another part of it.
fn differs(one: &[TokenId], other: &[TokenId]) -> bool {
    let mut counts: HashMap<TokenId, isize> = HashMap::new();
    one.iter().for_each(|id| *counts.entry(*id).or_default() += 1);
    other.iter().for_each(|id| *counts.entry(*id).or_default() -= 1);
    let different: usize = counts.values().map(|count| count.unsigned_abs()).sum();
    different * 5 > one.len() + other.len()
}

impl<S: Scorer> Scorer for ContextScorer<'_, S> {
    type Error = S::Error;

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
        let mut scored = self.inner.score(rows).await?;
        for (row, logits) in rows.iter().zip(&mut scored) {
            self.meet(row);
            let question = self.tokens.question(&row.ids);
            for (place, logits) in row.places.iter().zip(logits) {
                let starts_word = row.ids.get(*place) != Some(&INNER_MASK);
                let mixture = self.mixture(&question, *place, starts_word);
                self.mix(logits, &mixture, starts_word);
            }
        }
        Ok(scored)
    }

    fn rows_at_once(&self) -> usize {
        self.inner.rows_at_once()
    }

    /// Estimates the word start from the weights of both kinds of witnesses, beside the prior.
    fn word_start(&mut self, row: &Row, place: usize, prior: f32) -> f32 {
        self.meet(row);
        let question = self.tokens.question(&row.ids);
        let [begins, inside] = [true, false].map(|kind| self.mixture(&question, place, kind).witnessed());
        let of_prior = PRIOR * self.contexts.weights.of_network();
        (of_prior * prior + begins) / (of_prior + begins + inside)
    }
}
