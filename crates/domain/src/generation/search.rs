//! Interface of every search for an output, and the tree of tokens in which its paths share their beginnings.

use super::next_byte::NextByteScores;
use super::output::Output;
use tuppum_text::bytes;
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

/// A token, linked to the one before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    before: Option<usize>,
    token: TokenId,
    log_probability: f32,
    /// Index of its stored attention.
    attention: Option<usize>,
}

/// All paths of a search.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    nodes: Vec<Node>,
    attention: Vec<Vec<f32>>,
}

impl Paths {
    /// Stores the attention of a row and returns its index; `None` if the row has none.
    pub fn keep_attention(&mut self, scores: &NextByteScores, row: usize) -> Option<usize> {
        let attention = scores.attention(row);
        if attention.is_empty() {
            return None;
        }
        self.attention.push(attention.to_vec());
        Some(self.attention.len() - 1)
    }

    /// Appends a token to a path (to the empty one for `None`) and returns the new path's end.
    pub fn append(
        &mut self,
        before: Option<usize>,
        token: TokenId,
        log_probability: f32,
        attention: Option<usize>,
    ) -> usize {
        self.nodes.push(Node { before, token, log_probability, attention });
        self.nodes.len() - 1
    }

    fn nodes_to(&self, end: Option<usize>) -> Vec<&Node> {
        let mut found = Vec::new();
        let mut at = end;
        while let Some(node) = at.and_then(|number| self.nodes.get(number)) {
            found.push(node);
            at = node.before;
        }
        found.reverse();
        found
    }

    /// Returns the tokens of a path.
    pub fn tokens(&self, end: Option<usize>) -> Vec<TokenId> {
        self.nodes_to(end).into_iter().map(|node| node.token).collect()
    }

    /// Returns a path as an output.
    pub fn output(&self, end: Option<usize>, score: f32) -> Output {
        let nodes = self.nodes_to(end);
        let tokens: Vec<TokenId> = nodes.iter().map(|node| node.token).collect();
        let attention = nodes.iter().filter_map(|node| self.attention.get(node.attention?)).cloned().collect();
        Output {
            text: bytes::decode(&tokens),
            log_probabilities: nodes.iter().map(|node| node.log_probability).collect(),
            tokens,
            score,
            attention,
        }
    }
}
