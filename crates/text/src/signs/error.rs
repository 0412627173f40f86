//! Errors in a table of signs.

use thiserror::Error;

/// Reason why a table cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// The first line is not the expected one.
    #[error("the table must begin with {expected:?}, found {found:?}")]
    Header {
        /// Expected first line.
        expected: &'static str,
        /// First line as it is; `None` for an empty table.
        found: Option<String>,
    },
    /// The table of reading counts lacks a column.
    #[error("the table of reading counts has no column {0:?}")]
    NoColumn(&'static str),
    /// There is nothing below the first line.
    #[error("the table has no rows")]
    NoRows,
    /// A row is wrong.
    #[error("row {row}: {problem}")]
    Row {
        /// Number of the row, from 1; the first line is row 1.
        row: usize,
        /// Problem with the row.
        problem: RowProblem,
    },
}

/// Problem with a row.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowProblem {
    /// The row has more or fewer cells than the table has columns.
    #[error("it has another number of cells")]
    Cells,
    /// The cell is not a count.
    #[error("{0:?} is no count")]
    Count(String),
    /// The first cell is not a kind of row.
    #[error("{0:?} is no kind of row")]
    RowKind(Option<String>),
    /// The cell is not a possible neighbour of a gap.
    #[error("{0:?} is no neighbour")]
    Neighbour(String),
    /// The number of signs that begin a word is larger than the number of signs.
    #[error("{starts} of {of} signs begin a word")]
    WordStarts {
        /// Number of signs that begin a word.
        starts: u32,
        /// Number of all signs.
        of: u32,
    },
    /// The break is shorter or longer than those that are counted.
    #[error("lengths go from 1 to {longest}")]
    Length {
        /// Longest length that is counted.
        longest: usize,
    },
    /// The sign has no glyph, or occurred before.
    #[error("{0:?} is no sign, or has a row already")]
    Sign(String),
    /// The cell is not a kind of node.
    #[error("there is no kind {0:?}")]
    NodeKind(String),
    /// The first node is not a root, or a later one is.
    #[error("the first node is the root, and no other is")]
    Root,
    /// The node stands before its parent.
    #[error("the parent {parent:?} is no node before node {node}")]
    Parent {
        /// Parent as written.
        parent: String,
        /// Number of the node.
        node: usize,
    },
}

impl RowProblem {
    /// Returns the error of the table that has this row.
    pub(crate) fn in_row(self, row: usize) -> TableError {
        TableError::Row { row, problem: self }
    }
}
