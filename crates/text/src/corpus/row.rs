//! A row of a table, and what could not be one.

/// A row and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Its cells.
    pub cells: Vec<String>,
}

/// A row that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Why, for the user.
    pub reason: String,
}
