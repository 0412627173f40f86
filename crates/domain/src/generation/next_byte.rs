//! Interface between the search and a model.

use tuppum_text::tokens::TokenId;

/// Row of the next step: it continues a row of the step before with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// Index of the row that it continues; in the first step, the index of its source text.
    pub parent: usize,
    /// Token that it appends; in the first step, [`PAD`](tuppum_text::bytes::PAD).
    pub token: TokenId,
}

/// Scores of a model for the rows of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NextByteScores {
    /// Logits over the vocabulary, row after row. All are finite.
    pub logits: Vec<f32>,
    /// Size of the vocabulary.
    pub vocabulary: usize,
    /// Attention of each row to each place of its source, mean over heads and layers, row after row; empty if not
    /// requested.
    pub attention: Vec<f32>,
    /// Number of places of the longest source.
    pub inputs: usize,
}

impl NextByteScores {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.logits.len() / self.vocabulary.max(1)
    }

    /// Returns the natural logarithms of the probabilities of every token after this row.
    pub fn log_probabilities(&self, row: usize) -> Vec<f32> {
        let logits = &self.logits[row * self.vocabulary..][..self.vocabulary];
        // Subtracting the largest logit keeps the exponentials finite.
        let largest = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f64 = logits.iter().map(|logit| f64::from(logit - largest).exp()).sum();
        let log_sum = sum.ln() as f32;
        logits.iter().map(|logit| logit - largest - log_sum).collect()
    }

    /// Returns the attention of this row to each place of its source; empty if not requested.
    pub fn attention(&self, row: usize) -> &[f32] {
        if self.attention.is_empty() { &[] } else { &self.attention[row * self.inputs..][..self.inputs] }
    }
}

/// A token that a model chose itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    pub token: TokenId,
    /// Natural logarithm of the token's probability.
    pub log_probability: f32,
}

/// A model that scores the tokens that may follow.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait NextByte {
    /// Reason why the model stopped: cancelled, device lost.
    type Error;

    /// Returns the scores after these rows, in order. The rows of a source are adjacent, all unfinished sources have
    /// equally many, and finished sources no longer appear. The model yields between layers and stops when the job is
    /// cancelled.
    async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, Self::Error>;

    /// Returns the most likely `count` tokens after each row, each following the one before. A model on a GPU can do
    /// this without waiting for results in between.
    async fn likeliest(&mut self, rows: &[Continuation], count: usize) -> Result<Vec<Vec<Chosen>>, Self::Error> {
        let mut found = vec![Vec::new(); rows.len()];
        let mut rows = rows.to_vec();
        for _ in 0..count {
            let scores = self.next(&rows).await?;
            for (row, found) in found.iter_mut().enumerate() {
                let chosen = likeliest(&scores.log_probabilities(row));
                found.push(chosen);
                rows[row] = Continuation { parent: row, token: chosen.token };
            }
        }
        Ok(found)
    }
}

/// Returns the most likely token; on a tie the first.
pub fn likeliest(log_probabilities: &[f32]) -> Chosen {
    let mut best = Chosen { token: 0, log_probability: f32::MIN };
    for (token, log_probability) in (0..).zip(log_probabilities) {
        if *log_probability > best.log_probability {
            best = Chosen { token, log_probability: *log_probability };
        }
    }
    best
}
