//! The tree of a sentence as a probe sees it, and agreement of found distances and depths with trees: UUAS, Root %,
//! Dspr. and Nspr., as Hewitt and Manning (2019) define them.

use std::collections::BTreeMap;
use tuppum_corpus::treebank::Sentence;
use tuppum_geometry::ranking::rank_correlation;

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

/// Lengths of sentences that the correlations are taken over.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=50;

/// Distances and depths that a probe found in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbedDistances {
    /// Between every two words, `words × words`; any scale.
    pub distances: Vec<f64>,
    /// Depth of each word, in any scale.
    pub depths: Vec<f64>,
}

/// The four figures, in percent; not a number if nothing was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeScores {
    /// Undirected attachment: edges of the trees that are in the minimum spanning trees of the found distances.
    pub uuas: f64,
    /// Sentences whose root is the word of least depth.
    pub root: f64,
    /// Rank correlation of distances: over each word's row (itself with it, as in their program), the mean over the
    /// sentences of a length, then over the lengths 5 to 50.
    pub dspr: f64,
    /// Rank correlation of depths, the same way.
    pub nspr: f64,
}

impl ProbeScores {
    /// Returns the figures of some sentences.
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a DependencyTree, ProbedDistances)>) -> Self {
        let [mut edges, mut hit, mut roots, mut right] = [0_u32; 4];
        let (mut by_distance, mut by_depth) = (ByLength::default(), ByLength::default());
        for (tree, found) in pairs {
            let count = tree.len();
            let spanning = spanning_tree(&found.distances, count);
            for edge in tree.edges() {
                edges += 1;
                hit += u32::from(spanning.contains(&edge));
            }
            if let Some(root) = tree.root() {
                let least = (0..count).min_by(|one, other| found.depths[*one].total_cmp(&found.depths[*other]));
                roots += 1;
                right += u32::from(least == Some(root));
            }
            if LENGTHS.contains(&count) {
                for (row, own) in tree.distances.chunks_exact(count).zip(found.distances.chunks_exact(count)) {
                    by_distance.add(count, rank_correlation(row, own));
                }
                by_depth.add(count, rank_correlation(&tree.depths, &found.depths));
            }
        }
        let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole);
        Self {
            uuas: percent(hit, edges),
            root: percent(right, roots),
            dspr: 100.0 * by_distance.mean(),
            nspr: 100.0 * by_depth.mean(),
        }
    }

    /// Returns the figures as a row: UUAS, Root %, Dspr., Nspr.
    pub fn row(&self) -> [f64; 4] {
        [self.uuas, self.root, self.dspr, self.nspr]
    }
}

/// Sums and counts by the length of the sentence.
#[derive(Default)]
struct ByLength(BTreeMap<usize, [f64; 2]>);

impl ByLength {
    fn add(&mut self, length: usize, value: f64) {
        let [sum, count] = self.0.entry(length).or_default();
        (*sum, *count) = (*sum + value, *count + 1.0);
    }

    fn mean(&self) -> f64 {
        self.0.values().map(|[sum, count]| sum / count).sum::<f64>() / self.0.len() as f64
    }
}

