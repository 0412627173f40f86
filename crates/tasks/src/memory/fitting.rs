//! Finds the largest plan of training a translator that fits into the memory of a device.

use super::device::{DeviceMemory, TooLarge};
use super::estimate::{LongestPair, Trained, TrainingMemory};
use super::size::ModelSize;
use crate::training::OptimiserRule;
use crate::translation::learns::Learns;
use crate::translation::training::LoraSettings;

/// Usual batches in bytes, largest first, with the number of parts in which each is computed.
const BATCHES: [(usize, usize); 6] = [(4096, 1), (2048, 1), (1024, 1), (512, 1), (512, 2), (512, 4)];

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
        let batches = |learns| BATCHES.map(|(batch_bytes, parts)| Self { learns, rule, batch_bytes, parts });
        let instead = if wanted == Learns::Whole { Learns::Adapters } else { wanted };
        let fits = |plan: &Self| memory.holds(&plan.memory(size, longest));
        let [.., (batch_bytes, parts)] = BATCHES;
        let smallest = Self { learns: instead, rule, batch_bytes, parts };
        match batches(wanted).into_iter().chain(batches(instead)).find(|plan| fits(plan).is_ok()) {
            Some(plan) => Ok(plan),
            None => fits(&smallest).map(|()| smallest),
        }
    }
}
