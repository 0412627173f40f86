//! Result of a search, and the reports of its text while it is being written.

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

/// Text written so far for a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<'t> {
    /// Index of the source.
    pub source: usize,
    /// Text of the best beginning, never with half a character. A later text need not begin with it, since another beam
    /// can become the best.
    pub text: &'t str,
    /// Outputs, best first; reported once, at the end. `None` while the search for this source continues.
    pub found: Option<&'t [Output]>,
}

/// Reports each source's text when it has changed.
pub(super) struct Shown<F> {
    texts: Vec<String>,
    notify: F,
}

impl<F: FnMut(Partial<'_>)> Shown<F> {
    /// Starts with nothing reported for any of the sources.
    pub fn new(sources: usize, notify: F) -> Self {
        Self { texts: vec![String::new(); sources], notify }
    }

    /// Reports the text of these tokens, unless it was the last text reported.
    pub fn show(&mut self, source: usize, tokens: &[TokenId]) {
        let text = bytes::decode(tokens);
        if self.texts[source] != text {
            (self.notify)(Partial { source, text: &text, found: None });
            self.texts[source] = text;
        }
    }

    /// Reports the outputs of a source whose search has ended.
    pub fn end(&mut self, source: usize, found: &[Output]) {
        let text = found.first().map_or("", |best| &best.text);
        (self.notify)(Partial { source, text, found: Some(found) });
    }
}
