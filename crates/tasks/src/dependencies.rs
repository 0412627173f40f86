//! Dependency trees that a probe found in an encoder's states, beside those of a treebank's editors: what `tuppum
//! hybonet probe` writes and the lesson draws.

use serde::{Deserialize, Serialize};

/// Some sentences that the probe did not learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedTrees {
    /// The layers that were probed, 0 for the embeddings.
    pub layers: Vec<usize>,
    /// For each layer the share of links, in percent, that the probe finds in all sentences kept aside.
    pub found: Vec<f64>,
    /// The same share where every word is linked to the next.
    pub neighbours: f64,
    /// The sentences.
    pub sentences: Vec<ProbedSentence>,
}

/// A sentence with its trees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedSentence {
    /// The text that it stands in.
    pub text: String,
    /// Its words in transliteration.
    pub words: Vec<String>,
    /// The editors' tree.
    pub tree: WordTree,
    /// The probe's, by layer.
    pub found: Vec<WordTree>,
}

/// A tree over words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordTree {
    /// Links, as places of words, the lower first.
    pub links: Vec<[usize; 2]>,
    /// The place of its root.
    pub root: usize,
}

impl WordTree {
    /// Every word of so many linked to the next.
    pub fn of_neighbours(words: usize) -> Self {
        Self { links: (1..words).map(|word| [word - 1, word]).collect(), root: 0 }
    }
}
