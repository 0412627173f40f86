//! Parallels: passages of the corpora similar to the one asked about, most similar first, each aligned sign by sign.
//!
//! Patterns of three signs vote for the places of similar passages; the likeliest stretches are aligned (Smith and
//! Waterman 1981, "Identification of common molecular subsequences"). An unknown sign agrees with every other one a
//! little, so that damaged lines find their parallels too.

mod align;
mod search;
mod votes;

pub(crate) use align::align;
pub use align::{Aligned, Alignment};
pub(crate) use search::aligned;
pub use search::{FORMULA_TEXTS, Parallel, Parallels, parallels};
pub(crate) use votes::{VotedStretch, candidates};

#[cfg(test)]
mod tests;
