//! A stretch of the typed text, in bytes.

use serde::{Deserialize, Serialize};

/// Half-open byte range `start..end` in [`Document::source`](super::Document::source); always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The text under the span, or `""` when the span does not lie in `source`.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether no byte is covered.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
