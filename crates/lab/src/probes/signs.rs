//! The tree of signs in an encoder's states: whether readings of one sign lie nearer to each other than readings of
//! two.
//!
//! Readings have states. In the tree root → sign → reading, two readings of one sign are two edges apart, and readings
//! of two signs four, so distances are asked for one thing only. If a share p of the pairs is of one sign, and no found
//! distances are equal, Spearman's correlation with edges is √(3p(1 - p)) (2q - 1). Here q is the share of comparisons,
//! of a pair of one sign with a pair of two signs, in which the pair of one sign is found nearer. The correlation stays
//! below 1 however good the distances are: at [`CEILING`] over equally many pairs of both kinds.
//!
//! Three distances are compared: Euclid's distance of the states as they are, and the distances of two [`Probe`]s that
//! learn from the readings of three signs out of four and are measured on the others. A probe learns the edges between
//! the signs of two readings, none or two. The edge from a reading up to its sign is the same for all and changes no
//! order, and a probe that had to produce it would keep what tells the readings of a sign apart.

use super::linear::{LinearProbeSettings, Probe, ProbeExample, Target};
use super::scores::DependencyTree;
use super::words::StateScale;
use crate::descent::SettingsError;
use std::collections::BTreeMap;
use thiserror::Error;
use tuppum_geometry::Random;
use tuppum_geometry::ranking::rank_correlation;
use tuppum_text::signs::taxonomy::SignTree;

/// The largest correlation, in percent, over equally many pairs of both kinds; over few pairs a little more.
pub const CEILING: f64 = 86.602_540_378_443_86;
/// Edges between readings of one sign, and between those of two.
const EDGES: [f64; 2] = [2.0, 4.0];
/// Edges between a sign and the root.
const DEPTH: f64 = 1.0;
/// One sign in this many is held out.
const HELD: usize = 4;
/// Maximum number of measured pairs of readings of one sign; without it a sign of thirty readings would weigh as much
/// as seventy signs of four.
const MAX_PAIRS: usize = 10;
/// Maximum number of readings of a sign in a group to learn from, so that pairs of one sign and of two signs are nearly
/// as many.
const MAX_READINGS: usize = 4;

/// Readings, by the signs that they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    signs: Vec<u32>,
}

impl Readings {
    /// Readings by their nodes in the tree.
    pub fn of(nodes: &[u32], tree: &SignTree) -> Self {
        Self { signs: nodes.iter().map(|node| tree.parent(*node)).collect() }
    }

    /// Edges of the tree between two readings; twice the value of [`SignTree::distance`].
    pub fn edges(&self, one: usize, other: usize) -> f64 {
        if one == other { 0.0 } else { EDGES[usize::from(self.signs[one] != self.signs[other])] }
    }

    /// Returns the number of signs of the readings.
    pub fn signs(&self) -> usize {
        self.by_sign(&(0..self.signs.len()).collect::<Vec<_>>()).len()
    }

    /// Returns the number of readings that a seed holds out.
    pub fn held_out(&self, seed: u64) -> usize {
        Split::of(self, seed).test.len()
    }

    /// Returns the largest correlation, in percent, over all pairs of those that a seed holds out.
    pub fn ceiling(&self, seed: u64) -> f64 {
        let test = Split::of(self, seed).test;
        let pairs = |count: usize| (count * count.saturating_sub(1) / 2) as f64;
        let same: f64 = self.by_sign(&test).iter().map(|of_sign| pairs(of_sign.len())).sum();
        let share = same / pairs(test.len()).max(1.0);
        100.0 * (3.0 * share * (1.0 - share)).sqrt()
    }

    /// Returns the readings of each sign among some, in order of the signs.
    fn by_sign(&self, some: &[usize]) -> Vec<Vec<usize>> {
        let mut by_sign: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        some.iter().for_each(|reading| by_sign.entry(self.signs[*reading]).or_default().push(*reading));
        by_sign.into_values().collect()
    }
}

/// Readings to learn from, and readings to measure on. All readings of a sign are on the same side, since else a pair
/// of one sign could be known from what was learnt of the sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// To learn from.
    pub train: Vec<usize>,
    /// Held out.
    pub test: Vec<usize>,
}

impl Split {
    /// Holds out one sign of four.
    pub fn of(readings: &Readings, seed: u64) -> Self {
        let mut by_sign = readings.by_sign(&(0..readings.signs.len()).collect::<Vec<_>>());
        Random::new(seed).shuffle(&mut by_sign);
        let train = by_sign.split_off(by_sign.len() / HELD);
        Self { train: train.concat(), test: by_sign.concat() }
    }
}

