//! For tests: a model whose scores follow from the tokens of a row, with few enough outputs to enumerate.

use super::next_byte::{Continuation, NextByte, NextByteScores};
use tuppum_text::bytes::{END, FIRST_BYTE};
use tuppum_text::tokens::TokenId;

/// A model over the bytes `a`, `b`, … and the end; everything else is nearly impossible.
pub struct ToyModel {
    /// Number of different bytes.
    pub letters: usize,
    /// Seed of all scores.
    pub seed: u64,
    /// Source and tokens of each row of the last step.
    pub rows: Vec<(usize, Vec<TokenId>)>,
    /// Number of rows of each call.
    pub calls: Vec<usize>,
    /// Number of calls after which the model fails.
    pub fails_after: Option<usize>,
}

/// Size of the toy vocabulary: up to the letter `z`.
pub const VOCABULARY: usize = FIRST_BYTE as usize + 128;

impl ToyModel {
    /// Creates a model that has read `sources` sources.
    pub fn new(sources: usize, letters: usize, seed: u64) -> Self {
        let rows = (0..sources).map(|source| (source, Vec::new())).collect();
        Self { letters, seed, rows, calls: Vec::new(), fails_after: None }
    }

    /// Returns the logits after these tokens.
    pub fn logits(&self, source: usize, tokens: &[TokenId]) -> Vec<f32> {
        let mut state = self.seed ^ (source as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for token in tokens {
            state = (state ^ u64::from(*token)).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
        }
        let mut logits = vec![-40.0; VOCABULARY];
        let letters = (0..self.letters as u32).map(|letter| FIRST_BYTE + u32::from(b'a') + letter);
        for token in letters.chain([END]) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            logits[token as usize] = ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 4.0;
        }
        logits
    }
}

impl NextByte for ToyModel {
    type Error = &'static str;

    async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, Self::Error> {
        if self.fails_after == Some(self.calls.len()) {
            return Err("cancelled");
        }
        self.calls.push(rows.len());
        self.rows = rows
            .iter()
            .map(|row| {
                let (source, mut tokens) = self.rows[row.parent].clone();
                tokens.push(row.token);
                (source, tokens)
            })
            .collect();
        let logits = self.rows.iter().flat_map(|(source, tokens)| self.logits(*source, tokens)).collect();
        // The attention of each row is its number of tokens and 0.5.
        let attention = self.rows.iter().flat_map(|(_, tokens)| [tokens.len() as f32, 0.5]).collect();
        Ok(NextByteScores { logits, vocabulary: VOCABULARY, attention, inputs: 2 })
    }
}
