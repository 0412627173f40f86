//! Files of corpora and what is counted in them: lines of signs, pairs of a source and its translation, treebanks, and
//! the tree of signs, readings, words and phrases.

pub mod counts;
pub mod error;
pub mod hierarchy;
pub mod pairs_file;
pub mod signs_file;
pub mod signs_row;
pub mod treebank;
