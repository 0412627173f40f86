//! The tree of the script as a knowledge graph: readings of signs, and words with a reading.
//!
//! The edges are taken before the tree is cut to one parent: a word has an edge to every reading in it. Some edges are
//! held out, by chance and seed, but only if both ends keep another edge: nothing can be learnt of a node without
//! edges.

use super::triples::{GraphError, KnowledgeGraph, Triple};
use std::collections::BTreeSet;
use tuppum_corpus::hierarchy::graph::Graph;
use tuppum_corpus::hierarchy::{Hierarchy, Kind, Node};
use tuppum_geometry::Random;

/// One edge in this many is held out for choosing settings, and as many for reporting.
const HELD_OUT: usize = 20;

/// Kinds of nodes that are entities.
pub const KINDS: [Kind; 3] = [Kind::Sign, Kind::Reading, Kind::Word];
/// Number of the relation from a sign to a reading.
pub const READ: u32 = 0;
/// Number of the relation from a reading to a word.
pub const WRITE: u32 = 1;
/// Name of the relation from a sign to a reading.
pub const READS: &str = "has the reading";
/// Name of the relation from a reading to a word.
pub const WRITES: &str = "stands in the word";

/// Returns the graph of a tree's signs, readings and words.
///
/// # Errors
/// A part of the graph is empty: the tree is too small.
pub fn of(tree: &Hierarchy, seed: u64) -> Result<KnowledgeGraph, GraphError> {
    let edges = Graph::of(tree);
    let nodes = tree.nodes();
    let mut numbers = vec![None; nodes.len()];
    let mut graph = KnowledgeGraph { relations: vec![READS.into(), WRITES.into()], ..KnowledgeGraph::default() };
    for (node, number) in nodes.iter().zip(&mut numbers).filter(|(node, _)| KINDS.contains(&node.kind)) {
        *number = Some(graph.entities.len() as u32);
        graph.entities.push(format!("{} {}", node.kind.name(), node.label));
    }
    let number = |node: usize| numbers.get(node).copied().flatten();
    let mut triples = Vec::new();
    for (node, tail) in numbers.iter().enumerate().filter_map(|(node, number)| Some((node, (*number)?))) {
        for head in edges.parents(node).iter().filter_map(|parent| number(*parent)) {
            let relation = if nodes[node].kind == Kind::Word { WRITE } else { READ };
            triples.push(Triple { head, relation, tail });
        }
    }
    hold_out(&mut graph, triples, seed);
    graph.check()?;
    Ok(graph)
}

/// Returns the tree cut to the commonest words and everything above them, with all signs and readings.
pub fn of_commonest_words(tree: &Hierarchy, words: usize) -> Hierarchy {
    let mut all: Vec<usize> = tree.of_kind(Kind::Word).collect();
    all.sort_by_key(|node| (std::cmp::Reverse(tree.nodes()[*node].count), *node));
    let wanted: BTreeSet<usize> = all.into_iter().take(words).collect();
    let stays = |number: usize, node: &Node| match node.kind {
        Kind::Root | Kind::Sign | Kind::Reading => true,
        Kind::Word => wanted.contains(&number),
        Kind::Phrase => false,
    };
    let mut places = vec![0; tree.nodes().len()];
    let mut nodes = Vec::new();
    for (number, node) in tree.nodes().iter().enumerate().filter(|(number, node)| stays(*number, node)) {
        places[number] = nodes.len();
        nodes.push(Node { parent: places[node.parent], ..node.clone() });
    }
    Hierarchy::new(nodes)
}

/// Divides the triples among the parts of the graph.
fn hold_out(graph: &mut KnowledgeGraph, mut triples: Vec<Triple>, seed: u64) {
    let mut random = Random::new(seed);
    random.shuffle(&mut triples);
    let mut kept = vec![0usize; graph.entities.len()];
    for triple in &triples {
        kept[triple.head as usize] += 1;
        kept[triple.tail as usize] += 1;
    }
    let wanted = triples.len() / HELD_OUT;
    for triple in triples {
        let (head, tail) = (triple.head as usize, triple.tail as usize);
        let spare = kept[head] > 1 && kept[tail] > 1;
        let part = match (spare, graph.valid.len() < wanted, graph.test.len() < wanted) {
            (true, true, _) => &mut graph.valid,
            (true, false, true) => &mut graph.test,
            _ => {
                graph.train.push(triple);
                continue;
            }
        };
        part.push(triple);
        (kept[head], kept[tail]) = (kept[head] - 1, kept[tail] - 1);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Signs A to E with two readings each, and words of neighbouring readings.
    pub fn tree() -> Hierarchy {
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
    fn every_edge_is_in_one_part_and_no_end_is_left_bare() {
        let graph = of(&tree(), 3).unwrap();
        // 10 signs to readings; 30 words under their first reading, 20 under a second that there is.
        assert_eq!((graph.train.len() + graph.valid.len() + graph.test.len(), graph.entities.len()), (60, 45));
        assert_eq!((graph.valid.len(), graph.test.len()), (3, 3));
        let all: BTreeSet<Triple> = [&graph.train, &graph.valid, &graph.test].into_iter().flatten().copied().collect();
        assert_eq!(all.len(), 60);
        let standing: BTreeSet<u32> = graph.train.iter().flat_map(|triple| [triple.head, triple.tail]).collect();
        assert_eq!(standing.len(), 45);
        assert_eq!(of(&tree(), 3), Ok(graph.clone()));
        assert_ne!(of(&tree(), 4).unwrap().test, graph.test);
        let sign = graph.train.iter().find(|triple| triple.relation == 0).unwrap();
        assert!(graph.entities[sign.head as usize].starts_with("sign "));
    }

    #[test]
    fn the_commonest_words_keep_their_places() {
        let words: Vec<usize> = tree().of_kind(Kind::Word).collect();
        let mut nodes = tree().nodes().to_vec();
        nodes[words[4]].count = 9;
        let whole = Hierarchy::new(nodes);
        let cut = of_commonest_words(&whole, 1);
        let left: Vec<&Node> = cut.nodes().iter().filter(|node| node.kind == Kind::Word).collect();
        assert_eq!((left.len(), left[0].label.as_str()), (1, whole.nodes()[words[4]].label.as_str()));
        assert_eq!(cut.nodes()[left[0].parent].label, whole.nodes()[whole.nodes()[words[4]].parent].label);
        assert_eq!(of_commonest_words(&whole, usize::MAX), whole);
    }

    #[test]
    fn a_tree_without_edges_is_refused() {
        let root = Hierarchy::new(tree().nodes()[..1].to_vec());
        assert!(of(&root, 1).is_err_and(|error| error.to_string().contains("the graph is empty")));
    }
}
