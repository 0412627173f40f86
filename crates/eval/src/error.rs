//! Why something cannot be measured or compared.

use thiserror::Error;

/// Why models cannot be compared, or no interval be told.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ComparisonError {
    /// Two models were measured on different pairs or signs, or on none, or no samples are to be drawn.
    #[error(
        "the models were measured on {first} and {second} {what} in {samples} samples; they must be the same {what}, \
         one at least"
    )]
    Different {
        /// What was counted.
        what: &'static str,
        /// How many the first was measured on.
        first: usize,
        /// How many the second was measured on.
        second: usize,
        /// How many samples are to be drawn.
        samples: usize,
    },
    /// The texts are those of other measurements.
    #[error("texts are told of {told} {what}, and {measured} were measured")]
    Texts {
        /// What was counted.
        what: &'static str,
        /// How many the texts tell of.
        told: usize,
        /// How many were measured.
        measured: usize,
    },
    /// The texts are those of other points.
    #[error("texts are told of {told} points, and there are {points}")]
    Points {
        /// How many the texts tell of.
        told: usize,
        /// How many there are.
        points: usize,
    },
    /// Two models were measured on other pairs than these.
    #[error("the models were measured on {first} and {second} pairs, not on {pairs}")]
    OtherPairs {
        /// How many the first was measured on.
        first: usize,
        /// How many the second was measured on.
        second: usize,
        /// How many there are.
        pairs: usize,
    },
    /// Runs were measured on other pairs than these.
    #[error("the runs were measured on {measured} pairs, not {pairs}")]
    OtherRuns {
        /// How many they were measured on.
        measured: usize,
        /// How many there are.
        pairs: usize,
    },
    /// Two systems translated different sentences.
    #[error(
        "the first system has {first} sentences and the second {second}; a paired test needs translations of the same \
         sentences"
    )]
    Sentences {
        /// Sentences of the first.
        first: usize,
        /// Sentences of the second.
        second: usize,
    },
    /// A bootstrap has nothing to draw from, or nothing to draw.
    #[error("there are {sentences} sentences and {samples} samples; a bootstrap needs one of each at least")]
    Nothing {
        /// How many sentences there are.
        sentences: usize,
        /// How many samples are to be drawn.
        samples: usize,
    },
    /// Points are too few, or one above the other.
    #[error("no line can be drawn through {0} points that hardly differ in x")]
    NoLine(usize),
    /// Points of every sample are one above the other.
    #[error("every sample's points have the same x; no slope can be told")]
    NoSlope,
}

/// Why a table of masked signs cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlacesError {
    /// The first line is another one.
    #[error("a table of positions begins with the columns \"sequence\" and \"place\"")]
    Header,
    /// A row does not begin with two numbers.
    #[error("row {row}: {line:?} does not begin with two numbers")]
    NoNumbers {
        /// Number of the row, from 1.
        row: usize,
        /// The row.
        line: String,
    },
    /// A place has no sign that could be masked.
    #[error(
        "row {row}: place {place} of sequence {sequence} is no preserved sign; the table is of another corpus, limit, \
         window or vocabulary"
    )]
    NoSign {
        /// Number of the row, from 1.
        row: usize,
        /// The place in its sequence.
        place: usize,
        /// Number of the sequence.
        sequence: usize,
    },
}
