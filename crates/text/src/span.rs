//! Stretch of the typed text, in bytes.

use serde::{Deserialize, Serialize};

/// Half-open byte range `start..end` in [`Document::source`](super::Document::source); always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte after the span.
    pub end: usize,
}

impl Span {
    /// Creates the span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the text under the span, or `""` if the span does not lie in `source`.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns `true` if the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
