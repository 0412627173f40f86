//! Where a text may be from, as the edited texts that are most like it say. Plain data; the search lies where the texts
//! are.

use super::attested::EditionPlace;
use serde::{Deserialize, Serialize};

/// Where a text may be from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// How many of its signs can be read and stand in the corpora: what all this rests on.
    pub signs: usize,
    /// Periods, the likeliest first; the probabilities of all of them make 1.
    pub periods: Vec<LikelyOrigin>,
    /// Projects of Oracc, or CDLI's periods, the likeliest first; the probabilities of all of them make 1.
    pub projects: Vec<LikelyOrigin>,
    /// The texts that are most like it, the likest first: the reasons.
    pub nearest: Vec<NearText>,
}

/// A period or project that a text may be from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyOrigin {
    /// Its name.
    pub name: String,
    /// From 0 to 1, among the periods or projects of the corpora. A text of another is attributed to one of them too.
    pub probability: f32,
    /// How many of the texts that were asked are from there.
    pub texts: usize,
}

/// An edited text that is like the one that was asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearText {
    /// Its number and project, and where it can be read; its line is where the rarest of what both share stands.
    pub edition: EditionPlace,
    /// Its period, where it is one that the corpora are counted by.
    pub period: Option<String>,
    /// How like it is: what both share by their lengths, from 0 to about 1.
    pub likeness: f32,
    /// How many groups of two and three signs both share.
    pub shared: usize,
    /// The rarest of these, as the text that was asked about writes them.
    pub rarest: Vec<String>,
}
