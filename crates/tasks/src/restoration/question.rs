//! What is asked of the restorer.

use serde::{Deserialize, Serialize};
pub use tuppum_text::signs::Period;
use tuppum_text::{ReadingOptions, SignIndex};

/// A text and the places to restore in it. The text travels as typed; both sides read it with the same reader, so sign
/// numbers mean the same on both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The transliteration as typed.
    pub text: String,
    /// How it is read where the user has said so; page and engine number the same signs.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Legible signs that are to be restored all the same, as if they were illegible.
    pub chosen: Vec<SignIndex>,
    /// Illegible signs and gaps that are to be left alone.
    pub left_alone: Vec<SignIndex>,
    /// Restore these gaps alone; the others stay illegible. All, where nothing is said.
    #[serde(default)]
    pub only: Option<Vec<SignIndex>>,
    /// What the user has fixed about single gaps.
    pub choices: Vec<GapChoice>,
    /// Readings that the user has accepted; they count as read.
    pub filled: Vec<Filled>,
    /// Re-rank by the counts of this period of the corpora.
    pub period: Option<Period>,
    /// How many hypotheses the joint search keeps (default 5).
    pub beam: usize,
    /// How many proposals per gap (default 20).
    pub top: usize,
    /// The longest length tried for a gap of unknown length (default 10).
    pub longest: usize,
    /// Whether attested contexts count beside the network, where corpora are open (default true).
    #[serde(default = "yes")]
    pub contexts: bool,
}

fn yes() -> bool {
    true
}

impl Question {
    /// A question about `text` with nothing chosen and the defaults of the design.
    pub fn about(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reading: ReadingOptions::default(),
            chosen: Vec::new(),
            left_alone: Vec::new(),
            only: None,
            choices: Vec::new(),
            filled: Vec::new(),
            period: None,
            beam: 5,
            top: 20,
            longest: 10,
            contexts: true,
        }
    }
}

/// What the user has fixed about one gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapChoice {
    /// Which illegible or chosen sign, or break.
    pub sign: SignIndex,
    /// Whether a word begins there.
    pub boundary: Boundary,
    /// What can still be seen.
    pub traces: Traces,
    /// For a break of unknown length: the number of signs, if the user knows it.
    pub length: Option<usize>,
}

/// Whether a word begins at a gap. Nine of ten `x` in the editions stand as words of their own whatever stood there,
/// so the typed space says little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Boundary {
    /// Both are tried.
    #[default]
    Unknown,
    /// A word begins with the missing sign.
    WordStart,
    /// The missing sign continues a word.
    Inside,
}

/// What can still be seen of a broken sign; an empty field asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// The reading starts with this (canonical, any case, index ignored).
    pub starts_with: String,
    /// The reading contains this.
    pub contains: String,
    /// `Some(true)`: a logogram; `Some(false)`: none.
    pub logogram: Option<bool>,
}

/// An accepted answer for one gap: canonical readings, several for a break of unknown length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// Which gap.
    pub sign: SignIndex,
    /// The readings in order, each with whether it begins a word.
    pub readings: Vec<(String, bool)>,
}
