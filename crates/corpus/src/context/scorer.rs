//! A scorer that mixes the network's logits with attested contexts, so that every search over a scorer (single gaps,
//! joint search, unknown lengths, evaluation) ranks by both.

use super::about_text::{AboutText, LastTextCache};
use super::affinity::Affinity;
use super::gap::{Context, ContextItem, signs_of};
use super::search::{Contexts, Witness};
use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, Readings, TextNumber};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tuppum_domain::restoration::scorer::starts_word;
use tuppum_domain::restoration::{Logits, Row, Scorer};
use tuppum_text::tokens::{BEGIN, GAP, INNER_MASK, LINE_END, PAD, TokenId, Vocabulary};

/// Logit of what cannot stand at a place. Finite, since a mask of minus infinity turns sums into NaN.
const IMPOSSIBLE_LOGIT: f32 = -1e9;
/// Weight of the word-start prior relative to the network's weight beside the witnesses. It is small because the prior
/// knows only the two neighbouring signs. Chosen on the validation texts; between 0.003 and 0.1 little changes.
const PRIOR_WEIGHT: f32 = 0.02;
/// Cache size, in contexts: some thousand hypotheses of a joint search.
const MAX_CACHED_CONTEXTS: usize = 4096;

/// Mixes the logits of a scorer with attested contexts.
pub struct ContextScorer<'a, S> {
    inner: S,
    contexts: Contexts<'a>,
    tokens: CorpusTokens,
    except: Option<TextNumber>,
    last_text: Option<&'a LastTextCache>,
    about: Option<(Vec<TokenId>, Arc<AboutText>)>,
    remembered: HashMap<(Context, bool), Mixture<TokenId>>,
}

impl<'a, S: Scorer> ContextScorer<'a, S> {
    /// Wraps a scorer over a network's tokens. The text `except`, which is the one asked about, is never a witness.
    pub fn new(inner: S, vocabulary: &Vocabulary, contexts: Contexts<'a>, except: Option<TextNumber>) -> Self {
        let tokens = CorpusTokens::new(vocabulary, contexts.corpus.readings());
        Self { inner, contexts, tokens, except, last_text: None, about: None, remembered: HashMap::new() }
    }

    /// Shares the cache of findings about the last text with other scorers.
    pub fn sharing(self, last_text: &'a LastTextCache) -> Self {
        Self { last_text: Some(last_text), ..self }
    }

    /// Compares a row with the texts of the corpora, unless the row before was about the same text: rows of one
    /// question differ only in what fills their open places.
    fn switch_text(&mut self, row: &Row) {
        let known = |ids: &[TokenId]| -> Vec<TokenId> {
            ids.iter().copied().filter(|id| self.tokens.is_reading(*id)).collect()
        };
        let is_current = self.about.as_ref().is_some_and(|(ids, _)| *ids == row.ids);
        if is_current {
            return;
        }
        let signs = signs_of(&self.tokens.items(&row.ids));
        let is_new_text = self.about.as_ref().is_none_or(|(ids, _)| differs(&known(ids), &known(&row.ids)));
        if is_new_text {
            let about = match self.last_text {
                Some(last_text) => last_text.about(&self.contexts, &signs, self.except),
                None => Arc::new(AboutText::new(Affinity::of(self.contexts.corpus, &signs, self.except))),
            };
            self.about = Some((row.ids.clone(), about));
            self.remembered.clear();
        }
    }

    /// Returns the mixture of the witnesses of a place.
    fn mixture(&mut self, question: &[ContextItem], place: usize, starts_word: bool) -> Mixture<TokenId> {
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
        if self.remembered.len() >= MAX_CACHED_CONTEXTS {
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
                IMPOSSIBLE_LOGIT
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
            self.switch_text(row);
            let question = self.tokens.items(&row.ids);
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
        self.switch_text(row);
        let question = self.tokens.items(&row.ids);
        let [begins, inside] = [true, false].map(|kind| self.mixture(&question, place, kind).witnessed());
        let of_prior = PRIOR_WEIGHT * self.contexts.weights.of_network();
        (of_prior * prior + begins) / (of_prior + begins + inside)
    }
}

/// Share of witnesses and network in the probability of a proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MixtureShare {
    /// Part that comes from the witnesses.
    pub attested: f32,
    /// Part that comes from the network.
    pub network: f32,
}

/// Weights of a gap's witnesses by reading, and the weight of the network beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixture<K: Ord> {
    weights: BTreeMap<K, f32>,
    all: f32,
    network: f32,
}

