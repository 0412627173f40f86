//! The answer on the page.

use std::sync::Arc;
use tuppum_protocol::{Answer, Question};

/// Origin of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Computed in advance with the shipped model and delivered with the page.
    Stored,
    /// Computed by the engine.
    Engine,
}

/// The answer on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Question that was answered.
    pub question: Question,
    pub answer: Arc<Answer>,
    pub origin: Origin,
    /// `true` if the engine has finished the answer.
    pub complete: bool,
}
