//! The answer to the first example, computed with the shipped model and delivered with the page, so that the first
//! screen shows what the page does before the model is there.

use crate::engine::protocol::{Answer, Question};
use serde::Deserialize;

/// The stored answer as `tuppum restore --json` writes it.
const STORED: &str = include_str!("../../assets/examples/first-answer.json");

/// A question with its answer.
#[derive(Deserialize)]
pub struct Stored {
    /// What was asked.
    pub question: Question,
    /// What was found.
    pub answer: Answer,
}

/// The stored answer; `None` if the file cannot be read, which a test rules out.
pub fn answer() -> Option<Stored> {
    serde_json::from_str(STORED).ok()
}
