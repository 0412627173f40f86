//! Dependency trees that a probe found in an encoder's states, beside the trees of a treebank's editors: written by
//! `tuppum-lab hybonet probe`, drawn by the lesson.

use serde::{Deserialize, Serialize};

/// Sentences that the probe did not learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedTrees {
    /// Probed layers; 0 stands for the embeddings.
    pub layers: Vec<usize>,
    /// Percentage of links that the probe finds in all held-out sentences, by layer.
    pub found: Vec<f64>,
    /// Percentage of links found if every word is linked to the next.
    pub neighbours: f64,
    pub sentences: Vec<ProbedSentence>,
}

/// A sentence with its trees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedSentence {
    /// Text that contains the sentence.
    pub text: String,
    /// Words in transliteration.
    pub words: Vec<String>,
    /// Tree of the editors.
    pub tree: WordTree,
    /// Trees of the probe, by layer.
    pub found: Vec<WordTree>,
}

/// A tree over words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordTree {
    /// Links as indices of words, the lower first.
    pub links: Vec<[usize; 2]>,
    /// Index of the root.
    pub root: usize,
}

impl WordTree {
    /// Links every one of `words` words to the next.
    pub fn of_neighbours(words: usize) -> Self {
        Self { links: (1..words).map(|word| [word - 1, word]).collect(), root: 0 }
    }
}
