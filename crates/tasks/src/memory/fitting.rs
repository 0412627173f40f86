//! The largest plan of training a translator that a device has the memory for.

use super::device::{DeviceMemory, TooLarge};
use super::estimate::{LongestPair, Trained, TrainingMemory};
use super::size::ModelSize;
use crate::training::OptimiserRule;
use crate::translation::learns::Learns;
use crate::translation::training::LoraSettings;

/// Bytes of the usual batches, the largest first, and in how many parts each is computed.
const BATCHES: [(usize, usize); 6] = [(4096, 1), (2048, 1), (1024, 1), (512, 1), (512, 2), (512, 4)];

/// How a translator can be trained within the memory of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FittingPlan {
    /// What of it trains.
    pub learns: Learns,
    /// What moves it.
    pub rule: OptimiserRule,
    /// Bytes of a batch.
    pub batch_bytes: usize,
    /// In how many parts each is computed.
    pub parts: usize,
}

impl FittingPlan {
    /// What training by this plan keeps in memory.
    pub fn memory(self, size: ModelSize, longest: LongestPair) -> TrainingMemory {
        let trained = match self.learns {
            Learns::Whole => Trained::Whole,
            Learns::Adapters => Trained::LoraAdapters(LoraSettings::default().rank),
            Learns::Bias => Trained::Bias,
        };
        TrainingMemory { size, trained, rule: self.rule, batch: longest.batch(self.batch_bytes, self.parts) }
    }

    /// The plan with the largest of the usual batches that fits, moved by `rule`; adapters in place of the whole only
    /// where nothing else does.
    ///
    /// # Errors
    /// Why the smallest of all does not fit.
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
