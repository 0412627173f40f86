//! The answer on the page.

use std::sync::Arc;
use tuppum_protocol::{Answer, Question};

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Computed with the shipped model and delivered with the page.
    Stored,
    /// Computed here.
    Engine,
}

/// The answer on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it answers.
    pub question: Question,
    /// What was found.
    pub answer: Arc<Answer>,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether the engine has finished it.
    pub complete: bool,
}
