//! The mixture of witnesses and network, and the share of each in a probability.

use super::search::Witness;
use std::collections::BTreeMap;

/// Share of witnesses and network in the probability of a proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// Part that comes from the witnesses.
    pub attested: f32,
    /// Part that comes from the network.
    pub network: f32,
}

/// Weights of a gap's witnesses by reading, and the weight of the network beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixture<K: Ord> {
    weights: BTreeMap<K, f32>,
    all: f32,
    network: f32,
}

impl<K: Ord> Mixture<K> {
    /// Sums up witnesses by the reading that `reading` returns; witnesses without one do not count.
    pub fn of(witnesses: &[Witness], network: f32, reading: impl Fn(&Witness) -> Option<K>) -> Self {
        let mut mixture = Self { weights: BTreeMap::new(), all: 0.0, network };
        for witness in witnesses {
            if let Some(reading) = reading(witness) {
                *mixture.weights.entry(reading).or_default() += witness.weight;
                mixture.all += witness.weight;
            }
        }
        mixture
    }

    /// Total weight of the witnesses.
    pub fn witnessed(&self) -> f32 {
        self.all
    }

    /// Returns the probability of a reading, given the network's probability of it.
    pub fn probability(&self, reading: &K, network: f32) -> f32 {
        let Share { attested, network } = self.share(reading, network);
        attested + network
    }

    /// Returns the two parts of a reading's probability.
    pub fn share(&self, reading: &K, network: f32) -> Share {
        let all = self.all + self.network;
        let attested = self.weights.get(reading).copied().unwrap_or_default() / all;
        Share { attested, network: self.network * network / all }
    }
}
