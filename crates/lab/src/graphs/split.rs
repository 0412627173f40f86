//! Splits of a graph: links, or the kinds of nodes, that are held out.

use super::node_graph::NodeGraph;
use std::collections::BTreeSet;
use tuppum_geometry::Random;

/// Shares of the links held out to stop by, and to report, as in Chami et al.
const LINKS: [f64; 2] = [0.05, 0.10];
/// Number of nodes to stop by, in the usual split of Planetoid's graphs.
const PLANETOID_VALIDATION: usize = 500;

/// Links in three parts, the last two with as many pairs without a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSplit {
    /// Links to learn from, over which the network also gathers neighbours.
    pub train: Vec<[usize; 2]>,
    /// Links to stop by, and pairs without a link.
    pub valid: [Vec<[usize; 2]>; 2],
    /// Links to report, and pairs without a link.
    pub test: [Vec<[usize; 2]>; 2],
}

/// Nodes in three parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSplit {
    /// Nodes whose kinds are learnt.
    pub train: Vec<usize>,
    /// Nodes to stop by.
    pub valid: Vec<usize>,
    /// Nodes to report.
    pub test: Vec<usize>,
}

/// Draws pairs of nodes without a link.
pub struct NoLinks {
    linked: BTreeSet<[usize; 2]>,
    nodes: usize,
    random: Random,
}

impl NoLinks {
    /// Prepares to draw pairs without a link, by a seed.
    pub fn new(graph: &NodeGraph, seed: u64) -> Self {
        let linked = graph.edges.iter().map(|[one, other]| [*one.min(other), *one.max(other)]).collect();
        Self { linked, nodes: graph.nodes(), random: Random::new(seed) }
    }

    /// Draws this many pairs of different nodes without a link, drawing again where there is a link; fewer if the graph
    /// has hardly any such pairs.
    pub fn draw(&mut self, count: usize) -> Vec<[usize; 2]> {
        let mut drawn = Vec::with_capacity(count);
        for _ in 0..if self.nodes < 2 { 0 } else { 100 * count } {
            if drawn.len() == count {
                break;
            }
            let [one, other] = [0, 0].map(|_: usize| self.random.below(self.nodes));
            let pair = [one.min(other), one.max(other)];
            if one != other && !self.linked.contains(&pair) {
                drawn.push(pair);
            }
        }
        drawn
    }
}

impl LinkSplit {
    /// Returns the split of a seed.
    pub fn of(graph: &NodeGraph, seed: u64) -> Self {
        let mut links = graph.edges.clone();
        Random::new(seed).shuffle(&mut links);
        let [valid, test] = LINKS.map(|share| (share * links.len() as f64) as usize);
        let test = links.split_off(links.len() - test);
        let valid = links.split_off(links.len() - valid);
        let mut none = NoLinks::new(graph, seed ^ 0x0FF);
        let [no_valid, no_test] = [valid.len(), test.len()].map(|count| none.draw(count));
        Self { train: links, valid: [valid, no_valid], test: [test, no_test] }
    }
}

impl NodeSplit {
    /// Shares to learn from and to stop by; the rest is reported.
    pub fn of_shares(nodes: usize, [train, valid]: [f64; 2], seed: u64) -> Self {
        let mut all: Vec<usize> = (0..nodes).collect();
        Random::new(seed).shuffle(&mut all);
        let test = all.split_off((nodes as f64 * (train + valid)) as usize);
        let valid = all.split_off((nodes as f64 * train) as usize);
        Self { train: all, valid, test }
    }

    /// Returns the usual split of Planetoid's graphs: the first twenty nodes of each kind, the 500 after them, and a
    /// list of nodes to report.
    pub fn planetoid(kinds: usize, test: Vec<usize>) -> Self {
        let first = 20 * kinds;
        Self { train: (0..first).collect(), valid: (first..first + PLANETOID_VALIDATION).collect(), test }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(nodes: usize) -> NodeGraph {
        let edges = (0..nodes).map(|node| [node, (node + 1) % nodes]).collect();
        NodeGraph { edges, kinds: vec![0; nodes], ..NodeGraph::default() }
    }

    #[test]
    fn links_are_held_out_with_as_many_that_are_none() {
        let graph = circle(200);
        let split = LinkSplit::of(&graph, 1);
        assert_eq!([split.train.len(), split.valid[0].len(), split.test[0].len()], [170, 10, 20]);
        assert_eq!([split.valid[1].len(), split.test[1].len()], [10, 20]);
        let all: BTreeSet<[usize; 2]> =
            [&split.train, &split.valid[0], &split.test[0]].into_iter().flatten().copied().collect();
        assert_eq!(all, graph.edges.iter().copied().collect());
        for [one, other] in split.valid[1].iter().chain(&split.test[1]) {
            assert!(one < other && !all.contains(&[*one, *other]) && !all.contains(&[*other, *one]));
        }
        assert_eq!(split, LinkSplit::of(&graph, 1));
        assert_ne!(split.test, LinkSplit::of(&graph, 2).test);
    }

    #[test]
    fn a_graph_without_gaps_has_nothing_to_draw() {
        assert!(NoLinks::new(&circle(3), 1).draw(4).is_empty());
        assert!(NoLinks::new(&NodeGraph::default(), 1).draw(4).is_empty());
    }

    #[test]
    fn every_node_is_in_one_part() {
        let NodeSplit { train, valid, test } = NodeSplit::of_shares(100, [0.3, 0.1], 1);
        assert_eq!([train.len(), valid.len(), test.len()], [30, 10, 60]);
        let all: BTreeSet<usize> = train.into_iter().chain(valid).chain(test).collect();
        assert_eq!(all.len(), 100);
        let usual = NodeSplit::planetoid(7, vec![1_708]);
        assert_eq!((usual.train.len(), usual.valid[0], usual.valid.len(), usual.test), (140, 140, 500, vec![1_708]));
    }
}
