//! The tree of a sentence as a probe sees it.

use tuppum_corpus::treebank::Sentence;

/// A tree as a probe sees it: only the words that have states, with distances and depths in the whole tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DependencyTree {
    /// Edges between every two words, `words × words`.
    pub distances: Vec<f64>,
    /// Edges between each word and the root.
    pub depths: Vec<f64>,
}

impl DependencyTree {
    /// Returns the tree of a sentence over these of its words.
    pub fn of(sentence: &Sentence, words: &[usize]) -> Self {
        let (all, depths, count) = (sentence.distances(), sentence.depths(), sentence.words.len());
        let between = |one: &usize| words.iter().map(|other| all[one * count + other]).collect::<Vec<_>>();
        Self {
            distances: words.iter().flat_map(between).collect(),
            depths: words.iter().map(|word| depths[*word]).collect(),
        }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.depths.len()
    }

    /// Edges of the tree, the lower number first.
    pub fn edges(&self) -> Vec<[usize; 2]> {
        let count = self.len();
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
        pairs.filter(|[one, other]| self.distances[one * count + other] == 1.0).collect()
    }

    /// Returns the root, if it is among the words.
    pub fn root(&self) -> Option<usize> {
        self.depths.iter().position(|depth| *depth == 0.0)
    }
}
