//! What edited texts say of a text that is asked about: which readings stand in the place of a gap elsewhere, and which
//! passages are like one of its lines. Plain data; the search lies where the texts are.

use serde::{Deserialize, Serialize};

/// Where a passage stands and can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionPlace {
    /// The number of its text (`P390626`).
    pub text: String,
    /// Oracc's project, or CDLI's name of the period.
    pub project: String,
    /// The label of its line, or of its first and last (`obverse 3 to 5`).
    pub line: String,
    /// Where the edition can be read.
    pub address: Option<String>,
}

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
    /// Where it stands.
    pub edition: EditionPlace,
    /// The signs before it, as written, with what joins it to them.
    pub before: String,
    /// The sign as written.
    pub sign: String,
    /// The signs behind it, with what joins them to it.
    pub behind: String,
    /// Whether the editor restored it: then it is no witness of the tablet's.
    pub restored: bool,
}

/// The passages that are most like one that was asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassages {
    /// The likest first.
    pub passages: Vec<ParallelPassage>,
    /// Texts with the same wording among the stretches that were looked at.
    pub texts: usize,
    /// Whether so many texts have the wording that it is a formula.
    pub is_formula: bool,
}

/// The published translations of the edited passages that are nearest to one that was asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RememberedTranslation {
    /// One run of lines, or several, each for a part of the passage, in its order.
    pub runs: Vec<RememberedRun>,
    /// How like all of them together are to the passage, from 0 to 1.
    pub similarity: f32,
}

/// Edited lines that follow one another, with their published translation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RememberedRun {
    /// Where they stand.
    pub edition: EditionPlace,
    /// The published translation.
    pub translation: String,
    /// The passage and the edited lines side by side.
    pub columns: Vec<ParallelSign>,
}

/// A passage that is like one that was asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassage {
    /// Where it stands.
    pub edition: EditionPlace,
    /// How like it is, from 0 to 1.
    pub similarity: f32,
    /// The two passages side by side, sign by sign.
    pub columns: Vec<ParallelSign>,
}

/// A column of two passages side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParallelSign {
    /// Both have the same reading.
    Same(WrittenSign),
    /// Both have the same sign in other readings: as asked, as attested.
    Variant(WrittenSign, WrittenSign),
    /// One of the two cannot be read: as asked, as attested.
    Unknown(WrittenSign, WrittenSign),
    /// They have other signs: as asked, as attested.
    Different(WrittenSign, WrittenSign),
    /// Only the passage asked about has it.
    OnlyAsked(WrittenSign),
    /// Only the attested passage has it.
    OnlyAttested(WrittenSign),
}

/// A sign as it is written in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSign {
    /// What stands before it: a space, a hyphen, a full stop or nothing.
    pub joiner: String,
    /// The canonical reading, `x` or `...`.
    pub reading: String,
}

impl WrittenSign {
    /// A sign that cannot be read, as a word of its own.
    pub fn illegible() -> Self {
        Self { joiner: " ".into(), reading: "x".into() }
    }
}
