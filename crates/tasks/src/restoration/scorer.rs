//! Interface between the search and a model.

use tuppum_text::tokens::TokenId;

/// A row to score: tokens with masks in place, and the places whose logits are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Tokens, `<bos>` first, at most the window's length.
    pub ids: Vec<TokenId>,
    /// Places in `ids`, in rising order.
    pub places: Vec<usize>,
}

/// Logits over the whole vocabulary for each wanted place of a row, in order.
pub type Logits = Vec<Vec<f32>>;

/// A model that scores masked rows.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Scorer {
    /// Reason why scoring stopped: cancelled, device lost.
    type Error;

    /// Returns the logits for each row, in order. Rows may differ in length; the scorer pads and batches as it sees
    /// fit, yields between layers, and stops when the job is cancelled.
    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error>;

    /// Number of rows to request in one call, even if some may prove needless. A GPU computes a handful in the time of
    /// one, a processor does not.
    fn rows_at_once(&self) -> usize {
        usize::MAX
    }

    /// Returns the probability that a word begins at a place of a row, where the signs beside it alone make it `prior`.
    fn word_start(&mut self, row: &Row, place: usize, prior: f32) -> f32 {
        let _ = (row, place);
        prior
    }
}

impl<S: Scorer> Scorer for &mut S {
    type Error = S::Error;

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
        (**self).score(rows).await
    }

    fn word_start(&mut self, row: &Row, place: usize, prior: f32) -> f32 {
        (**self).word_start(row, place, prior)
    }

    fn rows_at_once(&self) -> usize {
        (**self).rows_at_once()
    }
}
