//! Questions to the restorer.

use serde::{Deserialize, Serialize};
pub use tuppum_text::signs::Period;
use tuppum_text::{ReadingOptions, SignIndex};

/// A text and the places to restore in it. The text travels as typed; both sides read it with the same reader, so sign
/// indices mean the same on both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Transliteration as typed.
    pub text: String,
    /// Options of reading that the user has set; page and engine must number the same signs.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Legible signs to restore as if they were illegible.
    pub chosen: Vec<SignIndex>,
    /// Illegible signs and gaps to leave alone.
    pub left_alone: Vec<SignIndex>,
    /// Gaps to restore, while the others stay illegible; `None` restores all.
    #[serde(default)]
    pub only: Option<Vec<SignIndex>>,
    /// Choices of the user about single gaps.
    pub choices: Vec<GapChoice>,
    /// Readings that the user has accepted; they count as read.
    pub filled: Vec<Filled>,
    /// Period of the corpora by whose counts proposals are re-ranked.
    pub period: Option<Period>,
    /// Number of hypotheses that the joint search keeps (default 5).
    pub beam: usize,
    /// Number of proposals per gap (default 20).
    pub top: usize,
    /// Longest length tried for a gap of unknown length (default 10).
    pub longest: usize,
    /// `true` if attested contexts count beside the network, when corpora are open (default).
    #[serde(default = "yes")]
    pub contexts: bool,
}

fn yes() -> bool {
    true
}

impl Question {
    /// Creates a question about `text` with nothing chosen and the default numbers.
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

/// Choices of the user about one gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapChoice {
    /// Index of the illegible or chosen sign, or of the break.
    pub sign: SignIndex,
    pub boundary: Boundary,
    /// Visible traces of the sign.
    pub traces: Traces,
    /// Number of signs of a break of unknown length, if the user knows it.
    pub length: Option<usize>,
}

/// Boundary at a gap. Nine of ten `x` in the editions are written as words of their own whatever stood there, so the
/// typed space says little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Boundary {
    /// Unknown: the search tries both possibilities.
    #[default]
    Unknown,
    /// A word begins with the missing sign.
    WordStart,
    /// The missing sign continues a word.
    Inside,
}

/// Visible traces of a broken sign; an empty field requires nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// Beginning of the reading (canonical, any case, index ignored).
    pub starts_with: String,
    /// Part of the reading.
    pub contains: String,
    /// `Some(true)`: a logogram; `Some(false)`: not a logogram.
    pub logogram: Option<bool>,
}

/// Accepted answer for one gap: canonical readings, several for a break of unknown length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// Index of the gap.
    pub sign: SignIndex,
    /// Readings in order, each with `true` if it begins a word.
    pub readings: Vec<(String, bool)>,
}