/// Pairs that are measured, as many of one sign as of two.
///
/// Each pair of one sign is followed by its first reading with the second of a pair of another sign, drawn by chance.
/// Both kinds thus have the same readings, and nothing that a reading has by itself (how common it is, how long its
/// state) tells them apart.
fn balanced(readings: &Readings, some: &[usize], seed: u64) -> Vec<[usize; 2]> {
    let mut random = Random::new(seed);
    let mut same: Vec<[usize; 2]> = Vec::new();
    for of_sign in readings.by_sign(some) {
        let later = |at: usize| of_sign[at + 1..].iter().map(move |other| (at, *other));
        let mut pairs: Vec<[usize; 2]> =
            (0..of_sign.len()).flat_map(later).map(|(at, other)| [of_sign[at], other]).collect();
        random.shuffle(&mut pairs);
        pairs.truncate(MAX_PAIRS);
        same.extend(
            pairs.into_iter().map(|[one, other]| if random.below(2) == 0 { [one, other] } else { [other, one] }),
        );
    }
    let mut pairs = Vec::with_capacity(2 * same.len());
    for [one, other] in &same {
        let foreign: Vec<usize> =
            same.iter().map(|pair| pair[1]).filter(|second| readings.edges(*one, *second) == EDGES[1]).collect();
        if let Some(second) = foreign.get(random.below(foreign.len())) {
            pairs.extend([[*one, *other], [*one, *second]]);
        }
    }
    pairs
}

/// Rank correlations of distances with the tree's, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Correlation over as many held-out pairs of one sign as of two signs; at most [`CEILING`].
    pub held_out: f64,
    /// Correlation over all pairs of held-out readings, most of which are of two signs; at most [`Readings::ceiling`].
    pub all: f64,
    /// Correlation over as many pairs of both kinds among the readings that were learnt from.
    pub learnt: f64,
}

impl Agreement {
    /// Returns the agreement of the distances of some readings, by their numbers.
    fn of(readings: &Readings, split: &Split, seed: u64, distance: impl Fn(usize, usize) -> f64) -> Self {
        let correlation = |pairs: &[[usize; 2]]| {
            let wanted: Vec<f64> = pairs.iter().map(|[one, other]| readings.edges(*one, *other)).collect();
            let found: Vec<f64> = pairs.iter().map(|[one, other]| distance(*one, *other)).collect();
            100.0 * rank_correlation(&wanted, &found)
        };
        let test = &split.test;
        let before =
            |(place, one): (usize, &usize)| test[..place].iter().map(|other| [*one, *other]).collect::<Vec<_>>();
        Self {
            held_out: correlation(&balanced(readings, test, seed)),
            all: correlation(&test.iter().enumerate().flat_map(before).collect::<Vec<_>>()),
            learnt: correlation(&balanced(readings, &split.train, seed)),
        }
    }
}

/// Settings by which probes learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignProbePlan {
    /// Space-like coordinates that states are mapped to.
    pub dimension: usize,
    /// Learning rate at the beginning; it falls evenly to zero.
    pub rate: f64,
    /// Groups of readings of two signs to learn from.
    pub groups: usize,
    /// Passes over them.
    pub epochs: u32,
    /// Groups in a batch.
    pub batch: usize,
    /// Seed of the split, the groups, the pairs and the probes.
    pub seed: u64,
}

/// States of readings, split and brought to one scale.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    readings: &'a Readings,
    plan: SignProbePlan,
    split: Split,
    width: usize,
    states: Vec<f32>,
}

/// Reason why there is no trial.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TrialError {
    /// Too few signs have several readings.
    #[error(
        "{signs} signs have several readings that were seen often enough, and at least {needed} are needed; give a \
         larger corpus, or ask for fewer occurrences"
    )]
    FewSigns {
        /// Number of signs found.
        signs: usize,
        /// Number of signs needed.
        needed: usize,
    },
    /// The states do not belong to the readings.
    #[error("{numbers} numbers are no states of {readings} readings")]
    States {
        /// Numbers of all states.
        numbers: usize,
        /// Number of readings found.
        readings: usize,
    },
}

