//! Errors of measuring and comparing.

use thiserror::Error;

/// Reason why models cannot be compared, or why there is no interval.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ComparisonError {
    /// Two models were measured on different pairs or signs, or on none, or no samples are to be drawn.
    #[error(
        "the models were measured on {first} and {second} {what} in {samples} samples; they must be the same {what}, \
         one at least"
    )]
    Different {
        /// Name of the things counted.
        what: &'static str,
        /// Number that the first model was measured on.
        first: usize,
        /// Number that the second model was measured on.
        second: usize,
        /// Number of samples to draw.
        samples: usize,
    },
    /// The texts belong to other measurements.
    #[error("texts are told of {told} {what}, and {measured} were measured")]
    Texts {
        /// Name of the things counted.
        what: &'static str,
        /// Number in the list of texts.
        told: usize,
        /// Number measured.
        measured: usize,
    },
    /// The texts belong to other points.
    #[error("texts are told of {told} points, and there are {points}")]
    Points {
        /// Number in the list of texts.
        told: usize,
        /// Number of points.
        points: usize,
    },
    /// Two models were measured on other pairs than these.
    #[error("the models were measured on {first} and {second} pairs, not on {pairs}")]
    OtherPairs {
        /// Number of pairs that the first model was measured on.
        first: usize,
        /// Number of pairs that the second model was measured on.
        second: usize,
        /// Number of pairs given.
        pairs: usize,
    },
    /// Runs were measured on other pairs than these.
    #[error("the runs were measured on {measured} pairs, not {pairs}")]
    OtherRuns {
        /// Number of pairs that the runs were measured on.
        measured: usize,
        /// Number of pairs given.
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
        /// Number of sentences.
        sentences: usize,
        /// Number of samples to draw.
        samples: usize,
    },
    /// There are too few points, or all have the same x.
    #[error("no line can be drawn through {0} points that hardly differ in x")]
    NoLine(usize),
    /// All points of every sample have the same x.
    #[error("every sample's points have the same x; no slope can be told")]
    NoSlope,
}

/// Reason why a table of masked signs cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlacesError {
    /// The first line is not the expected header.
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
