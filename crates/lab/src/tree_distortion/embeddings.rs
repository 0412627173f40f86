//! The embeddings that are compared: constructions and descents in hyperbolic space, the same descents in Euclid's.

use super::coarse;
use super::measure::{Figures, Sample};
use super::part::Part;
use indicatif::ProgressBar;
use tuppum_geometry::tree::plane::{Polar, sarkar};
use tuppum_geometry::tree::sample::Sampler;
use tuppum_geometry::tree::{Tree, kernel};
use tuppum_geometry::{Ball, flat, points, spectral, stress};

/// Lengths of an edge in Sarkar's construction; with the longest, the deepest node is as far from the root as angles in
/// f64 reach.
const EDGES: [f64; 3] = [1.0, 2.0, 4.0];
const REACH: f64 = 24.0;

/// Bounds of a descent, in either space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Steps of Adam.
    pub steps: usize,
    /// Pairs drawn for each step: half near, half any.
    pub pairs: usize,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { steps: 600, pairs: 40_000, seed: 1 }
    }
}

impl Budget {
    /// Returns steps of the same width in both spaces: 0.06 edges at first, 0.002 at last. `unit` is the length of one
    /// edge in the coordinates that descend.
    fn settings(&self, edge: f64, unit: f64) -> stress::StressSettings {
        stress::StressSettings { scale: edge, steps: self.steps, rate: 0.06 * unit, last_rate: 0.002 * unit }
    }

    /// Descends in the ball of curvature -1. A tangent vector at the centre is half as long as the way it leads.
    fn hyperbolic(&self, tree: &Tree, start: &[Vec<f64>], edge: f64) -> Vec<Vec<f64>> {
        let mut sampler = Sampler::new(tree, self.seed);
        let settings = self.settings(edge, edge / 2.0);
        stress::descend(Ball::UNIT, start, &settings, |_, pairs| sampler.fill(self.pairs, pairs))
    }

    /// Descends in Euclid's space, an edge being 1.
    fn euclidean(&self, tree: &Tree, start: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut sampler = Sampler::new(tree, self.seed);
        flat::descend(start, &self.settings(1.0, 1.0), |_, pairs| sampler.fill(self.pairs, pairs))
    }
}

/// Rows of the tables of one part, while they are computed.
struct Rows<'a> {
    part: &'a Part,
    sample: Sample,
    text: String,
    bar: ProgressBar,
}

impl Rows<'_> {
    fn add(&mut self, name: &str, found: impl Fn(usize, usize) -> f64) -> Figures {
        self.bar.set_message(name.to_owned());
        let figures = self.sample.figures(found);
        self.text.push_str(&figures.row(name));
        self.bar.inc(1);
        figures
    }

    fn in_ball(&mut self, name: &str, points: &[Vec<f64>]) -> Figures {
        self.add(name, |one, other| Ball::UNIT.distance(&points[one], &points[other]))
    }

    fn in_plane(&mut self, name: &str, points: &[Polar]) -> Figures {
        self.add(name, |one, other| points[one].to(points[other]))
    }

    fn flat(&mut self, name: &str, points: &[Vec<f64>]) -> Figures {
        self.add(name, |one, other| flat::distance(&points[one], &points[other]))
    }
}

/// Returns the tables of a part: two and thirty-two dimensions, then coarsening.
pub fn tables(name: &str, part: &Part, budget: &Budget) -> String {
    let bar = ProgressBar::new(17).with_style(tuppum_cli::terminal::style("{msg} {bar:30} {pos}/{len}"));
    let mut rows = Rows { part, sample: Sample::of(&part.tree), text: String::new(), bar };
    rows.text = format!("### {name}: {} nodes\n\nTwo dimensions:\n\n{}", part.tree.len(), Figures::HEADER);
    let plane = two(&mut rows, budget);
    rows.text.push_str(&format!("\nThirty-two dimensions:\n\n{}", Figures::HEADER));
    let space = many(&mut rows, budget);
    rows.bar.finish_and_clear();
    let mut text = rows.text;
    text.push_str("\nFrom the midpoint of a sign's readings to the sign's own point, in edges:\n\n");
    for (name, (points, edge)) in
        [("in the plane, by construction", plane), ("in 32 dimensions, after the descent", space)]
    {
        text.push_str(&coarse::table(name, part, &points, edge));
    }
    text.push('\n');
    text
}

/// Rows of two dimensions; gives the points of the construction with edges of 4.
fn two(rows: &mut Rows, budget: &Budget) -> (Vec<Vec<f64>>, f64) {
    let tree = &rows.part.tree;
    let deepest = (0..tree.len()).map(|node| tree.depth(node)).max().unwrap_or(0);
    for edge in EDGES.into_iter().chain([REACH / deepest.max(1) as f64]) {
        rows.in_plane(&format!("hyperbolic, Sarkar, edges of {edge}"), &sarkar(tree, edge));
    }
    let disk =
        |edge: f64| -> Vec<Vec<f64>> { sarkar(tree, edge).iter().map(|point| point.in_disk().to_vec()).collect() };
    let descended = budget.hyperbolic(tree, &disk(2.0), 2.0);
    rows.in_ball("hyperbolic, Sarkar with edges of 2, then descent", &descended);
    let radial = radial(tree);
    rows.flat("Euclid, the same directions, depth as radius", &radial);
    let scaled = kernel::scaling(tree, 2);
    rows.flat("Euclid, spectral (classical scaling)", &scaled);
    rows.flat("Euclid, directions, then descent", &budget.euclidean(tree, &radial));
    rows.flat("Euclid, spectral, then descent", &budget.euclidean(tree, &scaled));
    (disk(4.0), 4.0)
}

/// Returns the drawing of a tree in Euclid's plane that is nearest to Sarkar's: its directions, with depth as distance
/// from the root.
fn radial(tree: &Tree) -> Vec<Vec<f64>> {
    let place = |(node, point): (usize, &Polar)| {
        let radius = tree.depth(node) as f64;
        vec![radius * point.angle.cos(), radius * point.angle.sin()]
    };
    sarkar(tree, 2.0).iter().enumerate().map(place).collect()
}

/// Rows of thirty-two dimensions; gives the points after the hyperbolic descent from the construction.
fn many(rows: &mut Rows, budget: &Budget) -> (Vec<Vec<f64>>, f64) {
    /// Length of an edge in the ball.
    const EDGE: f64 = 2.0;
    let tree = &rows.part.tree;
    let start = kernel::spectral(Ball::UNIT, tree, 0.5, &spectral::SpectralSettings::default());
    rows.in_ball("hyperbolic, spectral start", &start);
    rows.in_ball("hyperbolic, spectral, then descent", &budget.hyperbolic(tree, &start, EDGE));
    let grown = points::grown(Ball::UNIT, tree, 32, EDGE, budget.seed);
    rows.in_ball("hyperbolic, Sarkar with random directions, edges of 2", &grown);
    let descended = budget.hyperbolic(tree, &grown, EDGE);
    let figures = rows.in_ball("hyperbolic, random directions, then descent", &descended);
    let scaled = kernel::scaling(tree, 32);
    rows.flat("Euclid, spectral (classical scaling)", &scaled);
    rows.flat("Euclid, spectral, then descent", &budget.euclidean(tree, &scaled));
    let grown = flat::grown(tree, 32, budget.seed);
    rows.flat("Euclid, random directions", &grown);
    rows.flat("Euclid, random directions, then descent", &budget.euclidean(tree, &grown));
    (descended, figures.edge)
}
