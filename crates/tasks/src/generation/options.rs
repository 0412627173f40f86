//! How to search for an output.

use serde::{Deserialize, Serialize};

/// How to search for an output. Values out of range are taken as the nearest in range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Way to search.
    pub method: Method,
    /// Most tokens of an output, its end included.
    pub longest: usize,
    /// How many outputs are wanted, best first. Greedy search has one, beam search at most its beams.
    pub answers: usize,
    /// Whether to keep how much each byte attended to each byte of the source.
    pub attention: bool,
    /// After how many bytes greedy search looks at what was written. On a GPU looking costs the time of some bytes, on
    /// the CPU nothing.
    pub read_every: usize,
}

/// Ways to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Always the likeliest byte.
    Greedy,
    /// The likeliest beginnings, several at a time.
    Beam {
        /// Number of beams, the beginnings that are kept.
        beams: usize,
        /// Outputs are ranked by the logarithm of their probability over this power of their length.
        length_penalty: f32,
        /// Ends once as many outputs as beams are found, instead of waiting for better ones.
        early: bool,
    },
    /// Bytes drawn at random.
    Sample {
        /// Logits are divided by this: below 1 likely bytes become likelier, at 0 only the likeliest is left.
        temperature: f32,
        /// Equal seeds draw equal bytes.
        seed: u64,
    },
}

/// So many rows at a time make good use of a processor: with fewer, it waits for the model's weights, which it reads
/// once a step.
const ROWS_TOGETHER: usize = 10;
/// Most sources at a time, so that the first output comes soon.
const MOST_TOGETHER: usize = 4;

/// Most rows per source; bounds memory.
pub(super) const MOST_ROWS: usize = 64;

impl Default for Method {
    fn default() -> Self {
        Self::Beam { beams: 5, length_penalty: 1.0, early: false }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), longest: 512, answers: 1, attention: false, read_every: 1 }
    }
}

impl Options {
    /// For how many sources the CPU had best search at a time.
    pub fn sources_together(&self) -> usize {
        let Self { method, answers, .. } = self.in_range();
        let rows = match method {
            Method::Greedy => 1,
            Method::Beam { beams, .. } => beams,
            Method::Sample { .. } => answers,
        };
        (ROWS_TOGETHER / rows).clamp(1, MOST_TOGETHER)
    }

    /// The nearest options in range.
    pub(super) fn in_range(&self) -> Self {
        let method = match self.method {
            Method::Greedy => Method::Greedy,
            Method::Beam { beams, length_penalty, early } => {
                let length_penalty = if length_penalty.is_finite() { length_penalty } else { 1.0 };
                Method::Beam { beams: beams.clamp(1, MOST_ROWS), length_penalty, early }
            }
            Method::Sample { temperature, seed } => {
                let temperature = if temperature.is_finite() { temperature.max(0.0) } else { 1.0 };
                Method::Sample { temperature, seed }
            }
        };
        Self {
            method,
            longest: self.longest.max(1),
            answers: self.answers.clamp(1, MOST_ROWS),
            attention: self.attention,
            read_every: self.read_every.max(1),
        }
    }
}
