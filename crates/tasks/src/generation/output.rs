//! Result of a search.

use serde::{Deserialize, Serialize};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// One output of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Text; bytes that are not UTF-8 are left out.
    pub text: String,
    /// Tokens, ending with the end of sequence if it was reached.
    pub tokens: Vec<TokenId>,
    /// Log-probability divided by a power of the length, by which outputs are ranked.
    pub score: f32,
    /// Natural logarithm of the probability of each token.
    pub log_probabilities: Vec<f32>,
    /// Attention of each token to each place of the source, `[tokens][places]`, mean over heads and layers; empty if
    /// not requested.
    pub attention: Vec<Vec<f32>>,
}

impl Output {
    /// Returns `true` if the model ended the output itself, rather than reaching the longest length.
    pub fn ended(&self) -> bool {
        self.tokens.last() == Some(&bytes::END)
    }

    /// Returns the probability of each byte of [`Output::text`].
    pub fn byte_probabilities(&self) -> Vec<f32> {
        bytes::places(&self.tokens).into_iter().map(|place| self.log_probabilities[place].exp()).collect()
    }

    /// Returns the attention of each byte of [`Output::text`] to each place of the source; empty if not requested.
    pub fn byte_attention(&self) -> Vec<&[f32]> {
        bytes::places(&self.tokens)
            .into_iter()
            .filter_map(|place| Some(self.attention.get(place)?.as_slice()))
            .collect()
    }
}
