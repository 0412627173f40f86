//! Generation: the bytes that a model writes for a text.
//!
//! [`Options`] configure the search, [`Output`] is its result; the search knows the model only as a [`NextByte`], which
//! scores the bytes that may follow.

mod beam;
mod next_byte;
mod options;
mod output;
mod run;
mod sample;
mod search;

pub use next_byte::{Chosen, Continuation, NextByte, NextByteScores};
pub use options::{Method, Options};
pub use output::{Output, Partial};
pub use run::generate;
