//! A linear map from states to few dimensions, learnt so that squared distances are the distances of trees: plain f64,
//! gradients by hand.
//!
//! In Euclid's space |Bh - Bg|² is fitted to the edges between two words, |Bh|² to those above a word (Hewitt and
//! Manning, 2019). On Lorentz's hyperboloid of curvature -1 a state h is lifted to (√(1 + |h|²), h), a Lorentz linear
//! map (Eq. 3 of Chen et al., 2022, without activation and bias) gives space-like coordinates, over which the time-like
//! one is computed, and squared Lorentz distances take the place of Euclid's: -2 - 2⟨x, y⟩ between two words, 2t - 2
//! from the origin for depth. The loss of both is L1: the mean over a sentence's pairs or words, then over sentences.
//! One map may serve both, as in Chen et al. (2022), appendix C.4; then the losses are added.

use super::scores::DependencyTree;
use crate::descent::{Descent, SettingsError};
use tuppum_geometry::Random;

/// Bound of the first numbers, which are even on ± this, as in Hewitt and Manning's program.
const SPREAD: f64 = 0.05;

/// Target of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Edges between two words.
    Distance,
    /// Edges between a word and the root.
    Depth,
    /// Distances and depths by one map, the losses added: Chen et al. (2022), appendix C.4.
    Both,
}

/// Settings of a probe and of its training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearProbeSettings {
    /// `true` if points lie on the hyperboloid of curvature -1, `false` for Euclid's space.
    pub hyperbolic: bool,
    /// Target to find.
    pub target: Target,
    /// Space-like coordinates of a point.
    pub dimension: usize,
    /// Learning rate at the beginning; it falls evenly to zero.
    pub rate: f64,
    /// Passes over the sentences.
    pub epochs: u32,
    /// Sentences in a batch.
    pub batch: usize,
    /// Seed of the first numbers and of the orders.
    pub seed: u64,
}

impl LinearProbeSettings {
    fn descent(&self) -> Descent {
        let Self { rate, epochs, batch, seed, .. } = *self;
        Descent { rate, falls: true, decay: 0.0, epochs, batch, seed }
    }
}

/// A tree with the states of its words, `words × width`.
#[derive(Clone, Copy, Debug)]
pub struct ProbeExample<'a> {
    /// The tree.
    pub tree: &'a DependencyTree,
    /// States, word by word.
    pub states: &'a [f32],
}

/// A probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    settings: LinearProbeSettings,
    width: usize,
    /// Weights of the map: for each coordinate of a state, the `dimension` coordinates that it adds to; last, on the
    /// hyperboloid, those of the time-like coordinate.
    map: Vec<f64>,
}

impl Probe {
    /// Returns a probe of states of this width that has learnt nothing.
    ///
    /// # Errors
    /// The dimension, the batch or the learning rate is impossible.
    pub fn new(settings: LinearProbeSettings, width: usize) -> Result<Self, SettingsError> {
        if settings.dimension < 2 || width == 0 {
            return Err(SettingsError::ProbeDimension(settings.dimension));
        }
        settings.descent().check()?;
        let mut random = Random::new(settings.seed);
        let rows = width + usize::from(settings.hyperbolic);
        let map = (0..rows * settings.dimension).map(|_| SPREAD * (2.0 * random.uniform() - 1.0)).collect();
        Ok(Self { settings, width, map })
    }

    /// Learns from trees.
    pub fn train(&mut self, examples: &[ProbeExample]) {
        let add = |own: &Self, example: usize, gradient: &mut [f64]| {
            own.add_gradient(&examples[example], gradient);
        };
        self.settings.descent().run(self, examples.len(), |own| &mut own.map, add);
    }

    /// Returns the distances that the probe finds between states, `words × words`. They are meaningful if it learnt
    /// distances.
    pub fn distances(&self, states: &[f32]) -> Vec<f64> {
        let points = self.points(states);
        points.iter().flat_map(|one| points.iter().map(|other| self.between(one, other))).collect()
    }

    /// Returns the depth that the probe finds for each state. They are meaningful if it learnt depths.
    pub fn depths(&self, states: &[f32]) -> Vec<f64> {
        self.points(states).iter().map(|point| self.depth(point)).collect()
    }

