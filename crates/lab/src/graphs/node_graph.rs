//! A graph whose nodes have features and kinds.

use thiserror::Error;

/// A graph whose nodes have features and kinds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeGraph {
    /// Each edge once, as the numbers of its ends.
    pub edges: Vec<[usize; 2]>,
    /// Features, node by node: `nodes × width`.
    pub features: Vec<f32>,
    /// Features of a node.
    pub width: usize,
    /// The kind of each node, from 0.
    pub kinds: Vec<usize>,
}

/// Reason why tables make no graph.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NodeGraphError {
    /// There is no node.
    #[error("the graph is empty: no node has a kind")]
    Empty,
    /// A row is not of numbers.
    #[error("line {line} of {table} should hold {expected}, divided by tabs, but is “{found}”")]
    Row {
        /// Name of the table.
        table: &'static str,
        /// The line, from 1.
        line: usize,
        /// Content that the row should hold.
        expected: &'static str,
        /// Content that the row holds.
        found: String,
    },
    /// A row names a missing node.
    #[error("line {line} of {table} names node {node}, but the {nodes} nodes are counted from 0")]
    Outside {
        /// Name of the table.
        table: &'static str,
        /// The line, from 1.
        line: usize,
        /// The node.
        node: usize,
        /// Number of nodes.
        nodes: usize,
    },
}

impl NodeGraph {
    /// Returns the graph of three tables, each with a heading: `head, tail` of every edge; `node, label`; `node,
    /// feature, value`, values of 0 left out.
    ///
    /// # Errors
    /// [`NodeGraphError`] names table and line.
    pub fn parse(edges: &str, labels: &str, features: &str) -> Result<Self, NodeGraphError> {
        let labels = rows::<2>(labels, "labels", "a node and its label")?;
        let mut kinds = vec![0; labels.len()];
        for (line, [node, kind]) in &labels {
            *within(&mut kinds, *node as usize, "labels", *line)? = *kind as usize;
        }
        if kinds.is_empty() {
            return Err(NodeGraphError::Empty);
        }
        let features = rows::<3>(features, "features", "a node, a feature and its value")?;
        let width = features.iter().map(|(_, [_, feature, _])| *feature as usize + 1).max().unwrap_or(0);
        let mut graph = Self { edges: Vec::new(), features: vec![0.0; kinds.len() * width], width, kinds };
        for (line, [node, feature, value]) in features {
            within(&mut graph.kinds, node as usize, "features", line)?;
            graph.features[node as usize * width + feature as usize] = value as f32;
        }
        for (line, ends) in rows::<2>(edges, "edges", "the two nodes of an edge")? {
            let ends = ends.map(|end| end as usize);
            for end in ends {
                within(&mut graph.kinds, end, "edges", line)?;
            }
            graph.edges.push(ends);
        }
        Ok(graph)
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the number of kinds.
    pub fn kinds(&self) -> usize {
        self.kinds.iter().max().map_or(0, |most| most + 1)
    }

    /// Divides every node's features by the sum of their absolute values; nodes without any stay as they are.
    #[must_use]
    pub fn with_shares(mut self) -> Self {
        for row in self.features.chunks_exact_mut(self.width.max(1)) {
            let sum: f32 = row.iter().map(|value| value.abs()).sum();
            if sum > 0.0 {
                row.iter_mut().for_each(|value| *value /= sum);
            }
        }
        self
    }
}

/// Returns the rows below the heading with their lines, as numbers that are not negative.
fn rows<const N: usize>(
    text: &str,
    table: &'static str,
    expected: &'static str,
) -> Result<Vec<(usize, [f64; N])>, NodeGraphError> {
    let row = |(number, row): (usize, &str)| {
        let line = number + 1;
        let wrong = || NodeGraphError::Row { table, line, expected, found: row.to_owned() };
        let mut cells = row.split('\t').map(|cell| cell.trim().parse::<f64>().ok());
        let mut numbers = [0.0; N];
        for (place, slot) in numbers.iter_mut().enumerate() {
            *slot = cells.next().flatten().ok_or_else(wrong)?;
            // The last of three is a value and may be anything; everything else counts from 0.
            if place < 2 && !(*slot >= 0.0 && slot.fract() == 0.0 && *slot < f64::from(u32::MAX)) {
                return Err(wrong());
            }
        }
        if cells.next().is_some() { Err(wrong()) } else { Ok((line, numbers)) }
    };
    text.lines().enumerate().skip(1).filter(|(_, row)| !row.is_empty()).map(row).collect()
}

/// Returns the slot of a node.
fn within<'k>(
    kinds: &'k mut [usize],
    node: usize,
    table: &'static str,
    line: usize,
) -> Result<&'k mut usize, NodeGraphError> {
    let nodes = kinds.len();
    kinds.get_mut(node).ok_or(NodeGraphError::Outside { table, line, node, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: &str = "node\tlabel\n0\t1\n1\t0\n2\t1\n";
    const FEATURES: &str = "node\tfeature\tvalue\n0\t0\t2\n0\t2\t-2\n2\t1\t0.5\n";

    #[test]
    fn three_tables_are_a_graph() {
        let graph = NodeGraph::parse("head\ttail\n0\t2\n1\t2\n", LABELS, FEATURES).unwrap();
        assert_eq!((graph.nodes(), graph.kinds(), graph.width), (3, 2, 3));
        assert_eq!(graph.edges, [[0, 2], [1, 2]]);
        assert_eq!(graph.kinds, [1, 0, 1]);
        assert_eq!(graph.features, [2.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0]);
        assert_eq!(graph.with_shares().features, [0.5, 0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let parse = |edges: &str, labels: &str| NodeGraph::parse(edges, labels, FEATURES).unwrap_err().to_string();
        assert!(parse("head\ttail\n0\t3\n", LABELS).contains("line 2 of edges names node 3"));
        assert!(parse("head\ttail\n0\n", LABELS).contains("line 2 of edges should hold the two nodes of an edge"));
        assert!(parse("head\ttail\n0\t1\t2\n", LABELS).contains("“0\t1\t2”"));
        assert!(parse("head\ttail\n", "node\tlabel\n0\t-1\n").contains("line 2 of labels"));
        assert!(parse("head\ttail\n", "node\tlabel\n").contains("empty"));
    }
}
