//! Memory of a training run, estimated before it begins: one estimate for page, worker and command line, rather too
//! high than too low.
//!
//! A [`TrainingMemory`] holds the trained part, the model's size and the largest batch; [`TrainingMemory::bytes`] is
//! the estimate. [`FittingPlan`] finds the largest batch that fits into a [`DeviceMemory`]: a tab's own memory on the
//! processor, or a graphics card's.

mod estimate;
mod fitting;
mod size;

pub use estimate::{BatchShape, LongestPair, MOST_MEMORY, Trained, TrainingMemory};
pub use fitting::{DeviceMemory, FittingPlan, TooLarge};
pub use size::{Architecture, ModelSize};

#[cfg(test)]
mod tests;
