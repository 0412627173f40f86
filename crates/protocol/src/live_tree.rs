//! A part of the sign tree whose points are learnt while the user watches.

use serde::{Deserialize, Serialize};

/// Numbers of dimensions: of the picture, and of the ranking. Two dimensions can be drawn but hold few links.
pub const DIMENSIONS: [usize; 2] = [2, 16];

/// Part of the sign tree to learn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TreePart {
    /// Parent of each node, by number. A parent comes before its children; the first node is the root.
    pub parents: Vec<u32>,
    /// Kind of each node, counted down the tree: 0 root, 1 sign, 2 reading, 3 word.
    pub kinds: Vec<u8>,
    /// Labels of the nodes.
    pub labels: Vec<String>,
    /// Number of the sign whose readings and words are to be ranked; 0 for none.
    pub chosen: u32,
    /// Number of passes over the links.
    pub epochs: u32,
    /// Seed of the initial points, the held-out links and every other random choice.
    pub seed: u64,
}

/// State of the learning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settling {
    /// Number of epochs done; 0 before the first.
    pub epoch: u32,
    /// Number of epochs in all.
    pub epochs: u32,
    /// Mean loss of the epoch, in the dimensions of the picture.
    pub loss: f64,
    /// Positions of the nodes in the Poincaré disk: two coordinates each.
    pub points: Vec<f32>,
    /// Quality of the link ranking: on the drawn hyperbolic plane, on the Euclidean plane, and in the dimensions of the
    /// ranking. Measured every few epochs.
    pub found: Option<[FoundAgain; 3]>,
    /// Links of the chosen sign to its readings and their words, the most probable ones, in the dimensions of the
    /// ranking: first attested links, then others.
    pub ranked: [Vec<Proposed>; 2],
}

/// Link as the model ranks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Rank of the link among all, from 1.
    pub rank: u32,
    /// Node at the end of the link.
    pub node: u32,
    /// Probability, from 0 to 1, that the link is not a random one.
    pub score: f32,
    /// `true` if the tree has the link. Otherwise it is only the model's proposal.
    pub attested: bool,
    /// `true` if the tree has the link and it was held out of training.
    pub held_out: bool,
}

/// Mean reciprocal ranks of links, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundAgain {
    /// Mean reciprocal rank of links that were learnt.
    pub learnt: f64,
    /// Mean reciprocal rank of links that were held out.
    pub held_out: f64,
    /// Number of held-out links.
    pub links: u32,
}
