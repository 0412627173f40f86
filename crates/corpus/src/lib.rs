//! Corpora: their files, an index of attested texts, and everything counted in them or looked up there.

pub mod attested;
pub mod attribution;
pub mod bonds;
pub mod context;
pub mod counts;
pub mod error;
pub mod formulary;
pub mod glosses;
pub mod hierarchy;
pub mod names;
pub mod opened;
pub mod own;
pub mod pairs_file;
pub mod parallels;
pub mod signs_file;
pub mod signs_row;
pub mod translation_memory;
pub mod treebank;
