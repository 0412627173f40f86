//! What every search for an output does, step by step.

use super::next_byte::NextByteScores;
use super::output::Output;
use tuppum_text::tokens::TokenId;

/// A search for one source. All searches of one run have equally many rows in each step.
pub(super) trait Search {
    /// Takes the scores of its rows, `first` being the number of the first, and names those of the next step: which of
    /// its own rows they continue, and with which token. None when it is over.
    fn advance(&mut self, scores: &NextByteScores, first: usize) -> Vec<(usize, TokenId)>;

    /// The tokens of the best beginning.
    fn partial(&self) -> Vec<TokenId>;

    /// What was found, best first, once it is over.
    fn outputs(&self) -> Vec<Output>;
}
