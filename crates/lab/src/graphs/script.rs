//! Graphs of the script and of texts: signs, readings and words; the words of a treebank.
//!
//! The features of a node show only its label: the shares of its letters, and the share of capitals, as logograms and
//! signs have them.

use super::node_graph::NodeGraph;
use std::collections::{BTreeMap, BTreeSet};
use tuppum_corpus::hierarchy::Hierarchy;
use tuppum_corpus::hierarchy::graph::Graph;
use tuppum_corpus::treebank::Sentence;
use tuppum_hyperbolic::graph_training::signs::KINDS;

/// Signs, readings and words of a tree, linked where a sign has the reading and a reading stands in the word. Kinds are
/// those three; a node's features say which it is of, too.
pub fn of_tree(tree: &Hierarchy) -> NodeGraph {
    let (all, edges) = (tree.nodes(), Graph::of(tree));
    let kind_of = |number: usize| KINDS.iter().position(|kind| *kind == all[number].kind);
    let wanted: Vec<(usize, usize)> = (0..all.len()).filter_map(|number| Some((number, kind_of(number)?))).collect();
    let places: BTreeMap<usize, usize> =
        wanted.iter().enumerate().map(|(place, (number, _))| (*number, place)).collect();
    let labels: Vec<&str> = wanted.iter().map(|(number, _)| all[*number].label.as_str()).collect();
    let (spelt, letters) = spelt(&labels);
    let mut graph = NodeGraph { width: letters + KINDS.len(), ..NodeGraph::default() };
    for ((place, (number, kind)), spelt) in wanted.iter().enumerate().zip(spelt) {
        graph.kinds.push(*kind);
        graph.features.extend(spelt);
        graph.features.extend((0..KINDS.len()).map(|own| if own == *kind { 1.0 } else { 0.0 }));
        let above = edges.parents(*number).iter().filter_map(|parent| places.get(parent));
        graph.edges.extend(above.map(|parent| [*parent, place]));
    }
    graph
}

/// Returns the words of sentences, each linked to its head; kinds are parts of speech, in the order of their names.
pub fn of_treebank(sentences: &[Sentence]) -> NodeGraph {
    let words = || sentences.iter().flat_map(|sentence| &sentence.words);
    let names: BTreeSet<&str> = words().map(|word| word.part_of_speech.as_str()).collect();
    let labels: Vec<&str> = words().map(|word| word.spelling.as_deref().unwrap_or(&word.form)).collect();
    let (spelt, width) = spelt(&labels);
    let kind_of = |name: &str| names.iter().take_while(|own| **own < name).count();
    let mut graph = NodeGraph { width, features: spelt.concat(), ..NodeGraph::default() };
    for sentence in sentences {
        let first = graph.kinds.len();
        for (number, word) in sentence.words.iter().enumerate() {
            graph.kinds.push(kind_of(&word.part_of_speech));
            graph.edges.extend(word.head.map(|head| [first + head, first + number]));
        }
    }
    graph
}

/// Returns for each label the shares of its letters, whatever their case, and the share of capitals; and the number of
/// these features.
fn spelt(labels: &[&str]) -> (Vec<Vec<f32>>, usize) {
    let letters = |label: &str| -> Vec<char> {
        label.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    let alphabet: BTreeSet<char> = labels.iter().flat_map(|label| letters(label)).collect();
    let row = |label: &&str| {
        let own = letters(label);
        let share = |count: usize| count as f32 / own.len().max(1) as f32;
        let of_letters = alphabet.iter().map(|letter| share(own.iter().filter(|other| *other == letter).count()));
        let capitals = label.chars().filter(|letter| letter.is_uppercase()).count();
        of_letters.chain([share(capitals)]).collect()
    };
    (labels.iter().map(row).collect(), alphabet.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::hierarchy::{Kind, Node};
    use tuppum_corpus::treebank;

    /// Signs A to E with two readings each, and words of neighbouring readings.
    fn tree() -> Hierarchy {
        let mut nodes = Vec::new();
        let mut push = |parent: usize, kind: Kind, label: String| {
            nodes.push(Node { parent, kind, label, glyph: String::new(), count: 1 });
            nodes.len() - 1
        };
        let root = push(0, Kind::Root, "signs".into());
        for (consonant, next) in [("b", "d"), ("d", "g"), ("g", "k"), ("k", "l"), ("l", "b")] {
            let sign = push(root, Kind::Sign, consonant.to_uppercase());
            for vowel in ["a", "i"] {
                let reading = push(sign, Kind::Reading, format!("{consonant}{vowel}"));
                for other in ["a", "i", "u"] {
                    push(reading, Kind::Word, format!("{consonant}{vowel}-{next}{other}"));
                }
            }
        }
        Hierarchy::new(nodes)
    }

    #[test]
    fn the_tree_has_its_links_once_and_letters_of_its_labels() {
        let graph = of_tree(&tree());
        // 5 signs, 10 readings, 30 words; 10 readings under signs, 30 words under a first reading, 20 under a second.
        assert_eq!((graph.nodes(), graph.edges.len(), graph.kinds()), (45, 60, 3));
        // The letters a, b, d, g, i, k, l, u, the capitals, and the three kinds.
        assert_eq!((graph.width, graph.features.len()), (12, 540));
        // The first node is the sign B.
        let first = &graph.features[..12];
        assert_eq!(first, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
        for [above, below] in &graph.edges {
            assert_eq!(graph.kinds[*above] + 1, graph.kinds[*below]);
        }
    }

    #[test]
    fn words_hang_on_their_heads_within_their_sentences() {
        let text = "1\tšar\t_\tNOUN\t_\t_\t0\troot\t_\tMAN\n2\tmāt\t_\tNOUN\t_\t_\t1\tnmod\t_\tKUR\n\n\
                    1\tu\t_\tCCONJ\t_\t_\t2\tcc\t_\tu\n2\tana\t_\tADP\t_\t_\t0\troot\t_\ta-na\n";
        let graph = of_treebank(&treebank::parse(text).unwrap());
        assert_eq!(graph.edges, [[0, 1], [3, 2]]);
        // ADP, CCONJ, NOUN.
        assert_eq!(graph.kinds, [2, 2, 1, 0]);
        // a, k, m, n, r, u and the capitals.
        assert_eq!(graph.width, 7);
        assert_eq!(&graph.features[21..], [2.0 / 3.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 0.0, 0.0]);
    }
}
