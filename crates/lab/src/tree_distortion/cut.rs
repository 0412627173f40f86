//! Cost of cutting the graph to a tree: ways through the tree against shortest ways through the graph.

use std::fmt::Write;
use tuppum_cli::failure::Result;
use tuppum_corpus::hierarchy::graph::Graph;
use tuppum_corpus::hierarchy::{Hierarchy, Kind};
use tuppum_geometry::Random;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::ranking::mean_average_precision;
use tuppum_geometry::tree::Tree;

/// Number of nodes from which the ways to all others are compared.
const NODES: usize = 200;
const SEED: u64 = 7;

/// Returns the tables: nodes with several parents, then the cost of each rule of cutting.
///
/// # Errors
/// When the tree's parents are not in order.
pub fn tables(whole: &Hierarchy) -> Result<String> {
    let graph = Graph::of(whole);
    let mut text = String::from("### From the graph to the tree\n\n");
    text.push_str("| kind | nodes | with several parents | parents, mean | parents, most |\n|---|---|---|---|---|\n");
    for kind in Kind::ALL.into_iter().skip(1) {
        let parents: Vec<usize> = whole.of_kind(kind).map(|node| graph.parents(node).len()).collect();
        let (several, sum) = (parents.iter().filter(|parents| **parents > 1).count(), parents.iter().sum::<usize>());
        let (mean, most) = (sum as f64 / parents.len().max(1) as f64, parents.iter().max().unwrap_or(&0));
        let _ = writeln!(text, "| {} | {} | {several} | {mean:.2} | {most} |", kind.name(), parents.len());
    }
    let _ = writeln!(
        text,
        "\n{} edges in the graph, {} in the tree. Ways from {NODES} nodes (seed {SEED}) to all others:\n\n{HEADER}",
        graph.edges(),
        whole.nodes().len() - 1
    );
    let count = |parent: &&usize| whole.nodes()[**parent].count;
    text.push_str(&row("first, as shipped", whole, &graph, |parents| parents.first().copied())?);
    text.push_str(&row("rarest", whole, &graph, |parents| parents.iter().min_by_key(count).copied())?);
    text.push_str(&row("commonest", whole, &graph, |parents| parents.iter().max_by_key(count).copied())?);
    text.push('\n');
    Ok(text)
}

/// The head of the table of rules.
const HEADER: &str = "| the parent kept | ways longer in the tree | added on average, all ways | at worst | mean \
    average precision |\n\
    |---|---|---|---|---|";

/// Measures the cost of keeping the parent that a rule chooses.
fn row(name: &str, whole: &Hierarchy, graph: &Graph, rule: impl Fn(&[usize]) -> Option<usize>) -> Result<String> {
    // Sorted by kinds, so that parents come first, whichever parent is kept.
    let mut order: Vec<usize> = (0..whole.nodes().len()).collect();
    order.sort_by_key(|node| whole.nodes()[*node].kind);
    let mut number = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, node)| number[*node] = place);
    let parents: Vec<usize> =
        order.iter().skip(1).map(|node| rule(graph.parents(*node)).map_or(0, |parent| number[parent])).collect();
    let tree = Tree::new(&parents)?;
    let edges = |one: usize, other: usize| tree.edges(number[one], number[other]) as f64;
    let mut random = Random::new(SEED);
    let (mut pairs, mut precision) = (Vec::new(), 0.0);
    for _ in 0..NODES {
        let node = random.below(tree.len());
        let through_graph = graph.edges_from(node);
        let others = (0..tree.len()).filter(|other| *other != node);
        pairs.extend(others.map(|other| (through_graph[other] as f64, edges(node, other))));
        let mut neighbours = vec![Vec::new(); tree.len()];
        neighbours[node] = graph.neighbours(node);
        precision += mean_average_precision(&neighbours, edges);
    }
    let longer = pairs.iter().filter(|(short, long)| short < long).count() as f64 / pairs.len().max(1) as f64;
    let found = Distortion::of(1.0, pairs);
    Ok(format!(
        "| {name} | {:.1} % | {:.1} % | {:.0} times | {:.3} |\n",
        100.0 * longer,
        100.0 * found.average,
        found.worst,
        precision / NODES as f64
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_decides_which_ways_are_longer() {
        let table = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t9\n0\tsign\tA\t𒀀\t9\n1\treading\ta\t\t9\n\
            2\tword\ta-ba\t\t3\n0\tsign\tBA\t𒁀\t4\n4\treading\tba\t\t4\n";
        let tables = tables(&Hierarchy::parse(table).unwrap()).unwrap();
        assert!(tables.contains("| word | 1 | 1 | 2.00 | 2 |"), "{tables}");
        assert!(tables.contains("6 edges in the graph, 5 in the tree"), "{tables}");
        // The word has two ways up; kept under a it is five edges from ba instead of one, and the same the other way.
        assert_eq!(tables.matches(" 5 times |").count(), 3, "{tables}");
    }
}
