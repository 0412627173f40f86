//! Rows of a table, and reasons why a line is not a row.

use thiserror::Error;

/// Row with the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Number of the row's first line, from 1.
    pub line: usize,
    /// Cells of the row.
    pub cells: Vec<String>,
}

/// Row that is left out, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of the row's first line, from 1.
    pub line: usize,
    /// Reason, for the user.
    pub reason: LeftOut,
}

/// Reason why a row is left out.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LeftOut {
    /// The row has more or fewer cells than there are columns.
    #[error(
        "it has {found} cell{}, while {} {columns}",
        if *.found == 1 { "" } else { "s" },
        if *.named { "the first line names" } else { "most rows have" }
    )]
    Cells {
        /// Number of cells of the row.
        found: usize,
        /// Number of cells of the other rows.
        columns: usize,
        /// `true` if the first line names the columns.
        named: bool,
    },
    /// A quotation mark is missing.
    #[error("a quotation mark is opened in it and never closed")]
    OpenQuotation,
    /// The line is JSON, but not an object.
    #[error("it is JSON, but not an object with names, such as {{\"source\": …, \"target\": …}}")]
    NoObject,
    /// The line is not JSON, for this reason.
    #[error("it is not a JSON object: {0}")]
    NoJson(String),
    /// There is no transliteration.
    #[error("the transliteration is empty")]
    NoTransliteration,
    /// There is no translation.
    #[error("the translation is empty")]
    NoTranslation,
    /// The weight is not a number, or is out of range.
    #[error("the weight “{0}” is not a number above 0 and up to 1")]
    Weight(String),
    /// The transliteration has no legible sign.
    #[error("no sign of “{0}” can be read")]
    Unreadable(String),
    /// The pair occurred before.
    #[error("the same pair is in line {first}")]
    Duplicate {
        /// Line of the pair's first occurrence.
        first: usize,
    },
}