impl<K: Ord> Mixture<K> {
    /// Sums up witnesses by the reading that `reading` returns; witnesses without one do not count.
    pub fn of(witnesses: &[Witness], network: f32, reading: impl Fn(&Witness) -> Option<K>) -> Self {
        let mut mixture = Self { weights: BTreeMap::new(), all: 0.0, network };
        for witness in witnesses {
            if let Some(reading) = reading(witness) {
                *mixture.weights.entry(reading).or_default() += witness.weight;
                mixture.all += witness.weight;
            }
        }
        mixture
    }

    /// Returns the total weight of the witnesses.
    pub fn witnessed(&self) -> f32 {
        self.all
    }

    /// Returns the probability of a reading, given the network's probability of it.
    pub fn probability(&self, reading: &K, network: f32) -> f32 {
        let MixtureShare { attested, network } = self.share(reading, network);
        attested + network
    }

    /// Returns the two parts of a reading's probability.
    pub fn share(&self, reading: &K, network: f32) -> MixtureShare {
        let all = self.all + self.network;
        let attested = self.weights.get(reading).copied().unwrap_or_default() / all;
        MixtureShare { attested, network: self.network * network / all }
    }
}

/// Correspondence of a vocabulary's tokens and the readings of the corpora.
#[derive(Clone, Debug)]
pub struct CorpusTokens {
    signs: Vec<ContextItem>,
    starts_word: Vec<bool>,
    is_reading: Vec<bool>,
    of_sign: HashMap<AttestedSign, TokenId>,
}

impl CorpusTokens {
    /// Maps every token of a vocabulary to a sign of the corpus.
    pub fn new(vocabulary: &Vocabulary, readings: &Readings) -> Self {
        let mut of_sign = HashMap::new();
        let mut sign = |id: TokenId| match (vocabulary.reading(id), id) {
            (_, LINE_END) => ContextItem::LineEnd,
            (_, BEGIN | PAD) => ContextItem::Begin,
            (_, GAP) => ContextItem::Sign(AttestedSign { reading: BREAK, starts_word: true }),
            (Some((name, starts_word)), _) => {
                let reading = readings.number(name);
                let sign = AttestedSign { reading: reading.unwrap_or(ILLEGIBLE), starts_word };
                reading.map(|_| of_sign.insert(sign, id));
                ContextItem::Sign(sign)
            }
            (None, _) => {
                ContextItem::Sign(AttestedSign { reading: ILLEGIBLE, starts_word: starts_word(vocabulary, id) })
            }
        };
        let ids = 0..vocabulary.len() as TokenId;
        let signs = ids.clone().map(&mut sign).collect();
        let is_reading = ids.clone().map(|id| vocabulary.reading(id).is_some()).collect();
        Self { signs, starts_word: ids.map(|id| starts_word(vocabulary, id)).collect(), is_reading, of_sign }
    }

    /// Returns a row as a question; open places become illegible signs.
    pub fn items(&self, ids: &[TokenId]) -> Vec<ContextItem> {
        let unknown = ContextItem::Sign(AttestedSign { reading: ILLEGIBLE, starts_word: true });
        ids.iter().map(|id| self.signs.get(*id as usize).copied().unwrap_or(unknown)).collect()
    }

    /// Returns the token of an attested sign, if the vocabulary has one.
    pub fn token(&self, sign: AttestedSign) -> Option<TokenId> {
        self.of_sign.get(&sign).copied()
    }

    /// Returns `true` if a token is a reading rather than a special token.
    pub fn is_reading(&self, id: TokenId) -> bool {
        self.is_reading.get(id as usize) == Some(&true)
    }

    /// Returns `true` if a token is a reading that a mask of this kind allows.
    pub fn is_possible(&self, id: TokenId, starts_word: bool) -> bool {
        self.is_reading(id) && self.starts_word.get(id as usize) == Some(&starts_word)
    }

    /// Returns the network's probabilities among the readings that a mask of this kind allows; 0 for all other tokens.
    pub fn probabilities(&self, logits: &[f32], starts_word: bool) -> Vec<f32> {
        let possible = || (0..).zip(logits).filter(|(id, _)| self.is_possible(*id, starts_word));
        // Subtracting the largest logit keeps the exponentials finite.
        let largest = possible().map(|(_, logit)| *logit).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = possible().map(|(_, logit)| (logit - largest).exp()).sum();
        let mut probabilities = vec![0.0; logits.len()];
        possible().for_each(|(id, logit)| probabilities[id as usize] = (logit - largest).exp() / sum);
        probabilities
    }
}
