//! What can be wrong with a plan of training.

use std::fmt;
use thiserror::Error;

/// Why a plan cannot be carried out: what is wrong and what to do.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlanProblem {
    /// A number of the settings makes no sense.
    #[error("the {name} is {value}; it must {range}")]
    Setting {
        /// What the user calls it.
        name: &'static str,
        /// The number.
        value: f64,
        /// What it may be.
        range: SettingRange,
    },
    /// More signs are to be masked at least than at most.
    #[error("the least share of masked signs, {least}, is above the greatest, {most}; swap the two")]
    Masking {
        /// Least share of masked signs.
        least: f64,
        /// Greatest share of masked signs.
        most: f64,
    },
    /// Something that is counted is 0.
    #[error("epochs, steps, batches per step, parts of a batch and {0} must be 1 or more")]
    Zero(&'static str),
    /// A window is too short to learn from.
    #[error("a window of {0} tokens holds too few signs; use 384, for example")]
    Window(usize),
    /// Rank or strength of the adapters makes no sense.
    #[error(
        "LoRA adapters of rank {rank} and strength {strength} are not possible; the rank must lie between 1 and \
         {most}, the strength above 0"
    )]
    Adapters {
        /// The rank.
        rank: usize,
        /// The strength.
        strength: f64,
        /// The highest rank.
        most: usize,
    },
    /// A bias reaches no block.
    #[error("the hyperbolic bias reaches no encoder block; say 1 or more, 4 for example, or train without it")]
    BiasLayers,
    /// A bias is to be attached or trained, and left out as well.
    #[error("the run leaves the hyperbolic bias out, and is to attach or train one as well; choose one of the two")]
    NoBias,
    /// Spans of no length, or with a share that leaves nothing.
    #[error("spans of {mean} bytes with a share of {share} are not possible; use 20 bytes and 0.15, for example")]
    Spans {
        /// Their mean length.
        mean: usize,
        /// Their share of the text.
        share: f64,
    },
    /// A text cannot be trained with.
    #[error("text {number} cannot be used for training: {problem}")]
    Text {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        problem: TextProblem,
    },
    /// A pair cannot be trained with.
    #[error("pair {number} cannot be used for training: {problem}")]
    Pair {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        problem: PairProblem,
    },
    /// No text trains.
    #[error(
        "of {all} texts none is left to train with: {held_out} are held out, {short} have fewer than {fewest} legible \
         signs"
    )]
    NoTexts {
        /// How many texts there are.
        all: usize,
        /// How many of them are held out.
        held_out: usize,
        /// How many are too short.
        short: usize,
        /// The fewest signs that a text must have.
        fewest: usize,
    },
    /// No pair trains.
    #[error(
        "of {all} pairs none is left to train with: {held_out} are held out, {long} have more than {longest} bytes"
    )]
    NoPairs {
        /// How many pairs there are.
        all: usize,
        /// How many of them are held out.
        held_out: usize,
        /// How many are too long.
        long: usize,
        /// The most bytes that a source or target may have.
        longest: usize,
    },
}

/// What a number of the settings may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingRange {
    /// From 0 to 1.
    Share,
    /// From 0 to below 1.
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

/// What is wrong with a text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextProblem {
    /// A line has more or fewer states than signs.
    #[error("line {line} has {signs} signs and {states} states")]
    States {
        /// Number of the line, from 1.
        line: usize,
        /// Its signs.
        signs: usize,
        /// Its states.
        states: usize,
    },
    /// A letter stands for no state.
    #[error("line {line} has the state {letter:?}; known are P, D, M, X and G")]
    State {
        /// Number of the line, from 1.
        line: usize,
        /// The letter.
        letter: char,
    },
}

/// What is wrong with a pair.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PairProblem {
    /// There is no transliteration.
    #[error("its source is empty")]
    NoSource,
    /// There is no translation.
    #[error("its target is empty")]
    NoTarget,
    /// The weight is 0, less, or no number.
    #[error("its weight is {0}; it must be above 0")]
    Weight(f32),
}
