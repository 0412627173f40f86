//! Memory limits of the device that trains, and the largest plan of training a translator that fits into them.

use super::estimate::{LongestPair, MOST_MEMORY, Trained, TrainingMemory};
use super::size::ModelSize;
use crate::training::OptimiserRule;
use crate::translation::learns::Learns;
use crate::translation::training::LoraSettings;
use thiserror::Error;

/// Usual batches in bytes, largest first, with the number of parts in which each is computed.
const USUAL_BATCHES: [(usize, usize); 6] = [(4096, 1), (2048, 1), (1024, 1), (512, 1), (512, 2), (512, 4)];

/// Plan of training a translator within the memory of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FittingPlan {
    /// Trained part.
    pub learns: Learns,
    /// Rule of the optimiser.
    pub rule: OptimiserRule,
    pub batch_bytes: usize,
    /// Number of parts in which a batch is computed.
    pub parts: usize,
}

impl FittingPlan {
    /// Returns the memory of training by this plan.
    pub fn memory(self, size: ModelSize, longest: LongestPair) -> TrainingMemory {
        let trained = match self.learns {
            Learns::Whole => Trained::Whole,
            Learns::Adapters => Trained::LoraAdapters(LoraSettings::default().rank),
            Learns::Bias => Trained::Bias,
        };
        TrainingMemory { size, trained, rule: self.rule, batch: longest.batch(self.batch_bytes, self.parts) }
    }

    /// Returns the plan with the largest usual batch that fits, moved by `rule`; adapters replace the whole model only
    /// if nothing else fits.
    ///
    /// # Errors
    /// Says why the smallest plan does not fit.
    pub fn of(
        size: ModelSize,
        longest: LongestPair,
        (wanted, rule): (Learns, OptimiserRule),
        memory: DeviceMemory,
    ) -> Result<Self, TooLarge> {
        let batches = |learns| USUAL_BATCHES.map(|(batch_bytes, parts)| Self { learns, rule, batch_bytes, parts });
        let instead = if wanted == Learns::Whole { Learns::Adapters } else { wanted };
        let fits = |plan: &Self| memory.holds(&plan.memory(size, longest));
        let [.., (batch_bytes, parts)] = USUAL_BATCHES;
        let smallest = Self { learns: instead, rule, batch_bytes, parts };
        match batches(wanted).into_iter().chain(batches(instead)).find(|plan| fits(plan).is_ok()) {
            Some(plan) => Ok(plan),
            None => fits(&smallest).map(|()| smallest),
        }
    }
}

/// Memory limits of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Bytes available for a run.
    pub bytes: u64,
    /// Maximum bytes of a tensor; `None` if only the sum is limited.
    pub largest_tensor: Option<u64>,
}

/// Reason why a run does not fit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TooLarge {
    /// The run as a whole is too large.
    #[error("it keeps {needed} bytes, and {most} are there")]
    Whole {
        /// Bytes that the run keeps.
        needed: u64,
        /// Bytes available.
        most: u64,
    },
    /// One tensor is too large.
    #[error("one of its tensors has {needed} bytes, and none may have more than {most}")]
    Tensor {
        /// Bytes of the largest tensor.
        needed: u64,
        /// Maximum bytes of a tensor.
        most: u64,
    },
}

impl DeviceMemory {
    /// Limits of the processor: the 32-bit addresses of an engine.
    pub const PROCESSOR: Self = Self { bytes: MOST_MEMORY, largest_tensor: None };

    /// Returns the limits of a graphics card with this many gigabytes and the browser's largest tensor.
    pub fn of_card(gigabytes: u32, largest_tensor: u64) -> Self {
        Self { bytes: u64::from(gigabytes) << 30, largest_tensor: Some(largest_tensor) }
    }

    /// Returns the bytes that a run takes on the device.
    pub fn takes(self, run: &TrainingMemory) -> u64 {
        if self.largest_tensor.is_some() { run.bytes_on_card() } else { run.bytes() }
    }

    /// Checks that a run fits with a tenth to spare, for the program, for drawing, and for the estimate's error.
    ///
    /// # Errors
    /// Names what is too large.
    pub fn holds(self, run: &TrainingMemory) -> Result<(), TooLarge> {
        let (needed, most) = (self.takes(run), self.bytes / 10 * 9);
        if needed >= most {
            return Err(TooLarge::Whole { needed, most: self.bytes });
        }
        match (self.largest_tensor, run.largest_tensor()) {
            (Some(most), needed) if needed > most => Err(TooLarge::Tensor { needed, most }),
            _ => Ok(()),
        }
    }
}
