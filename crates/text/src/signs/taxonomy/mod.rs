//! Hierarchy sign → reading as distances: between the bytes of a transliteration, and between signs themselves.
//!
//! [`bytes`] is the definition of the source text: a byte stands for the signs and readings that it is written in.
//! [`SignTree`] has every sign and reading of the corpora as a node, and [`SignTree::numbers`] gives the node of each
//! byte of a text. `tuppum-lab assets points` computes points for both, because this crate does not depend on geometry.

pub mod bytes;
mod counts;
mod numbers;
mod tree;

pub use counts::ReadingCount;
pub use tree::{Node, SignTree};
