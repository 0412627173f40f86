//! Interface of every search for an output.

use super::next_byte::NextByteScores;
use super::output::Output;
use tuppum_text::tokens::TokenId;

/// A search for one source. All searches of one run have equally many rows in each step.
pub(super) trait Search {
    /// Takes the scores of its rows, which begin at row `first`, and returns the rows of the next step: the own row
    /// that each continues, and the token. Returns none when the search has ended.
    fn advance(&mut self, scores: &NextByteScores, first: usize) -> Vec<(usize, TokenId)>;

    /// Returns the tokens of the best beginning.
    fn partial(&self) -> Vec<TokenId>;

    /// Returns the outputs, best first, once the search has ended.
    fn outputs(&self) -> Vec<Output>;
}