impl<'a> Trial<'a> {
    /// Returns a trial of states `readings × width`, which are centred and brought to mean square 1 over the readings
    /// to learn from.
    ///
    /// # Errors
    /// Too few signs, or states that do not belong to the readings.
    pub fn new(readings: &'a Readings, states: &[f32], plan: SignProbePlan) -> Result<Self, TrialError> {
        let (count, signs) = (readings.signs.len(), readings.signs());
        if signs < 2 * HELD {
            return Err(TrialError::FewSigns { signs, needed: 2 * HELD });
        }
        let width = states.len() / count;
        if width == 0 || states.len() != width * count {
            return Err(TrialError::States { numbers: states.len(), readings: count });
        }
        let split = Split::of(readings, plan.seed);
        let scale = StateScale::of(split.train.iter().map(|reading| &states[reading * width..][..width]), width);
        Ok(Self { readings, plan, width, states: scale.apply(states), split })
    }

    /// Euclid's distances between the states.
    pub fn plain(&self) -> Agreement {
        Agreement::of(self.readings, &self.split, self.plan.seed, |one, other| {
            let pairs = self.state(one).iter().zip(self.state(other));
            // The root would change no rank.
            pairs.map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2)).sum()
        })
    }

    /// Distances that a probe finds once it has learnt, on the hyperboloid or in Euclid's space.
    ///
    /// # Errors
    /// Settings that cannot be.
    pub fn probed(&self, hyperbolic: bool) -> Result<Agreement, SettingsError> {
        let SignProbePlan { dimension, rate, epochs, batch, seed, .. } = self.plan;
        let settings =
            LinearProbeSettings { hyperbolic, target: Target::Distance, dimension, rate, epochs, batch, seed };
        let mut probe = Probe::new(settings, self.width)?;
        let groups: Vec<(DependencyTree, Vec<f32>)> = self.groups().iter().map(|group| self.lesson(group)).collect();
        let examples: Vec<ProbeExample> = groups.iter().map(|(tree, states)| ProbeExample { tree, states }).collect();
        probe.train(&examples);
        let (found, count) = (probe.distances(&self.states), self.readings.signs.len());
        Ok(Agreement::of(self.readings, &self.split, seed, |one, other| found[one * count + other]))
    }

    /// Groups to learn from: two signs drawn by chance, up to [`MAX_READINGS`] readings of each.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut random = Random::new(self.plan.seed ^ 0x6709);
        let mut by_sign = self.readings.by_sign(&self.split.train);
        let group = |_| {
            let first = random.below(by_sign.len());
            // The others are numbered as if the first were not there.
            let second = random.below(by_sign.len() - 1);
            let second = second + usize::from(second >= first);
            let mut group = Vec::new();
            for sign in [first, second] {
                random.shuffle(&mut by_sign[sign]);
                group.extend(by_sign[sign].iter().take(MAX_READINGS));
            }
            group
        };
        (0..self.plan.groups).map(group).collect()
    }

    /// Returns a group as a tree with its states. Distances are those of the signs, none or two edges.
    fn lesson(&self, group: &[usize]) -> (DependencyTree, Vec<f32>) {
        let above = |one: usize, other: usize| (self.readings.edges(one, other) - EDGES[0]).max(0.0);
        let distances = group.iter().flat_map(|one| group.iter().map(move |other| above(*one, *other)));
        let tree = DependencyTree { distances: distances.collect(), depths: vec![DEPTH; group.len()] };
        (tree, self.together(group))
    }

    fn together(&self, some: &[usize]) -> Vec<f32> {
        some.iter().flat_map(|reading| self.state(*reading)).copied().collect()
    }

    fn state(&self, reading: usize) -> &[f32] {
        &self.states[reading * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Signs with two to five readings each.
    fn drawn(signs: u32) -> Readings {
        Readings { signs: (0..signs).flat_map(|sign| vec![sign; 2 + sign as usize % 4]).collect() }
    }

    const WIDTH: usize = 20;

    /// States in which a few directions tell the sign, others only the reading, turned by a reflection so that no
    /// coordinate is one of them.
    fn states(readings: &Readings, of_sign: usize) -> Vec<f32> {
        let mut random = Random::new(11);
        let mut normal = |count: usize| -> Vec<f64> { (0..count).map(|_| random.normal()).collect() };
        let mirror = normal(WIDTH);
        let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
        let by_sign: Vec<Vec<f64>> = (0..readings.signs()).map(|_| normal(of_sign)).collect();
        let mut state = |sign: &u32| -> Vec<f32> {
            let mut hidden = by_sign[*sign as usize].clone();
            hidden.extend(normal(WIDTH - of_sign));
            let share = 2.0 * product(&hidden, &mirror) / product(&mirror, &mirror);
            hidden.iter().zip(&mirror).map(|(own, mirror)| (own - share * mirror) as f32).collect()
        };
        readings.signs.iter().flat_map(&mut state).collect()
    }

    fn plan() -> SignProbePlan {
        SignProbePlan { dimension: 6, rate: 0.02, groups: 600, epochs: 30, batch: 10, seed: 1 }
    }

    #[test]
    fn a_sign_is_on_one_side_and_every_reading_on_some() {
        let readings = drawn(40);
        let split = Split::of(&readings, 3);
        let signs = |part: &[usize]| -> BTreeSet<u32> { part.iter().map(|reading| readings.signs[*reading]).collect() };
        let (train, test) = (signs(&split.train), signs(&split.test));
        assert_eq!((train.len(), test.len(), train.intersection(&test).count()), (30, 10, 0));
        let all: BTreeSet<usize> = split.train.iter().chain(&split.test).copied().collect();
        assert_eq!((all.len(), split.train.len() + split.test.len()), (readings.signs.len(), readings.signs.len()));
        assert_ne!(Split::of(&readings, 4), split);
        let trial = Trial::new(&readings, &states(&readings, 4), plan()).unwrap();
        assert!(trial.groups().iter().flatten().all(|reading| trial.split.train.contains(reading)));
    }

    #[test]
    fn pairs_of_both_kinds_are_equally_many_and_have_the_same_first_readings() {
        let readings = Readings { signs: [vec![0; 30], vec![1; 2], vec![2; 3], vec![3; 1]].concat() };
        let pairs = balanced(&readings, &(0..36).collect::<Vec<_>>(), 5);
        let kind = |edges: f64| -> Vec<[usize; 2]> {
            pairs.iter().copied().filter(|[one, other]| readings.edges(*one, *other) == edges).collect()
        };
        let [same, other] = EDGES.map(kind);
        // Ten of the 435 of the first sign, one of the second, three of the third; the fourth has none.
        assert_eq!((same.len(), other.len(), pairs.len()), (14, 14, 28));
        let firsts = |pairs: &[[usize; 2]]| pairs.iter().map(|pair| pair[0]).collect::<Vec<_>>();
        assert_eq!(firsts(&same), firsts(&other));
        assert!(other.iter().all(|pair| same.iter().any(|own| own[1] == pair[1])));
        assert!(balanced(&readings, &[0, 1, 2], 5).is_empty(), "there is no other sign");
    }

    #[test]
    fn edges_are_those_of_the_tree() {
        let tree = SignTree::shared();
        let nodes = ["an", "{d}", "UTU", "ud", "ba"].map(|reading| tree.number_of(reading));
        let readings = Readings::of(&nodes, tree);
        for (one, node) in nodes.iter().enumerate() {
            for (other, other_node) in nodes.iter().enumerate() {
                assert_eq!(readings.edges(one, other), 2.0 * tree.distance(*node, *other_node));
            }
        }
        assert_eq!(readings.signs(), 3);
    }

    #[test]
    fn a_tree_that_lies_in_states_is_found_on_signs_that_were_not_learnt() {
        let readings = drawn(80);
        let states = states(&readings, 4);
        let trial = Trial::new(&readings, &states, plan()).unwrap();
        assert!(trial.plain().held_out < 50.0, "{:?}", trial.plain());
        for hyperbolic in [true, false] {
            let found = trial.probed(hyperbolic).unwrap();
            assert!(found.held_out > 0.95 * CEILING && found.learnt > 0.95 * CEILING, "{hyperbolic} {found:?}");
            // The ceilings are those of many pairs.
            assert!(found.held_out < CEILING + 0.1 && found.all < readings.ceiling(1) + 0.1, "{found:?}");
            assert!(found.all > 0.95 * readings.ceiling(1), "{found:?}");
        }
    }

    #[test]
    fn in_states_by_chance_nothing_is_found_on_signs_that_were_not_learnt() {
        let readings = drawn(80);
        let trial = Trial::new(&readings, &states(&readings, 0), plan()).unwrap();
        let found = [Ok(trial.plain()), trial.probed(true), trial.probed(false)].map(Result::unwrap);
        // Some hundred pairs that share readings: the correlation is within 15 or so by chance.
        assert!(found.iter().all(|one| one.held_out.abs() < 30.0), "{found:?}");
        assert!(
            found[1].learnt > found[1].held_out + 10.0,
            "with so few readings something is learnt by heart: {found:?}"
        );
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let few = drawn(7);
        assert!(
            Trial::new(&few, &states(&few, 4), plan()).is_err_and(|message| message.to_string().contains("7 signs"))
        );
        let readings = drawn(8);
        assert!(
            Trial::new(&readings, &[0.0; 9], plan()).is_err_and(|message| message.to_string().contains("9 numbers"))
        );
    }
}