    /// Adds the gradient of a sentence's loss, and returns that loss.
    fn add_gradient(&self, example: &ProbeExample, gradient: &mut [f64]) -> f64 {
        let points = self.points(example.states);
        let mut by_point = vec![0.0; points.len() * self.settings.dimension];
        let mut loss = 0.0;
        if self.settings.target != Target::Distance {
            loss += self.add_by_depths(&points, example.tree, &mut by_point);
        }
        if self.settings.target != Target::Depth {
            loss += self.add_by_distances(&points, example.tree, &mut by_point);
        }
        let dimension = self.settings.dimension;
        for (state, by) in example.states.chunks_exact(self.width).zip(by_point.chunks_exact(dimension)) {
            for (value, row) in self.lifted(state).zip(gradient.chunks_exact_mut(dimension)) {
                row.iter_mut().zip(by).for_each(|(sum, by)| *sum += value * by);
            }
        }
        loss
    }

    /// Returns the loss of depths, and its gradient by each coordinate of each point.
    fn add_by_depths(&self, points: &[Point], tree: &DependencyTree, by_point: &mut [f64]) -> f64 {
        let (count, dimension) = (points.len(), self.settings.dimension);
        let mut loss = 0.0;
        for ((point, by), depth) in points.iter().zip(by_point.chunks_exact_mut(dimension)).zip(&tree.depths) {
            let off = self.depth(point) - depth;
            loss += off.abs() / count as f64;
            let slope = 2.0 * off.signum() / count as f64 / if self.settings.hyperbolic { point.time } else { 1.0 };
            by.iter_mut().zip(&point.space).for_each(|(by, x)| *by += slope * x);
        }
        loss
    }

    /// Returns the loss of distances, and its gradient by each coordinate of each point.
    fn add_by_distances(&self, points: &[Point], tree: &DependencyTree, by_point: &mut [f64]) -> f64 {
        let (count, dimension) = (points.len(), self.settings.dimension);
        let mut loss = 0.0;
        // Each pair counts in both orders, and a word with itself is always right.
        let share = 2.0 / (count * count) as f64;
        for (i, one) in points.iter().enumerate() {
            for (j, other) in points.iter().enumerate().skip(i + 1) {
                let off = self.between(one, other) - tree.distances[i * count + j];
                loss += share * off.abs();
                let slope = 2.0 * share * off.signum();
                let upward = if self.settings.hyperbolic { one.time - other.time } else { 0.0 };
                for at in 0..dimension {
                    let (x, y) = (one.space[at], other.space[at]);
                    by_point[i * dimension + at] += slope * (x - y - upward * x / one.time);
                    by_point[j * dimension + at] -= slope * (x - y - upward * y / other.time);
                }
            }
        }
        loss
    }

    fn points(&self, states: &[f32]) -> Vec<Point> {
        let point = |state: &[f32]| {
            let mut space = vec![0.0; self.settings.dimension];
            for (value, row) in self.lifted(state).zip(self.map.chunks_exact(self.settings.dimension)) {
                space.iter_mut().zip(row).for_each(|(sum, one)| *sum += value * one);
            }
            let time = (1.0 + space.iter().map(|one| one * one).sum::<f64>()).sqrt();
            Point { space, time }
        };
        states.chunks_exact(self.width).map(point).collect()
    }

    /// Returns the state's coordinates, and on the hyperboloid its time-like one.
    fn lifted<'a>(&self, state: &'a [f32]) -> impl Iterator<Item = f64> + use<'a> {
        let time = || (1.0 + state.iter().map(|one| f64::from(*one).powi(2)).sum::<f64>()).sqrt();
        state.iter().map(|one| f64::from(*one)).chain(self.settings.hyperbolic.then(time))
    }

    /// Returns the squared distance of two points.
    fn between(&self, one: &Point, other: &Point) -> f64 {
        let space: f64 = one.space.iter().zip(&other.space).map(|(x, y)| (x - y) * (x - y)).sum();
        // -2 - 2⟨x, y⟩ = |x - y|² - (t - s)², which loses no digits where the points are near.
        if self.settings.hyperbolic { space - (one.time - other.time).powi(2) } else { space }
    }

    /// Returns the squared distance from the origin.
    fn depth(&self, point: &Point) -> f64 {
        if self.settings.hyperbolic { 2.0 * point.time - 2.0 } else { point.time * point.time - 1.0 }
    }
}

/// Space-like coordinates, and √(1 + |x|²).
struct Point {
    space: Vec<f64>,
    time: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::scores::{ProbeScores, ProbedDistances};
    use tuppum_corpus::treebank::{Sentence, TreebankWord};

