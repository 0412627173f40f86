//! Options of a search for an output.

use serde::{Deserialize, Serialize};

/// Options of a search. Values out of range are replaced by the nearest in range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Search method.
    pub method: Method,
    /// Largest number of tokens of an output, its end included.
    pub longest: usize,
    /// Number of outputs wanted, best first. Greedy search returns one, beam search at most as many as beams.
    pub answers: usize,
    /// `true` to keep each byte's attention to each byte of the source.
    pub attention: bool,
    /// Number of bytes after which greedy search reads the output. Reading costs the time of some bytes on a GPU,
    /// nothing on the CPU.
    pub read_every: usize,
}

/// Search methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Always take the most likely byte.
    Greedy,
    /// Keep several most likely beginnings.
    Beam {
        /// Number of beams, the beginnings that are kept.
        beams: usize,
        /// Exponent of the length: outputs are ranked by log-probability divided by length to this power.
        length_penalty: f32,
        /// `true` to end once as many outputs as beams are found, instead of waiting for better ones.
        early: bool,
    },
    /// Draw bytes at random.
    Sample {
        /// Divisor of the logits: below 1 likely bytes become more likely, at 0 only the most likely is left.
        temperature: f32,
        /// Seed; equal seeds draw equal bytes.
        seed: u64,
    },
}

/// Number of rows that use a processor well. With fewer, it waits for the model's weights, which are read once a step.
const ROWS_TOGETHER: usize = 10;
/// Largest number of sources at a time, so that the first output comes soon.
const MAX_SOURCES_TOGETHER: usize = 4;

/// Largest number of rows per source; bounds memory.
pub(super) const MAX_ROWS_PER_SOURCE: usize = 64;

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
    /// Returns the number of sources that the CPU should search at a time.
    pub fn sources_together(&self) -> usize {
        let Self { method, answers, .. } = self.in_range();
        let rows = match method {
            Method::Greedy => 1,
            Method::Beam { beams, .. } => beams,
            Method::Sample { .. } => answers,
        };
        (ROWS_TOGETHER / rows).clamp(1, MAX_SOURCES_TOGETHER)
    }

    /// Returns the nearest options in range.
    pub(super) fn in_range(&self) -> Self {
        let method = match self.method {
            Method::Greedy => Method::Greedy,
            Method::Beam { beams, length_penalty, early } => {
                let length_penalty = if length_penalty.is_finite() { length_penalty } else { 1.0 };
                Method::Beam { beams: beams.clamp(1, MAX_ROWS_PER_SOURCE), length_penalty, early }
            }
            Method::Sample { temperature, seed } => {
                let temperature = if temperature.is_finite() { temperature.max(0.0) } else { 1.0 };
                Method::Sample { temperature, seed }
            }
        };
        Self {
            method,
            longest: self.longest.max(1),
            answers: self.answers.clamp(1, MAX_ROWS_PER_SOURCE),
            attention: self.attention,
            read_every: self.read_every.max(1),
        }
    }
}
