//! What can be wrong with the files of the formulary.

use thiserror::Error;

/// Why a file of the formulary could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}, line {line}: {problem}")]
pub struct FormularyError {
    /// Name of the file.
    pub file: String,
    /// Line from 1: of a clause the one on which it begins.
    pub line: usize,
    /// What is wrong and what to do.
    pub problem: FormularyProblem,
}

impl FormularyError {
    /// An error in a line, which is counted from 1.
    pub(super) fn new(file: &str, line: usize, problem: FormularyProblem) -> Self {
        Self { file: file.to_owned(), line, problem }
    }
}

/// What is wrong with a file of the formulary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FormularyProblem {
    /// It is no TOML, or lacks a key, or has one too many.
    #[error("this is no list of clauses: {0}")]
    Toml(String),
    /// Two clauses have one name.
    #[error("a clause before has the name {0:?} too; give each its own")]
    SameName(String),
    /// Something that must not be empty is.
    #[error("{0} is empty; write it, or leave the entry out")]
    Empty(&'static str),
    /// A brace or a parenthesis is not closed, or stands within a word.
    #[error(
        "{0:?} is no word of a pattern; write {{slot}} or {{slot}}-ma, a|b for either, (a) for a word that may lack"
    )]
    Token(String),
    /// A slot of an unknown kind.
    #[error("there is no slot {0:?}; the slots are {1}")]
    Slot(String, String),
    /// A slot stands twice in one pattern.
    #[error("the slot {0:?} stands twice in one pattern; number the second, as in {{person2}}")]
    SameSlot(String),
    /// The slots of the Akkadian and of the English differ.
    #[error(
        "the slots of {akkadian:?} are {in_akkadian:?}, those of the English {in_english:?}; both must have the same"
    )]
    OtherSlots {
        /// The pattern.
        akkadian: String,
        /// Its slots.
        in_akkadian: Vec<String>,
        /// The slots of the English.
        in_english: Vec<String>,
    },
    /// Fewer than two texts are cited.
    #[error("a clause cites two texts at least in which it stands, this one {0}")]
    TooFewTexts(usize),
    /// A text is not cited by its number.
    #[error("{0:?} is no number of a text of CDLI; write P and six digits")]
    Text(String),
    /// A row of a table has another number of cells.
    #[error("a row has {expected} cells apart by tabs, this one {found}")]
    Cells {
        /// Cells as it should be.
        expected: usize,
        /// Cells as it is.
        found: usize,
    },
    /// A row of a table is of an unknown kind.
    #[error("there is no kind {0:?}; the kinds are {1}")]
    Kind(String, String),
    /// A measured thing has an unknown unit.
    #[error("what is measured is measured by {1}, not by {0:?}")]
    Unit(String, String),
    /// One spelling stands for two things.
    #[error("the spelling {0:?} stands for {1:?} already; a spelling has one meaning in these tables")]
    SameSpelling(String, String),
}