/// Returns the edges of a minimum spanning tree (Prim, 1957), the lower number first; of equal distances the first is
/// taken.
pub fn spanning_tree(distances: &[f64], count: usize) -> Vec<[usize; 2]> {
    let mut edges = Vec::new();
    // For each word that is not yet in the tree its nearest word there.
    let mut nearest = vec![Some(0); count];
    if let Some(first) = nearest.first_mut() {
        *first = None;
    }
    let far = |from: usize, to: usize| distances[from * count + to];
    while let Some((word, link)) = nearest
        .iter()
        .enumerate()
        .filter_map(|(word, link)| Some((word, (*link)?)))
        .min_by(|one, other| far(one.1, one.0).total_cmp(&far(other.1, other.0)))
    {
        edges.push([word.min(link), word.max(link)]);
        nearest[word] = None;
        for (other, link) in nearest.iter_mut().enumerate() {
            if link.is_some_and(|link| far(word, other) < far(link, other)) {
                *link = Some(word);
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::treebank::{Sentence, TreebankWord};

    /// Returns a tree by its heads, over all words.
    pub fn tree(heads: &[Option<usize>]) -> DependencyTree {
        let word = |head: &Option<usize>| TreebankWord {
            form: String::new(),
            spelling: None,
            head: *head,
            part_of_speech: String::new(),
        };
        let sentence = Sentence { words: heads.iter().map(word).collect(), ..Sentence::default() };
        DependencyTree::of(&sentence, &(0..heads.len()).collect::<Vec<_>>())
    }

    fn by_place(count: usize) -> ProbedDistances {
        let far = |at: usize| (at / count).abs_diff(at % count) as f64;
        ProbedDistances {
            distances: (0..count * count).map(far).collect(),
            depths: (0..count).map(|place| place as f64).collect(),
        }
    }

    #[test]
    fn perfect_distances_and_depths_give_everything() {
        let trees = [tree(&[None, Some(0), Some(0), Some(1), Some(1)]), tree(&[Some(1), None, Some(1)])];
        let perfect =
            |tree: &DependencyTree| ProbedDistances { distances: tree.distances.clone(), depths: tree.depths.clone() };
        let row = ProbeScores::of(trees.iter().map(|tree| (tree, perfect(tree)))).row();
        // Correlations are rounded sums.
        assert!(row.iter().all(|one| (one - 100.0).abs() < 1e-9), "{row:?}");
    }

    #[test]
    fn a_chain_is_wrong_where_the_tree_branches() {
        // 0 ← 1, 0 ← 2, 0 ← 3, 0 ← 4: the chain has one of the four edges, and the root first.
        let star = tree(&[None, Some(0), Some(0), Some(0), Some(0)]);
        let scores = ProbeScores::of([(&star, by_place(5))]);
        assert_eq!((scores.uuas, scores.root), (25.0, 100.0));
        // Depths 0 1 1 1 1 against 0 1 2 3 4: ranks 1 and 3.5 four times, so the correlation is 1 / √2.
        assert!((scores.nspr - 100.0 / 2.0_f64.sqrt()).abs() < 1e-9, "{}", scores.nspr);
        let turned = tree(&[Some(4), Some(4), Some(4), Some(4), None]);
        let scores = ProbeScores::of([(&turned, by_place(5))]);
        assert_eq!((scores.uuas, scores.root), (25.0, 0.0));
        assert!((scores.nspr + 100.0 / 2.0_f64.sqrt()).abs() < 1e-9, "{}", scores.nspr);
    }

    #[test]
    fn correlations_are_means_over_lengths_of_means_over_sentences() {
        let chain = |count: usize| tree(&(0..count).map(|word: usize| word.checked_sub(1)).collect::<Vec<_>>());
        let (five, six) = (chain(5), chain(6));
        let mut wrong = by_place(5);
        wrong.depths.reverse();
        // Length 5: (1 + 1 − 1) / 3, length 6: 1; the two of four words do not count.
        let four = chain(4);
        let found =
            [(&five, by_place(5)), (&five, by_place(5)), (&five, wrong), (&six, by_place(6)), (&four, by_place(4))];
        let scores = ProbeScores::of(found);
        assert!((scores.nspr - 100.0 * (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-9, "{}", scores.nspr);
        assert!((scores.dspr - 100.0).abs() < 1e-9);
        assert_eq!(scores.root, 80.0);
    }

    #[test]
    fn words_without_states_leave_distances_as_they_are() {
        // 0 ← 1 ← 2, and 1 is not there: no edge is left, and no root if 0 is missing too.
        let word = |head| TreebankWord { form: String::new(), spelling: None, head, part_of_speech: String::new() };
        let sentence = Sentence { words: vec![word(None), word(Some(0)), word(Some(1))], ..Sentence::default() };
        let tree = DependencyTree::of(&sentence, &[0, 2]);
        assert_eq!(
            (tree.distances.as_slice(), tree.edges().len(), tree.root()),
            (&[0.0, 2.0, 2.0, 0.0][..], 0, Some(0))
        );
        assert_eq!(DependencyTree::of(&sentence, &[1, 2]).root(), None);
        assert!(ProbeScores::of([]).uuas.is_nan());
    }
}
