//! The one thing that the search asks of a model.

use tuppum_text::tokens::TokenId;

/// A row to score: token numbers with masks in place, and the places whose logits are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Token numbers, `<bos>` first, at most the window's length.
    pub ids: Vec<TokenId>,
    /// Places in `ids`, rising.
    pub places: Vec<usize>,
}

/// For each wanted place of a row, in order, the logits over the whole vocabulary.
pub type Logits = Vec<Vec<f32>>;

/// A model that scores masked rows.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Scorer {
    /// Why scoring stopped: cancelled, device lost.
    type Error;

    /// Logits for each row, in order. Rows may differ in length; the scorer pads and batches as it sees fit, yields
    /// between layers, and stops when the job is cancelled.
    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error>;

    /// How many rows are better asked for in one call, even where some may prove needless. A GPU computes a handful in
    /// the time of one, a processor does not.
    fn rows_at_once(&self) -> usize {
        usize::MAX
    }

    /// The probability that a word begins at a place of a row, where the signs beside it alone make it `prior`.
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
