//! What attested texts say of a gap: which readings stand between such neighbours elsewhere, and where.

use serde::{Deserialize, Serialize};

/// A reading that stands between such neighbours elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttestedReading {
    /// The canonical reading.
    pub reading: String,
    /// Whether a word begins with it there.
    pub starts_word: bool,
    /// The part of the probability of the whole gap that its witnesses make, from 0 to 1.
    pub share: f32,
    /// In how many texts it stands so.
    pub texts: usize,
    /// Where, the likest contexts first.
    pub places: Vec<AttestedPlace>,
}

/// A place of the corpora.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedPlace {
    /// The number of its text (`P390626`).
    pub text: String,
    /// Oracc's project, or CDLI's name of the period.
    pub project: String,
    /// The label of its line.
    pub line: String,
    /// Where the edition can be read.
    pub address: Option<String>,
    /// The signs before it, as written.
    pub before: String,
    /// The sign as written.
    pub sign: String,
    /// The signs behind it.
    pub behind: String,
    /// Whether the editor restored it: then it is no witness of the tablet's.
    pub restored: bool,
}
