//! What can be wrong with a table of signs.

use thiserror::Error;

/// Why a table cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// The first line is another one.
    #[error("the table must begin with {expected:?}, found {found:?}")]
    Header {
        /// The first line as it should be.
        expected: &'static str,
        /// The line as it is; none where the table is empty.
        found: Option<String>,
    },
    /// The table of reading counts lacks a column.
    #[error("the table of reading counts has no column {0:?}")]
    NoColumn(&'static str),
    /// There is a first line and nothing below it.
    #[error("the table has no rows")]
    NoRows,
    /// A row is wrong.
    #[error("row {row}: {problem}")]
    Row {
        /// Number of the row, from 1; the first line is row 1.
        row: usize,
        /// What is wrong with it.
        problem: RowProblem,
    },
}

/// What is wrong with a row.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowProblem {
    /// The row has more or fewer cells than the table has columns.
    #[error("it has another number of cells")]
    Cells,
    /// A count was expected.
    #[error("{0:?} is no count")]
    Count(String),
    /// The first cell names no kind of row.
    #[error("{0:?} is no kind of row")]
    RowKind(Option<String>),
    /// A cell names nothing that can stand beside a gap.
    #[error("{0:?} is no neighbour")]
    Neighbour(String),
    /// More signs begin a word than there are.
    #[error("{starts} of {of} signs begin a word")]
    WordStarts {
        /// Signs that begin a word.
        starts: u32,
        /// All signs.
        of: u32,
    },
    /// A break is shorter or longer than those that are counted.
    #[error("lengths go from 1 to {longest}")]
    Length {
        /// The longest length that is counted.
        longest: usize,
    },
    /// A sign has no glyph, or a row already.
    #[error("{0:?} is no sign, or has a row already")]
    Sign(String),
    /// A cell names no kind of node.
    #[error("there is no kind {0:?}")]
    NodeKind(String),
    /// The first node is no root, or a later one is.
    #[error("the first node is the root, and no other is")]
    Root,
    /// A node stands before the one above it.
    #[error("the parent {parent:?} is no node before node {node}")]
    Parent {
        /// The parent as written.
        parent: String,
        /// Number of the node.
        node: usize,
    },
}

impl RowProblem {
    /// The error of the table that has this row.
    pub(crate) fn in_row(self, row: usize) -> TableError {
        TableError::Row { row, problem: self }
    }
}
