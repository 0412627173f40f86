//! Errors of reading the files of a corpus.

use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use thiserror::Error;
use tuppum_text::pair_table::LeftOut;

/// Error of reading a corpus: the file, the line and the problem.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", .path.display(), in_line(.line))]
pub struct CorpusError {
    /// File or folder that could not be read.
    pub path: PathBuf,
    /// Number of the faulty line, from 1, if one is to blame.
    pub line: Option<usize>,
    /// Problem, with advice.
    pub problem: CorpusProblem,
}

fn in_line(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl CorpusError {
    /// Creates an error about a whole file or folder.
    pub(crate) fn of(path: &Path, problem: impl Into<CorpusProblem>) -> Self {
        Self { path: path.to_path_buf(), line: None, problem: problem.into() }
    }

    /// Creates an error about a line, counted from 1.
    pub(crate) fn in_line(path: &Path, line: usize, problem: impl Into<CorpusProblem>) -> Self {
        Self { path: path.to_path_buf(), line: Some(line), problem: problem.into() }
    }
}

/// Problem of a file or folder of a corpus.
#[derive(Debug, Error)]
pub enum CorpusProblem {
    /// The system could not read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The folder has no file of signs.
    #[error("there is no file named *_signs.tsv or *_signs.tsv.xz here or in the folders below")]
    NoCorpus,
    /// An xz file is cut off or damaged.
    #[error("the file cannot be unpacked, it may be cut off ({0:?}); fetch it anew")]
    Packed(lzma_rs::error::Error),
    /// An unpacked file is not UTF-8.
    #[error("the file is no text: {0}")]
    NotText(FromUtf8Error),
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The first line of a file of signs is wrong.
    #[error("the first line must name the columns {expected:?}, others beside them are ignored; found {found:?}")]
    SignsHeader {
        /// Expected first line.
        expected: &'static str,
        /// First line found.
        found: String,
    },
    /// The first line of a file of pairs lacks a required column.
    #[error(
        "the first line must name the columns, separated by tabs (in *.csv by commas), \"source\" and \"target\" among \
         them, or \"transliteration\" and \"translation\"; found {0:?}"
    )]
    PairsHeader(String),
    /// A row of a table with commas is not a row.
    #[error(transparent)]
    Row(LeftOut),
    /// A row of signs cannot be read.
    #[error(transparent)]
    Signs(#[from] SignsRowError),
    /// A row of pairs has more or fewer cells than the first line.
    #[error("the first line names {named} columns separated by tabs, this row has {found}")]
    Columns {
        /// Number of columns in the first line.
        named: usize,
        /// Number of cells in the row.
        found: usize,
    },
    /// The first line of a lexicon is wrong.
    #[error("the first line must name the columns {expected:?}, found {found:?}")]
    LexiconHeader {
        /// Expected first line.
        expected: &'static str,
        /// First line found.
        found: String,
    },
    /// A cell holds something other than a count.
    #[error("{0:?} is no count; write a whole number")]
    Count(String),
    /// Half of a pair is missing.
    #[error("the {0} is empty; leave the row out, or fill it in")]
    EmptyCell(&'static str),
}

/// Reason why a row of a file of signs cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SignsRowError {
    /// The row does not have nine cells.
    #[error("a row has 9 columns separated by tabs, this one {0}")]
    Columns(usize),
    /// The columns of readings, states and word starts differ in length.
    #[error(
        "there are {readings} readings, {states} states and {word_starts} word starts; the three must be equally many"
    )]
    Counts {
        /// Number of readings.
        readings: usize,
        /// Number of states.
        states: usize,
        /// Number of word starts.
        word_starts: usize,
    },
    /// A letter is not a known state.
    #[error("the state of sign {sign} is {letter:?}; known are P, D, M, X, G and O")]
    State {
        /// Number of the sign, from 1.
        sign: usize,
        letter: char,
    },
}

/// Reason why a treebank cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TreebankError {
    /// A line is faulty.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Problem of the line.
        problem: WordProblem,
    },
    /// The words of a sentence do not form a tree.
    #[error("sentence that begins in line {first_line}: {problem}")]
    Sentence {
        /// Number of the sentence's first line, from 1.
        first_line: usize,
        /// Problem of the sentence.
        problem: TreeProblem,
    },
}

/// Problem of a line of a treebank.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WordProblem {
    /// The line does not have ten columns.
    #[error("it has {0} columns; a word of CoNLL-U has 10, with one tab between each two")]
    Columns(usize),
    /// A multiword line names other words than the next ones.
    #[error("{id} does not fit; the next word is number {expected}")]
    Range {
        /// Numbers as written.
        id: String,
        /// Number expected next.
        expected: usize,
    },
    /// The words are not numbered consecutively.
    #[error("the word has number {id} where {expected} is due")]
    Order {
        /// Number as written.
        id: String,
        /// Number expected next.
        expected: usize,
    },
    /// A cell holds something other than a number.
    #[error("{text:?} is no number of {what}")]
    Number {
        /// Text in place of the number.
        text: String,
        /// Kind of number expected: a word or a head.
        what: &'static str,
    },
}

/// Reason why the words of a sentence do not form a tree.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TreeProblem {
    /// The sentence does not have exactly one root.
    #[error("it has {0} roots; a tree has one, whose head is 0")]
    Roots(usize),
    /// A multiword line goes beyond the last word.
    #[error("a line of several words goes beyond its {words} words")]
    Range {
        /// Number of words in the sentence.
        words: usize,
    },
    /// A head is not a word of the sentence.
    #[error("word {word} has the head {head}, and there are {words} words")]
    Head {
        /// Number of the word, from 1.
        word: usize,
        /// Number of the word's head, from 1.
        head: usize,
        /// Number of words in the sentence.
        words: usize,
    },
    /// The heads above a word form a circle.
    #[error("the heads above word {0} go round in a circle")]
    Circle(usize),
}
