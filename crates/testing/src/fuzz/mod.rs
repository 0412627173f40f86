//! Fuzzing without a nightly compiler: readers get mutated inputs, and must not panic, hang or take more memory than
//! stated.
//!
//! A test names a [`Target`] and calls [`Target::run`]. An ordinary test run replays the inputs in `tests/fuzz` and a
//! fixed number of mutations of the seeds, always the same ones. Under `cargo xtask fuzz`, which sets [`SECONDS`], it
//! runs for that time, and inputs that reach new code are mutated further: the compiler's pass `sancov-module` counts
//! the edges that are taken.

mod attempt;
mod coverage;
mod escape;
mod kept;
mod minimise;
mod mutate;
mod run;
mod target;

pub use attempt::{Counting, Used, processor_time, used};
pub use escape::{escaped, unescaped};
pub use run::SECONDS;
pub use target::Target;
