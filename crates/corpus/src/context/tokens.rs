//! Maps the tokens of a restorer to the readings of a corpus and back.

use super::question::Question;
use crate::attested::{AttestedSign, BREAK, ILLEGIBLE, Readings};
use std::collections::HashMap;
use tuppum_tasks::restoration::targets::starts_word;
use tuppum_text::tokens::{BEGIN, GAP, LINE_END, PAD, TokenId, Vocabulary};

/// Correspondence of a vocabulary's tokens and the readings of the corpora.
#[derive(Clone, Debug)]
pub struct CorpusTokens {
    signs: Vec<Question>,
    starts_word: Vec<bool>,
    is_reading: Vec<bool>,
    of_sign: HashMap<AttestedSign, TokenId>,
}

impl CorpusTokens {
    /// Maps every token of a vocabulary to a sign of the corpus.
    pub fn new(vocabulary: &Vocabulary, readings: &Readings) -> Self {
        let mut of_sign = HashMap::new();
        let mut sign = |id: TokenId| match (vocabulary.reading(id), id) {
            (_, LINE_END) => Question::LineEnd,
            (_, BEGIN | PAD) => Question::Begin,
            (_, GAP) => Question::Sign(AttestedSign { reading: BREAK, starts_word: true }),
            (Some((name, starts_word)), _) => {
                let reading = readings.number(name);
                let sign = AttestedSign { reading: reading.unwrap_or(ILLEGIBLE), starts_word };
                reading.map(|_| of_sign.insert(sign, id));
                Question::Sign(sign)
            }
            (None, _) => Question::Sign(AttestedSign { reading: ILLEGIBLE, starts_word: starts_word(vocabulary, id) }),
        };
        let ids = 0..vocabulary.len() as TokenId;
        let signs = ids.clone().map(&mut sign).collect();
        let is_reading = ids.clone().map(|id| vocabulary.reading(id).is_some()).collect();
        Self { signs, starts_word: ids.map(|id| starts_word(vocabulary, id)).collect(), is_reading, of_sign }
    }

    /// Returns a row as a question; open places become illegible signs.
    pub fn question(&self, ids: &[TokenId]) -> Vec<Question> {
        let unknown = Question::Sign(AttestedSign { reading: ILLEGIBLE, starts_word: true });
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
