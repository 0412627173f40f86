//! The largest plan of training a translator that fits into a tab.

use super::estimate::{LongestPair, MOST_MEMORY, Trained, TrainingMemory};
use super::size::ModelSize;
use crate::translation::training::LoraSettings;

/// How a translator can be trained within the memory of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FittingPlan {
    /// Whether only adapters of its maps of attention train.
    pub adapters: bool,
    /// Bytes of a batch.
    pub batch_bytes: usize,
}

impl FittingPlan {
    /// What training by this plan keeps in memory.
    pub fn memory(self, size: ModelSize, longest: LongestPair) -> TrainingMemory {
        let trained = if self.adapters { Trained::LoraAdapters(LoraSettings::default().rank) } else { Trained::Whole };
        TrainingMemory { size, trained, batch: longest.batch(self.batch_bytes) }
    }

    /// The plan with the largest of the usual batches that leaves a tenth of the memory free; adapters only where they
    /// are wanted, or nothing else does. None where nothing fits.
    pub fn of(size: ModelSize, longest: LongestPair, adapters: bool) -> Option<Self> {
        let batches = |adapters| [4096, 2048, 1024, 512].map(|batch_bytes| Self { adapters, batch_bytes });
        let whole = batches(false).into_iter().filter(|_| !adapters);
        whole.chain(batches(true)).find(|plan| plan.memory(size, longest).bytes() < MOST_MEMORY * 9 / 10)
    }
}
