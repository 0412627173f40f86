//! What is asked of the translator.

use super::super::generation::{Method, Options};
use super::super::restoration::Filled;
use serde::{Deserialize, Serialize};

/// How much is translated at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// Every line on its own.
    #[default]
    Lines,
    /// As many lines together as the translator was trained to read.
    Whole,
}

/// A text to translate. It travels as typed; both sides read it with the same reader, so that sign numbers agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The transliteration as typed.
    pub text: String,
    /// Readings that stand in gaps: accepted proposals. They are translated as if they were read.
    pub filled: Vec<Filled>,
    /// How much at a time.
    pub scope: Scope,
    /// How many beginnings are followed at a time; 1 takes the likeliest byte each time.
    pub beams: usize,
    /// Outputs are ranked by the logarithm of their probability over this power of their length.
    pub length_penalty: f32,
    /// How many translations of each passage.
    pub answers: usize,
    /// Most bytes of a translation.
    pub longest: usize,
    /// Whether the hyperbolic bias of the model takes part, where it has one.
    pub bias: bool,
}

impl Question {
    /// A question about `text` with the defaults of the design.
    pub fn about(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            filled: Vec::new(),
            scope: Scope::Lines,
            beams: 5,
            length_penalty: 1.0,
            answers: 3,
            longest: 512,
            bias: true,
        }
    }

    /// The search that it asks for. A beam of 1 is greedy.
    pub fn options(&self) -> Options {
        let method = match self.beams {
            0 | 1 => Method::Greedy,
            beams => Method::Beam { beams, length_penalty: self.length_penalty, early: false },
        };
        Options { method, longest: self.longest, answers: self.answers, attention: true, read_every: 1 }
    }
}
