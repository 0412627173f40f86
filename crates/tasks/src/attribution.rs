//! Possible origins of a text, by the edited texts most similar to it. Plain data; the search is in `corpus`.

use super::attested::EditionPlace;
use serde::{Deserialize, Serialize};

/// Possible origins of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// Number of its signs that can be read and occur in the corpora, on which the attribution rests.
    pub signs: usize,
    /// Periods, most likely first; the probabilities sum to 1.
    pub periods: Vec<LikelyOrigin>,
    /// Projects of Oracc, or CDLI's periods, most likely first; the probabilities sum to 1.
    pub projects: Vec<LikelyOrigin>,
    /// Texts given as reasons, most similar first.
    pub nearest: Vec<NearText>,
}

/// A possible period or project of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyOrigin {
    pub name: String,
    /// Probability from 0 to 1, among the periods or projects of the corpora. A text of any other origin is attributed
    /// to one of these too.
    pub probability: f32,
    /// Number of voting texts with this origin.
    pub texts: usize,
}

/// An edited text similar to the one asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearText {
    /// Number, project and address of the text; its line is where the rarest shared group stands.
    pub edition: EditionPlace,
    /// Period, if it is one that the corpora are counted by.
    pub period: Option<String>,
    /// Similarity: what both share relative to their lengths, from 0 to about 1.
    pub likeness: f32,
    /// Number of shared groups of two and three signs.
    pub shared: usize,
    /// Rarest shared groups, as the text asked about writes them.
    pub rarest: Vec<String>,
}
