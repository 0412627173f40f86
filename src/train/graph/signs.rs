//! The tree of the script as a knowledge graph: which readings a sign has, which words a reading writes.
//!
//! The edges are those before the cut: a word hangs under all its readings. Some are held out, by chance and seed, but only where
//! both ends keep another edge: what stands on no edge at all can be learnt from nothing.

use super::triples::{Graph, Triple};
use crate::geometry::Random;
use crate::train::hierarchy::graph::Graph as Edges;
use crate::train::hierarchy::{Hierarchy, Kind};

/// One edge of so many is held out for choosing, and as many for reporting.
const HELD_OUT: usize = 20;

/// The sign has the reading.
pub const READS: &str = "has the reading";
/// The reading stands in the word.
pub const WRITES: &str = "stands in the word";

/// The graph of a tree's signs, readings and words.
///
/// # Errors
/// When a part of it is empty: the tree is too small.
pub fn of(tree: &Hierarchy, seed: u64) -> Result<Graph, String> {
    let edges = Edges::of(tree);
    let nodes = tree.nodes();
    let wanted = [Kind::Sign, Kind::Reading, Kind::Word];
    let mut numbers = vec![None; nodes.len()];
    let mut graph = Graph { relations: vec![READS.into(), WRITES.into()], ..Graph::default() };
    for (node, number) in nodes.iter().zip(&mut numbers).filter(|(node, _)| wanted.contains(&node.kind)) {
        *number = Some(graph.entities.len() as u32);
        graph.entities.push(format!("{} {}", node.kind.name(), node.label));
    }
    let number = |node: usize| numbers.get(node).copied().flatten();
    let mut triples = Vec::new();
    for (node, tail) in numbers.iter().enumerate().filter_map(|(node, number)| Some((node, (*number)?))) {
        for head in edges.parents(node).iter().filter_map(|parent| number(*parent)) {
            let relation = u32::from(nodes[node].kind == Kind::Word);
            triples.push(Triple { head, relation, tail });
        }
    }
    hold_out(&mut graph, triples, seed);
    graph.check()?;
    Ok(graph)
}

/// Shares the triples out.
fn hold_out(graph: &mut Graph, mut triples: Vec<Triple>, seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..triples.len()).rev() {
        triples.swap(last, random.below(last + 1));
    }
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
mod tests {
    use super::*;
    use crate::train::hierarchy::Node;
    use std::collections::BTreeSet;

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
    fn a_tree_without_edges_is_refused() {
        let root = Hierarchy::new(tree().nodes()[..1].to_vec());
        assert!(of(&root, 1).is_err_and(|error| error.contains("the graph is empty")));
    }
}
