//! Generation: which bytes a model writes for a text.
//!
//! [`Options`] says how to search, [`Output`] is what was found; the search between them knows the model only as a
//! [`NextByte`], something that tells which byte may follow.

mod beam;
mod greedy;
mod next_byte;
mod options;
mod output;
mod partial;
mod paths;
mod run;
mod sample;
mod search;
#[cfg(test)]
mod toy;

pub use next_byte::{Chosen, Continuation, NextByte, NextByteScores};
pub use options::{Method, Options};
pub use output::Output;
pub use partial::Partial;
pub use run::generate;
