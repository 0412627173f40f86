//! The mixture of witnesses and network, and which part of a probability is whose.

use super::search::Witness;
use std::collections::BTreeMap;

/// How much of a proposal's probability comes from whom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// From the witnesses.
    pub attested: f32,
    /// From the network.
    pub network: f32,
}

/// Witnesses of one gap summed up by what they read, and the weight of the network beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixture<K: Ord> {
    weights: BTreeMap<K, f32>,
    all: f32,
    network: f32,
}

impl<K: Ord> Mixture<K> {
    /// Sums up witnesses by what `reading` says they read; those that read nothing of interest do not count.
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

    /// What all witnesses weigh together.
    pub fn witnessed(&self) -> f32 {
        self.all
    }

    /// The probability of a reading, given that of the network.
    pub fn probability(&self, reading: &K, network: f32) -> f32 {
        let Share { attested, network } = self.share(reading, network);
        attested + network
    }

    /// The two parts of that probability.
    pub fn share(&self, reading: &K, network: f32) -> Share {
        let all = self.all + self.network;
        let attested = self.weights.get(reading).copied().unwrap_or_default() / all;
        Share { attested, network: self.network * network / all }
    }
}
