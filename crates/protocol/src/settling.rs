//! A part of the sign tree that is learnt while someone watches.

use serde::{Deserialize, Serialize};

/// Dimensions in which it is learnt: those of the picture, and those of the ranking. Two can be drawn and hold few
/// links.
pub const DIMENSIONS: [usize; 2] = [2, 16];

/// What is to be learnt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TreePart {
    /// Number of the node above each node, which comes before; the first node is the root.
    pub parents: Vec<u32>,
    /// What each node is, counted down the tree: root, sign, reading, word.
    pub kinds: Vec<u8>,
    /// Labels of the nodes.
    pub labels: Vec<String>,
    /// The sign whose readings and words are to be ranked; 0 for none.
    pub chosen: u32,
    /// Passes over the links.
    pub epochs: u32,
    /// Seed of the first points, of the links held out, and of all that chance decides.
    pub seed: u64,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settling {
    /// Epochs done; 0 before the first.
    pub epoch: u32,
    /// Of how many.
    pub epochs: u32,
    /// Mean loss of the epoch, in the dimensions of the picture.
    pub loss: f64,
    /// Where each node lies in Poincaré's disk: two coordinates each.
    pub points: Vec<f32>,
    /// How well links are found again: on the plane that is drawn, on Euclid's, and in the dimensions of the ranking.
    /// Measured now and then.
    pub found: Option<[FoundAgain; 3]>,
    /// Links of the chosen sign, the likeliest that are attested and the likeliest that are not, in the dimensions of
    /// the ranking: its readings, and words of its readings.
    pub ranked: [Vec<Proposed>; 2],
}

/// A link as the model ranks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Rank of the link among all, from 1.
    pub rank: u32,
    /// Node at the end of the link.
    pub node: u32,
    /// From 0 to 1: how sure the model is to tell the link from one drawn by chance.
    pub score: f32,
    /// Whether the tree has it. Otherwise it is the model's proposal and nothing else.
    pub attested: bool,
    /// Whether the tree has it and it was held out.
    pub held_out: bool,
}

/// Mean reciprocal ranks, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundAgain {
    /// Mean reciprocal rank of links that were learnt.
    pub learnt: f64,
    /// Mean reciprocal rank of links that were held out.
    pub held_out: f64,
    /// How many links were held out.
    pub links: u32,
}
