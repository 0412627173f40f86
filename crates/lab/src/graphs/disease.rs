//! Simulation of a disease that spreads down a tree, after the paper's graph "Disease". The original is not available;
//! how similar the two are is not known.

use super::node_graph::NodeGraph;
use tuppum_geometry::Random;

/// Features of a node.
const WIDTH: usize = 10;
/// Correlation of a child's trait with that of its parent.
const INHERITED: f64 = 0.9;
/// Maximum number of children of a node; the number is drawn evenly from 1 to this.
const CHILDREN: usize = 5;
/// Factor and summand that turn susceptibility, which is normal, into the argument of the logistic function, whose
/// value is the probability of catching the disease.
const CATCHING: [f64; 2] = [4.0, 3.0];
/// Deviation of the noise on each feature.
const NOISE: f64 = 0.5;

/// Returns a tree of this many nodes, drawn by the seed, breadth first. Every node has ten normal traits, correlated
/// with its parent's; the first is its susceptibility. The root has the disease; a node whose parent has it catches it
/// with a probability that grows with its susceptibility. Kind 1 has it. Features are the traits with noise: they say
/// much of who is linked, and something, but not all, of who is ill.
pub fn simulated(nodes: usize, seed: u64) -> NodeGraph {
    let mut random = Random::new(seed);
    let mut parents: Vec<Option<usize>> = vec![None];
    let mut next = 0;
    while parents.len() < nodes {
        let children = (1 + random.below(CHILDREN)).min(nodes - parents.len());
        parents.extend(vec![Some(next); children]);
        next += 1;
    }
    parents.truncate(nodes);
    let mut graph = NodeGraph { width: WIDTH, ..NodeGraph::default() };
    let mut traits: Vec<[f64; WIDTH]> = Vec::with_capacity(nodes);
    for (node, parent) in parents.iter().enumerate() {
        let own: [f64; WIDTH] = std::array::from_fn(|_| random.normal());
        let own = match parent {
            None => own,
            Some(parent) => std::array::from_fn(|at| {
                INHERITED * traits[*parent][at] + (1.0 - INHERITED * INHERITED).sqrt() * own[at]
            }),
        };
        let chance = 1.0 / (1.0 + (-(CATCHING[0] * own[0] + CATCHING[1])).exp());
        let has_it = match parent {
            None => true,
            // Drawn in any case, so that the tree below does not depend on it.
            Some(parent) => (random.uniform() < chance) & (graph.kinds[*parent] == 1),
        };
        graph.kinds.push(usize::from(has_it));
        graph.features.extend(own.map(|one| (one + NOISE * random.normal()) as f32));
        traits.push(own);
        graph.edges.extend(parent.map(|parent| [parent, node]));
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disease_comes_from_the_parent_only() {
        let graph = simulated(1_044, 1);
        assert_eq!((graph.nodes(), graph.edges.len(), graph.features.len()), (1_044, 1_043, 10_440));
        assert!(graph.edges.iter().all(|[parent, node]| parent < node && graph.kinds[*parent] >= graph.kinds[*node]));
        let ill = graph.kinds.iter().sum::<usize>();
        println!("{ill} of 1,044 have it");
        assert!((200..800).contains(&ill), "{ill}");
        // The ill are the more susceptible ones.
        let mean = |kind: usize| {
            let rows = graph.features.chunks_exact(WIDTH).zip(&graph.kinds).filter(|(_, own)| **own == kind);
            let first: Vec<f32> = rows.map(|(row, _)| row[0]).collect();
            first.iter().sum::<f32>() / first.len() as f32
        };
        assert!(mean(1) > mean(0) + 0.3, "{} {}", mean(1), mean(0));
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        assert_eq!(simulated(100, 3), simulated(100, 3));
        assert_ne!(simulated(100, 3).kinds, simulated(100, 4).kinds);
        assert_eq!((simulated(1, 1).nodes(), simulated(0, 1).nodes()), (1, 0));
    }
}