    fn settings(hyperbolic: bool, target: Target) -> LinearProbeSettings {
        LinearProbeSettings { hyperbolic, target, dimension: 6, rate: 0.03, epochs: 200, batch: 4, seed: 3 }
    }

    /// Trees drawn by chance, whose states have a coordinate of their own for each edge above a word.
    fn drawn(count: usize, words: usize) -> Vec<(DependencyTree, Vec<f32>)> {
        let mut random = Random::new(8);
        let tree = |_| {
            let heads: Vec<Option<usize>> =
                (0..words).map(|word| word.checked_sub(1).map(|_| random.below(word))).collect();
            let mut states = vec![0.0; words * words];
            for (word, head) in heads.iter().enumerate() {
                if let Some(head) = head {
                    states.copy_within(head * words..(head + 1) * words, word * words);
                    states[word * words + word] = 1.0;
                }
            }
            let word = |head: &Option<usize>| TreebankWord {
                form: String::new(),
                spelling: None,
                head: *head,
                part_of_speech: String::new(),
            };
            let sentence = Sentence { words: heads.iter().map(word).collect(), ..Sentence::default() };
            (DependencyTree::of(&sentence, &(0..words).collect::<Vec<_>>()), states)
        };
        (0..count).map(tree).collect()
    }

    #[test]
    fn gradients_are_those_of_the_loss() {
        let (tree, states) = drawn(1, 5).remove(0);
        let states: Vec<f32> = states.iter().enumerate().map(|(at, one)| one + (at as f32).sin()).collect();
        let example = ProbeExample { tree: &tree, states: &states };
        for hyperbolic in [true, false] {
            for target in [Target::Distance, Target::Depth, Target::Both] {
                let mut probe = Probe::new(settings(hyperbolic, target), 5).unwrap();
                probe.map.iter_mut().for_each(|one| *one *= 12.0);
                let mut gradient = vec![0.0; probe.map.len()];
                probe.add_gradient(&example, &mut gradient);
                for (at, found) in gradient.iter().enumerate() {
                    let loss = |by: f64| {
                        let mut moved = probe.clone();
                        moved.map[at] += by;
                        moved.add_gradient(&example, &mut vec![0.0; gradient.len()])
                    };
                    // The error of the difference is of the order of the step's square.
                    let slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
                    assert!((found - slope).abs() < 1e-7, "{hyperbolic} {target:?} {at}: {found} {slope}");
                }
            }
        }
    }

    #[test]
    fn trees_that_lie_in_states_are_found() {
        let drawn = drawn(40, 6);
        let examples: Vec<ProbeExample> = drawn.iter().map(|(tree, states)| ProbeExample { tree, states }).collect();
        for hyperbolic in [true, false] {
            let [distance, depth, both] = [Target::Distance, Target::Depth, Target::Both].map(|target| {
                let mut probe = Probe::new(settings(hyperbolic, target), 6).unwrap();
                probe.train(&examples[..30]);
                probe
            });
            let scores = |distance: &Probe, depth: &Probe| {
                let found = |one: &ProbeExample| ProbedDistances {
                    distances: distance.distances(one.states),
                    depths: depth.depths(one.states),
                };
                ProbeScores::of(examples[30..].iter().map(|one| (one.tree, found(one))))
            };
            let (one_map, scores) = (scores(&both, &both), scores(&distance, &depth));
            // Euclid's space holds them without a loss: the square of the distance is the number of edges.
            assert!(
                scores.uuas > 90.0 && scores.root > 90.0 && scores.dspr > 85.0 && scores.nspr > 85.0,
                "{hyperbolic} {scores:?}"
            );
            // One map holds both as well: in these trees the square of a word's length is its depth.
            assert!(
                one_map.uuas > 90.0 && one_map.root > 90.0 && one_map.dspr > 85.0 && one_map.nspr > 85.0,
                "{hyperbolic} {one_map:?}"
            );
        }
    }

    #[test]
    fn settings_that_cannot_be_are_refused() {
        let given = settings(true, Target::Depth);
        assert!(Probe::new(LinearProbeSettings { dimension: 1, ..given }, 5).is_err());
        assert!(Probe::new(LinearProbeSettings { batch: 0, ..given }, 5).is_err());
        assert!(Probe::new(LinearProbeSettings { rate: f64::NAN, ..given }, 5).is_err());
        assert!(Probe::new(given, 0).is_err());
    }
}
