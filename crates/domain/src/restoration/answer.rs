//! Answers of the restorer. Everything in them is a machine proposal with its probability, never a reading of the
//! tablet.

use serde::{Deserialize, Serialize};
use tuppum_text::SignIndex;

/// Answer so far: first each gap on its own, then joint readings, each refining the answer before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// One entry per gap, in order of place.
    pub gaps: Vec<GapAnswer>,
    /// Best fillings of all gaps together, best first; empty until the joint search has found some.
    pub joint: Vec<Joint>,
}

/// Proposals for one gap on its own, with the other gaps open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapAnswer {
    /// Index of the sign or break in the document.
    pub sign: SignIndex,
    /// Best readings, most probable first; for a break of unknown length the readings of a single sign.
    pub proposals: Vec<Proposal>,
    /// Lengths tried for a break of unknown length, most probable first; empty for a single sign.
    pub lengths: Vec<LengthAnswer>,
    /// Probability that a word begins here, before the model is asked (1 or 0 if the user fixed it).
    pub word_start: f32,
}

/// One proposed sign: readings that differ only in case or convention are one proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Canonical reading of the most likely form.
    pub reading: String,
    /// Reading in the convention of the text.
    pub written: String,
    /// Cuneiform glyph; empty if the sign list has none.
    pub glyph: String,
    /// Name of the sign (`KA`); empty if the sign list has none.
    pub sign_name: String,
    /// `true` if the most likely form begins a word.
    pub starts_word: bool,
    /// Probability of all variants together, after traces and period.
    pub probability: f32,
    /// Merged forms, most probable first.
    pub variants: Vec<Variant>,
}

/// One form of a proposal: a token of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// Canonical reading.
    pub reading: String,
    /// `true` if the reading begins a word.
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
    /// Readings of the most likely filling.
    pub readings: Vec<JointReading>,
}

/// One filling of all gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Readings of every gap, in order of place.
    pub readings: Vec<JointReading>,
    /// Probability among the hypotheses kept.
    pub probability: f32,
    /// Natural logarithm of the model's joint probability.
    pub log_probability: f32,
}

/// One sign of a filling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointReading {
    /// Index of the gap that contains the sign.
    pub sign: SignIndex,
    /// Canonical reading.
    pub reading: String,
    /// Reading in the convention of the text.
    pub written: String,
    /// Glyph of the reading, or empty.
    pub glyph: String,
    /// `true` if the reading begins a word.
    pub starts_word: bool,
    /// Probability given everything that was filled before it.
    pub probability: f32,
}
