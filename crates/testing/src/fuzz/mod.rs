//! Fuzzing without a nightly compiler: readers are given mutated inputs, and none may panic, hang or take more memory
//! than is stated.
//!
//! A test names a [`Target`] and calls [`Target::run`]. In an ordinary run of the tests it replays what is kept in
//! `tests/fuzz` and a fixed number of mutations of the seeds, the same ones each time. Under `cargo xtask fuzz`, which
//! sets [`SECONDS`], it goes on for that long, and inputs that reach new code are mutated further: the compiler's
//! pass `sancov-module` counts the edges that are taken.

mod attempt;
mod coverage;
mod escape;
mod kept;
mod memory;
mod minimise;
mod mutate;
mod run;
mod target;

pub use attempt::processor_time;
pub use escape::{escaped, unescaped};
pub use memory::{Counting, Used, used};
pub use run::SECONDS;
pub use target::Target;
