//! The directed acyclic graph from which the tree was cut, rebuilt from the labels: a word is a child of all its
//! readings, a phrase of all its words.

use super::builder::{commonest, place};
use super::{Hierarchy, Kind, readings};
use std::collections::{HashMap, HashSet, VecDeque};

/// Graph over the nodes of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Parents of each node, the tree's parent first; the root has none.
    parents: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
}

impl Graph {
    /// Builds the graph of a tree. If several signs write a reading, its node is the one with the highest count.
    pub fn of(tree: &Hierarchy) -> Self {
        let by_reading = commonest(tree.nodes());
        let by_word: HashMap<&str, usize> =
            tree.of_kind(Kind::Word).map(|word| (tree.nodes()[word].label.as_str(), word)).collect();
        let all_parents = |number: usize| {
            let node = &tree.nodes()[number];
            let more: Vec<usize> = match node.kind {
                Kind::Word => readings(&node.label)
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|reading| by_reading.get(reading).copied())
                    .collect(),
                Kind::Phrase => node.label.split(' ').filter_map(|word| by_word.get(word).copied()).collect(),
                Kind::Root | Kind::Sign | Kind::Reading => Vec::new(),
            };
            let mut seen = HashSet::new();
            let all = (number > 0).then_some(node.parent).into_iter().chain(more);
            all.filter(|parent| seen.insert(*parent)).collect()
        };
        let parents: Vec<Vec<usize>> = (0..tree.nodes().len()).map(all_parents).collect();
        let mut children = vec![Vec::new(); parents.len()];
        for (node, parents) in parents.iter().enumerate() {
            for parent in parents {
                children[*parent].push(node);
            }
        }
        Graph { parents, children }
    }

    /// Returns the parents of a node, the tree's parent first.
    pub fn parents(&self, node: usize) -> &[usize] {
        self.parents.get(node).map_or(&[], Vec::as_slice)
    }

    /// Returns the parents and children of a node.
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let children = self.children.get(node).map_or(&[][..], Vec::as_slice);
        self.parents(node).iter().chain(children).copied().collect()
    }

    /// Returns the number of edges from a node to every other one, up or down.
    pub fn edges_from(&self, node: usize) -> Vec<usize> {
        let mut edges = vec![usize::MAX; self.parents.len()];
        let mut waiting = VecDeque::from([node]);
        edges[node] = 0;
        while let Some(at) = waiting.pop_front() {
            for next in self.parents[at].iter().chain(&self.children[at]) {
                if edges[*next] == usize::MAX {
                    edges[*next] = edges[at] + 1;
                    waiting.push_back(*next);
                }
            }
        }
        edges
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        self.parents.iter().map(Vec::len).sum()
    }
}

/// Returns `true` if every word of the tree has the parent that the rule gives it; a broken file may differ.
pub fn follows_the_rule(tree: &Hierarchy) -> bool {
    let by_reading = commonest(tree.nodes());
    tree.of_kind(Kind::Word).all(|word| {
        let node = &tree.nodes()[word];
        readings(&node.label).and_then(|readings| place(&readings, &by_reading)) == Some(node.parent)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::builder::tests::small;

    #[test]
    fn words_have_all_their_readings() {
        let tree = small().hierarchy;
        let graph = Graph::of(&tree);
        let number = |label: &str| tree.nodes().iter().position(|node| node.label == label).unwrap();
        let labels = |word: &str| {
            let parents = graph.parents(number(word)).iter();
            parents.map(|parent| tree.nodes()[*parent].label.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(labels("a-na"), ["a", "na"]);
        assert_eq!(labels("a-a"), ["a"]);
        assert_eq!(labels("{d}UTU"), ["UTU", "{d}"]);
        assert_eq!(labels("a-na {d}UTU"), ["a-na", "{d}UTU"]);
        assert!(graph.parents(0).is_empty());
        // In the tree a-na and na are five edges apart, in the graph one; NA and the phrase three.
        let edges = graph.edges_from(number("na"));
        assert_eq!((edges[number("a-na")], edges[number("a-na {d}UTU")], edges[0]), (1, 2, 2));
        assert_eq!(graph.neighbours(number("a-na")).len(), 3);
        // 19 edges of the tree; a-na, {d}UTU, ta-a and the phrase have one more each.
        assert_eq!(graph.edges(), 23);
        assert!(follows_the_rule(&tree));
    }
}
