//! What the restorer found. Everything in it is a machine proposal with its probability, never a reading of the tablet.

use serde::{Deserialize, Serialize};
use tuppum_text::SignIndex;

/// The answer so far: gaps on their own first, then joint readings, each refining what came before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// One entry per gap, in order of place.
    pub gaps: Vec<GapAnswer>,
    /// The best fillings of all gaps together, best first; empty until the joint search has got there.
    pub joint: Vec<Joint>,
}

/// The proposals for one gap on its own, the other gaps being open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapAnswer {
    /// Which sign or break of the document.
    pub sign: SignIndex,
    /// The best readings, most probable first; for a break of unknown length those of its most probable length 1.
    pub proposals: Vec<Proposal>,
    /// For a break of unknown length: each length tried, most probable first; empty for a single sign.
    pub lengths: Vec<LengthAnswer>,
    /// Probability that a word begins here, before the model is asked (1 or 0 when the user fixed it).
    pub word_start: f32,
}

/// One proposed sign: readings that differ only in case or convention are one proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The likeliest canonical reading.
    pub reading: String,
    /// The reading in the convention of the text.
    pub written: String,
    /// Its cuneiform glyph, empty when the sign list has none.
    pub glyph: String,
    /// Name of its sign (`KA`), empty when the sign list has none.
    pub sign_name: String,
    /// Whether its likeliest form begins a word.
    pub starts_word: bool,
    /// Probability, all variants together, after filters and period.
    pub probability: f32,
    /// The forms that were merged, most probable first.
    pub variants: Vec<Variant>,
}

/// One form of a proposal: a token of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// Canonical reading.
    pub reading: String,
    /// Whether the reading begins a word.
    pub starts_word: bool,
    /// Probability of the reading.
    pub probability: f32,
}

/// One length of a break, filled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LengthAnswer {
    /// Number of signs.
    pub length: usize,
    /// Probability of the length among those tried: corpus prior and fit of the filling.
    pub probability: f32,
    /// The likeliest filling.
    pub readings: Vec<JointReading>,
}

/// One filling of all gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// For each gap in order of place: its readings.
    pub readings: Vec<JointReading>,
    /// Probability among the hypotheses kept.
    pub probability: f32,
    /// Natural logarithm of the model's joint probability.
    pub log_probability: f32,
}

/// One sign of a filling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointReading {
    /// The gap that it stands in.
    pub sign: SignIndex,
    /// Canonical reading.
    pub reading: String,
    /// The reading in the convention of the text.
    pub written: String,
    /// Glyph of the reading, or empty.
    pub glyph: String,
    /// Whether the reading begins a word.
    pub starts_word: bool,
    /// Probability given what was filled before it.
    pub probability: f32,
}
