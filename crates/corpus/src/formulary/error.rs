//! Errors in the files of the formulary.

use thiserror::Error;

/// Error of reading a file of the formulary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}, line {line}: {problem}")]
pub struct FormularyError {
    /// Name of the file.
    pub file: String,
    /// Line from 1; for a clause the line on which it begins.
    pub line: usize,
    /// Problem, with advice.
    pub problem: FormularyProblem,
}

impl FormularyError {
    /// Creates an error about a line, counted from 1.
    pub(super) fn new(file: &str, line: usize, problem: FormularyProblem) -> Self {
        Self { file: file.to_owned(), line, problem }
    }
}

/// Problem of a file of the formulary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FormularyProblem {
    /// The file is not TOML, lacks a key or has an unknown one.
    #[error("this is no list of clauses: {0}")]
    Toml(String),
    /// Two clauses have the same name.
    #[error("a clause before has the name {0:?} too; give each its own")]
    SameName(String),
    /// A required text is empty.
    #[error("{0} is empty; write it, or leave the entry out")]
    Empty(&'static str),
    /// A brace or parenthesis is not closed, or stands within a word.
    #[error(
        "{0:?} is no word of a pattern; write {{slot}} or {{slot}}-ma, a|b for either, (a) for a word that may lack"
    )]
    Token(String),
    /// The kind of a slot is unknown.
    #[error("there is no slot {0:?}; the slots are {1}")]
    Slot(String, String),
    /// A slot occurs twice in one pattern.
    #[error("the slot {0:?} stands twice in one pattern; number the second, as in {{person2}}")]
    SameSlot(String),
    /// The Akkadian and the English have different slots.
    #[error(
        "the slots of {akkadian:?} are {in_akkadian:?}, those of the English {in_english:?}; both must have the same"
    )]
    OtherSlots {
        /// Akkadian pattern.
        akkadian: String,
        /// Slots of the Akkadian.
        in_akkadian: Vec<String>,
        /// Slots of the English.
        in_english: Vec<String>,
    },
    /// The clause cites fewer than two texts.
    #[error("a clause cites two texts at least in which it stands, this one {0}")]
    TooFewTexts(usize),
    /// A text is cited by something other than its number.
    #[error("{0:?} is no number of a text of CDLI; write P and six digits")]
    Text(String),
    /// A row of a table has the wrong number of cells.
    #[error("a row has {expected} cells apart by tabs, this one {found}")]
    Cells {
        /// Number of cells expected.
        expected: usize,
        /// Number of cells found.
        found: usize,
    },
    /// A row of a table has an unknown kind.
    #[error("there is no kind {0:?}; the kinds are {1}")]
    Kind(String, String),
    /// A measured thing has an unknown unit.
    #[error("what is measured is measured by {1}, not by {0:?}")]
    Unit(String, String),
    /// One spelling has two meanings.
    #[error("the spelling {0:?} stands for {1:?} already; a spelling has one meaning in these tables")]
    SameSpelling(String, String),
}
