//! The hierarchy sign → reading as distances: between the bytes of a transliteration, and between signs themselves.
//!
//! [`bytes`] is the definition of the source text: a byte stands for the signs and readings that it is written in.
//! [`SignTree`] has every sign and reading of the corpora as a node, and [`SignTree::numbers`] says for each byte of a
//! text to which of them it belongs. Points for both are made by `tuppum-lab assets points`, as this room knows no
//! geometry.

pub mod bytes;
mod counts;
mod numbers;
mod tree;

pub use counts::ReadingCount;
pub use tree::{Node, SignTree};
