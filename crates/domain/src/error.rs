//! Problems of a plan of training.

use std::fmt;
use thiserror::Error;

/// Reason why a plan cannot be carried out, with advice.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlanProblem {
    /// A number of the settings is out of range.
    #[error("the {name} is {value}; it must {range}")]
    Setting {
        /// Name of the setting for the user.
        name: &'static str,
        value: f64,
        /// Range of possible values.
        range: SettingRange,
    },
    /// The least share of masked signs is above the greatest.
    #[error("the least share of masked signs, {least}, is above the greatest, {most}; swap the two")]
    Masking {
        /// Least share of masked signs.
        least: f64,
        /// Greatest share of masked signs.
        most: f64,
    },
    /// A count is 0.
    #[error("epochs, steps, batches per step, parts of a batch and {0} must be 1 or more")]
    Zero(&'static str),
    /// A window is too short to learn from.
    #[error("a window of {0} tokens holds too few signs; use 384, for example")]
    Window(usize),
    /// Rank or strength of the adapters is out of range.
    #[error(
        "LoRA adapters of rank {rank} and strength {strength} are not possible; the rank must lie between 1 and \
         {most}, the strength above 0"
    )]
    Adapters {
        rank: usize,
        strength: f64,
        /// Highest possible rank.
        most: usize,
    },
    /// The bias reaches no encoder block.
    #[error("the hyperbolic bias reaches no encoder block; say 1 or more, 4 for example, or train without it")]
    BiasLayers,
    /// The bias is left out, yet to be attached or trained.
    #[error("the run leaves the hyperbolic bias out, and is to attach or train one as well; choose one of the two")]
    NoBias,
    /// Spans have no length, or a share that leaves nothing.
    #[error("spans of {mean} bytes with a share of {share} are not possible; use 20 bytes and 0.15, for example")]
    Spans {
        /// Mean length of spans.
        mean: usize,
        /// Share of the text in spans.
        share: f64,
    },
    /// A text cannot be used for training.
    #[error("text {number} cannot be used for training: {problem}")]
    Text {
        /// Number of the text, from 1.
        number: usize,
        /// Problem of the text.
        problem: TextProblem,
    },
    /// A pair cannot be used for training.
    #[error("pair {number} cannot be used for training: {problem}")]
    Pair {
        /// Number of the pair, from 1.
        number: usize,
        /// Problem of the pair.
        problem: PairProblem,
    },
    /// No text is left to train with.
    #[error(
        "of {all} texts none is left to train with: {held_out} are held out, {short} have fewer than {fewest} legible \
         signs"
    )]
    NoTexts {
        /// Number of texts.
        all: usize,
        /// Number of texts held out.
        held_out: usize,
        /// Number of texts that are too short.
        short: usize,
        /// Minimum number of legible signs of a text.
        fewest: usize,
    },
    /// No pair is left to train with.
    #[error(
        "of {all} pairs none is left to train with: {held_out} are held out, {long} have more than {longest} bytes"
    )]
    NoPairs {
        /// Number of pairs.
        all: usize,
        /// Number of pairs held out.
        held_out: usize,
        /// Number of pairs that are too long.
        long: usize,
        /// Maximum bytes of a source or target.
        longest: usize,
    },
}

/// Range of a number of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingRange {
    /// A number from 0 to 1.
    Share,
    /// A number from 0 to below 1.
    BelowOne,
    /// Above 0.
    AboveZero,
    /// 0 or more.
    NotNegative,
}

impl fmt::Display for SettingRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Share => "lie between 0 and 1",
            Self::BelowOne => "lie between 0 and 1, below 1",
            Self::AboveZero => "be above 0",
            Self::NotNegative => "be 0 or more",
        })
    }
}

/// Problem of a text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextProblem {
    /// The numbers of signs and states in a line differ.
    #[error("line {line} has {signs} signs and {states} states")]
    States {
        /// Number of the line, from 1.
        line: usize,
        /// Number of signs.
        signs: usize,
        /// Number of states.
        states: usize,
    },
    /// A letter is not a known state.
    #[error("line {line} has the state {letter:?}; known are P, D, M, X and G")]
    State {
        /// Number of the line, from 1.
        line: usize,
        letter: char,
    },
}

/// Problem of a pair.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PairProblem {
    /// The transliteration is missing.
    #[error("its source is empty")]
    NoSource,
    /// The translation is missing.
    #[error("its target is empty")]
    NoTarget,
    /// The weight is 0, negative, or not a number.
    #[error("its weight is {0}; it must be above 0")]
    Weight(f32),
}
