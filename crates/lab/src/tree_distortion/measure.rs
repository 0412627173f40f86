//! Agreement of an embedding with the distances of its tree, on a sample with a seed.

use tuppum_geometry::Random;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::ranking::mean_average_precision;
use tuppum_geometry::tree::Tree;
use tuppum_geometry::tree::sample::Sampler;

/// Number of pairs of each sort, and of nodes whose neighbours are sought among all.
pub const PAIRS: usize = 100_000;
pub const NODES: usize = 300;
/// Seed of the sample. It differs from the seeds of the descents, so that nothing is measured on the pairs that it was
/// made with.
const SEED: u64 = 2_026;

/// Figures of one embedding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Length of an edge that suits the embedding best: the median of found over wanted among any two nodes.
    pub edge: f64,
    /// Mean of |found / (edge · wanted) - 1| over any two nodes.
    pub any: f64,
    /// Figures over near pairs.
    pub near: f64,
    /// Largest found over wanted by the smallest, among all pairs of the sample.
    pub worst: f64,
    /// Mean average precision of parents and children among all nodes.
    pub precision: f64,
}

/// The sample of a tree.
pub struct Sample {
    any: Vec<(usize, usize, f64)>,
    near: Vec<(usize, usize, f64)>,
    /// The neighbours of the nodes drawn; of all others none.
    neighbours: Vec<Vec<usize>>,
}

impl Sample {
    /// Returns the sample, with the tree's own distances.
    pub fn of(tree: &Tree) -> Self {
        let mut sampler = Sampler::new(tree, SEED);
        let wanted = |(one, other): (usize, usize)| (one, other, tree.edges(one, other) as f64);
        let any = (0..PAIRS).filter_map(|_| sampler.any()).map(wanted).collect();
        let near = (0..PAIRS).filter_map(|_| sampler.near()).map(wanted).collect();
        let mut random = Random::new(SEED);
        let (all, mut neighbours) = (tree.neighbours(), vec![Vec::new(); tree.len()]);
        for _ in 0..NODES {
            let node = random.below(tree.len());
            neighbours[node].clone_from(&all[node]);
        }
        Sample { any, near, neighbours }
    }

    /// Measures distances.
    pub fn figures(&self, found: impl Fn(usize, usize) -> f64) -> Figures {
        let both = |(one, other, wanted): &(usize, usize, f64)| (*wanted, found(*one, *other));
        let (any, near): (Vec<_>, Vec<_>) = (self.any.iter().map(both).collect(), self.near.iter().map(both).collect());
        let mut ratios: Vec<f64> = any.iter().map(|(wanted, found)| found / wanted).collect();
        ratios.sort_by(f64::total_cmp);
        let edge = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
        let average = |pairs: &[(f64, f64)]| Distortion::of(edge, pairs.iter().copied()).average;
        Figures {
            edge,
            any: average(&any),
            near: average(&near),
            worst: Distortion::of(edge, any.iter().chain(&near).copied()).worst,
            precision: mean_average_precision(&self.neighbours, &found),
        }
    }
}

impl Figures {
    /// The head of a table of figures.
    pub const HEADER: &str = "| points | edge | average, any two | average, near | worst | mean average precision |\n\
        |---|---|---|---|---|---|\n";

    /// Returns a row under [`Figures::HEADER`].
    pub fn row(&self, name: &str) -> String {
        let Figures { edge, any, near, worst, precision } = self;
        let worst = if *worst < 1e4 { format!("{worst:.1}") } else { "over 10,000".into() };
        format!("| {name} | {edge:.2} | {:.1} % | {:.1} % | {worst} | {precision:.3} |\n", 100.0 * any, 100.0 * near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_itself_is_perfect_in_any_scale() {
        let tree = Tree::new(&[0, 0, 1, 1, 2, 2, 3, 3]).unwrap();
        let figures = Sample::of(&tree).figures(|one, other| 2.5 * tree.edges(one, other) as f64);
        assert_eq!(figures, Figures { edge: 2.5, any: 0.0, near: 0.0, worst: 1.0, precision: 1.0 });
        assert_eq!(figures.row("tree"), "| tree | 2.50 | 0.0 % | 0.0 % | 1.0 | 1.000 |\n");
        let flat = Sample::of(&tree).figures(|_, _| 1.0);
        // Edges of 1 to 5 all found as 1.
        assert!(flat.worst == 5.0 && flat.any > 0.2 && flat.precision < 0.5, "{flat:?}");
    }
}
