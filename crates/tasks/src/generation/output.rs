//! What a search found.

use serde::{Deserialize, Serialize};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// One output of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Its text; bytes that are no UTF-8 are left out.
    pub text: String,
    /// Its tokens, the end of sequence last where it was reached.
    pub tokens: Vec<TokenId>,
    /// The logarithm of its probability over a power of its length: what outputs are ranked by.
    pub score: f32,
    /// Natural logarithm of the probability of each token.
    pub log_probabilities: Vec<f32>,
    /// How much each token attended to each place of the source, `[tokens][places]`, mean over heads and layers; empty
    /// where it was not asked for.
    pub attention: Vec<Vec<f32>>,
}

impl Output {
    /// Whether the model ended it itself, rather than reaching the longest length.
    pub fn ended(&self) -> bool {
        self.tokens.last() == Some(&bytes::END)
    }

    /// The probability of each byte of [`Output::text`].
    pub fn byte_probabilities(&self) -> Vec<f32> {
        bytes::places(&self.tokens).into_iter().map(|place| self.log_probabilities[place].exp()).collect()
    }

    /// How much each byte of [`Output::text`] attended to each place of the source; empty where it was not asked for.
    pub fn byte_attention(&self) -> Vec<&[f32]> {
        bytes::places(&self.tokens)
            .into_iter()
            .filter_map(|place| Some(self.attention.get(place)?.as_slice()))
            .collect()
    }
}
