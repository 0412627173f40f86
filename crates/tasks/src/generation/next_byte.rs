//! The one thing that the search asks of a model.

use tuppum_text::tokens::TokenId;

/// A row of the next step: it continues a row of the last one with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// Number of the row that it continues; in the first step, the number of its source text.
    pub parent: usize,
    /// The token that it appends; in the first step, [`PAD`](tuppum_text::bytes::PAD).
    pub token: TokenId,
}

/// What a model says about the rows of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NextByteScores {
    /// Logits over the vocabulary, row after row. All are finite.
    pub logits: Vec<f32>,
    /// Size of the vocabulary.
    pub vocabulary: usize,
    /// How much each row attended to each place of its source, mean over heads and layers, row after row; empty where
    /// it was not asked for.
    pub attention: Vec<f32>,
    /// Places of the longest source.
    pub inputs: usize,
}

impl NextByteScores {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.logits.len() / self.vocabulary.max(1)
    }

    /// Natural logarithms of the probabilities of every token after this row.
    pub fn log_probabilities(&self, row: usize) -> Vec<f32> {
        let logits = &self.logits[row * self.vocabulary..][..self.vocabulary];
        let largest = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f64 = logits.iter().map(|logit| f64::from(logit - largest).exp()).sum();
        let log_sum = sum.ln() as f32;
        logits.iter().map(|logit| logit - largest - log_sum).collect()
    }

    /// How much this row attended to each place of its source; empty where it was not asked for.
    pub fn attention(&self, row: usize) -> &[f32] {
        if self.attention.is_empty() { &[] } else { &self.attention[row * self.inputs..][..self.inputs] }
    }
}

/// A token that a model chose itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The token.
    pub token: TokenId,
    /// Natural logarithm of its probability.
    pub log_probability: f32,
}

/// A model that says which tokens may follow.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait NextByte {
    /// Why it stopped: cancelled, device lost.
    type Error;

    /// Scores after these rows, in order. The rows of a source lie together, all sources that go on have equally many,
    /// and those that do not go on are no longer named. The model yields between layers and stops when the job is
    /// cancelled.
    async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, Self::Error>;

    /// The likeliest `count` tokens after each row, each following the one before. A model on a GPU can do that without
    /// waiting for a result in between.
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

/// The likeliest token; of equal ones the first.
pub fn likeliest(log_probabilities: &[f32]) -> Chosen {
    let mut best = Chosen { token: 0, log_probability: f32::MIN };
    for (token, log_probability) in (0..).zip(log_probabilities) {
        if *log_probability > best.log_probability {
            best = Chosen { token, log_probability: *log_probability };
        }
    }
    best
}
