//! How much memory a run of training takes, before it is begun: one estimate for page, worker and command line, rather
//! too high than too low.
//!
//! A [`TrainingMemory`] says what is trained, how large it is and what the largest batch looks like;
//! [`TrainingMemory::bytes`] is the estimate, and [`FittingPlan`] the largest batch for which it stays within what a
//! [`DeviceMemory`] has: a tab's own on the processor, or a graphics card's.

mod device;
mod estimate;
mod fitting;
mod size;

pub use device::{DeviceMemory, TooLarge};
pub use estimate::{BatchShape, LongestPair, MOST_MEMORY, Trained, TrainingMemory};
pub use fitting::FittingPlan;
pub use size::{Architecture, ModelSize};

#[cfg(test)]
mod tests;
