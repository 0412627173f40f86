//! Parallels: passages of the corpora that are like the one asked about, the likest first, each aligned sign by sign.
//!
//! Patterns of three signs vote for where a passage may lie; the likeliest stretches are aligned (Smith and Waterman
//! 1981, "Identification of common molecular subsequences"). A sign that is not known agrees with every other a little,
//! so that damaged lines find their parallels too.

mod align;
mod search;
mod votes;

pub(crate) use align::align;
pub use align::{Aligned, Alignment};
pub(crate) use search::aligned;
pub use search::{FORMULA, Parallel, Parallels, parallels};
pub(crate) use votes::{Candidate, candidates};

#[cfg(test)]
mod tests;
