//! What training and evaluation stand on: reading the corpora, counting them, cutting them into sequences.
//!
//! The corpora are files of signs, one line of a tablet per row ([`signs_file`]).

pub mod counts;
pub mod sequences;
#[cfg(feature = "cli")]
pub mod signs_file;
pub mod signs_row;
