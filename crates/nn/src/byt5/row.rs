//! A row of tokens as the encoder reads it.

use super::config::{ByT5Config, GeometryLevel};
use crate::error::ByT5Error;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// Maximum number of tokens of a row, far above what any published byte-level translator was trained on. Attention
/// logits grow with the square of the length: at this length those of one row of ByT5-small take 100 MB.
pub const LONGEST_ROW: usize = 2048;

/// Tokens of a row and, for a hyperbolic bias over signs, the number of each token's point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// Bytes of the text as tokens, the end of sequence last.
    pub ids: Vec<TokenId>,
    /// Number of each token's point; `None` where it is the token's own number.
    pub points: Option<Vec<u32>>,
}

impl SourceRow {
    /// Returns the row of a text for a model without a bias over signs; [`super::ByT5::row_of`] makes the row for any
    /// model.
    pub fn of_text(text: &str) -> Self {
        Self { ids: bytes::encode(text), points: None }
    }

    /// Returns the number of every token's point.
    pub fn points(&self) -> &[u32] {
        self.points.as_deref().unwrap_or(&self.ids)
    }

    /// Checks that the row can be read.
    pub(super) fn check(&self, config: &ByT5Config, points: Option<usize>) -> Result<(), ByT5Error> {
        let Self { ids, .. } = self;
        let own = self.points();
        let problem = if ids.is_empty() {
            "it is empty".to_string()
        } else if ids.len() > LONGEST_ROW {
            format!(
                "it has {} bytes, more than {LONGEST_ROW}; put line ends into it, or spaces between its words",
                ids.len()
            )
        } else if let Some(id) = ids.iter().find(|id| **id as usize >= config.vocab_size) {
            format!("token {id} lies outside the vocabulary of {}", config.vocab_size)
        } else if own.len() != ids.len() {
            format!("it has {} tokens, but points for {}", ids.len(), own.len())
        } else if let Some(points) = points
            && config.geometry_level == GeometryLevel::Sign
            && self.points.is_none()
        {
            format!("the model's {points} points are those of signs; the row must say which byte belongs to which sign")
        } else if let Some(points) = points
            && let Some(point) = own.iter().find(|point| **point as usize >= points)
        {
            format!("point {point} lies outside the {points} of the model")
        } else {
            return Ok(());
        };
        Err(ByT5Error::Row(problem))
    }
}
