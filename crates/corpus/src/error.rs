//! What can be wrong with the files of a corpus.

use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use thiserror::Error;

/// Why a corpus could not be read.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", .path.display(), in_line(.line))]
pub struct CorpusError {
    /// File or folder that could not be read.
    pub path: PathBuf,
    /// Line from 1, where one is to blame.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub problem: CorpusProblem,
}

fn in_line(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl CorpusError {
    /// An error of a file or folder as a whole.
    pub(crate) fn of(path: &Path, problem: impl Into<CorpusProblem>) -> Self {
        Self { path: path.to_path_buf(), line: None, problem: problem.into() }
    }

    /// An error in a line, which is counted from 1.
    pub(crate) fn in_line(path: &Path, line: usize, problem: impl Into<CorpusProblem>) -> Self {
        Self { path: path.to_path_buf(), line: Some(line), problem: problem.into() }
    }
}

/// What is wrong with a file or folder of a corpus.
#[derive(Debug, Error)]
pub enum CorpusProblem {
    /// The system could not read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder has no file of signs.
    #[error("there is no file named *_signs.tsv or *_signs.tsv.xz here or in the folders below")]
    NoCorpus,
    /// An xz file breaks off or is damaged.
    #[error("the file cannot be unpacked, it may be cut off ({0:?}); fetch it anew")]
    Packed(lzma_rs::error::Error),
    /// An unpacked file is not UTF-8.
    #[error("the file is no text: {0}")]
    NotText(FromUtf8Error),
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The first line of a file of signs is another one.
    #[error("the first line must name the columns {expected:?}, others beside them are ignored; found {found:?}")]
    SignsHeader {
        /// The first line as it should be.
        expected: &'static str,
        /// The line as it is.
        found: String,
    },
    /// The first line of a file of pairs lacks a column that is needed.
    #[error(
        "the first line must name the columns, separated by tabs, \"source\" and \"target\" among them; found {0:?}"
    )]
    PairsHeader(String),
    /// A row of signs cannot be read.
    #[error(transparent)]
    Signs(#[from] SignsRowError),
    /// A pair has more or fewer cells than the first line names.
    #[error("the first line names {named} columns separated by tabs, this row has {found}")]
    Columns {
        /// Columns of the first line.
        named: usize,
        /// Cells of the row.
        found: usize,
    },
    /// The first line of a lexicon is another one.
    #[error("the first line must name the columns {expected:?}, found {found:?}")]
    LexiconHeader {
        /// The first line as it should be.
        expected: &'static str,
        /// The line as it is.
        found: String,
    },
    /// A cell should hold a count and does not.
    #[error("{0:?} is no count; write a whole number")]
    Count(String),
    /// Half of a pair is missing.
    #[error("the {0} is empty; leave the row out, or fill it in")]
    EmptyCell(&'static str),
}

/// Why a row of a file of signs cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SignsRowError {
    /// The row has more or fewer than nine cells.
    #[error("a row has 9 columns separated by tabs, this one {0}")]
    Columns(usize),
    /// Three columns should say one thing of each sign, and do not.
    #[error(
        "there are {readings} readings, {states} states and {word_starts} word starts; the three must be equally many"
    )]
    Counts {
        /// Readings in the row.
        readings: usize,
        /// Letters for states.
        states: usize,
        /// Digits for word starts.
        word_starts: usize,
    },
    /// A letter stands for no state.
    #[error("the state of sign {sign} is {letter:?}; known are P, D, M, X, G and O")]
    State {
        /// Number of the sign, from 1.
        sign: usize,
        /// The letter.
        letter: char,
    },
}

/// Why a treebank cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TreebankError {
    /// A line is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: WordProblem,
    },
    /// The words of a sentence form no tree.
    #[error("sentence that begins in line {first_line}: {problem}")]
    Sentence {
        /// Number of its first line, from 1.
        first_line: usize,
        /// What is wrong with it.
        problem: TreeProblem,
    },
}

/// What is wrong with a line of a treebank.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WordProblem {
    /// The line has another number of columns.
    #[error("it has {0} columns; a word of CoNLL-U has 10, with one tab between each two")]
    Columns(usize),
    /// A line of several words names others than the next ones.
    #[error("{id} does not fit; the next word is number {expected}")]
    Range {
        /// The numbers as written.
        id: String,
        /// The number that is due.
        expected: usize,
    },
    /// The words are not numbered one after the other.
    #[error("the word has number {id} where {expected} is due")]
    Order {
        /// The number as written.
        id: String,
        /// The number that is due.
        expected: usize,
    },
    /// A number was expected.
    #[error("{text:?} is no number of {what}")]
    Number {
        /// Text in place of the number.
        text: String,
        /// What is numbered: a word or a head.
        what: &'static str,
    },
}

/// Why the words of a sentence form no tree.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TreeProblem {
    /// There is no root, or more than one.
    #[error("it has {0} roots; a tree has one, whose head is 0")]
    Roots(usize),
    /// A line of several words goes beyond the last word.
    #[error("a line of several words goes beyond its {words} words")]
    Range {
        /// Words of the sentence.
        words: usize,
    },
    /// A head is no word of the sentence.
    #[error("word {word} has the head {head}, and there are {words} words")]
    Head {
        /// Number of the word, from 1.
        word: usize,
        /// Number of its head, from 1.
        head: usize,
        /// Words of the sentence.
        words: usize,
    },
    /// The heads above a word lead back to it.
    #[error("the heads above word {0} go round in a circle")]
    Circle(usize),
}
