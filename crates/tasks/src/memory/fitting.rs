//! The largest plan of training a translator that fits into a tab.

use super::estimate::{LongestPair, MOST_MEMORY, Trained, TrainingMemory};
use super::size::ModelSize;
use crate::translation::learns::Learns;
use crate::translation::training::LoraSettings;

/// How a translator can be trained within the memory of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FittingPlan {
    /// What of it trains.
    pub learns: Learns,
    /// Bytes of a batch.
    pub batch_bytes: usize,
}

impl FittingPlan {
    /// What training by this plan keeps in memory.
    pub fn memory(self, size: ModelSize, longest: LongestPair) -> TrainingMemory {
        let trained = match self.learns {
            Learns::Whole => Trained::Whole,
            Learns::Adapters => Trained::LoraAdapters(LoraSettings::default().rank),
            Learns::Bias => Trained::Bias,
        };
        TrainingMemory { size, trained, batch: longest.batch(self.batch_bytes) }
    }

    /// The plan with the largest of the usual batches that leaves a tenth of the memory free; adapters in place of the
    /// whole only where nothing else does. None where nothing fits.
    pub fn of(size: ModelSize, longest: LongestPair, wanted: Learns) -> Option<Self> {
        let batches = |learns| [4096, 2048, 1024, 512].map(|batch_bytes| Self { learns, batch_bytes });
        let instead = (wanted == Learns::Whole).then(|| batches(Learns::Adapters));
        let all = batches(wanted).into_iter().chain(instead.into_iter().flatten());
        all.into_iter().find(|plan| plan.memory(size, longest).bytes() < MOST_MEMORY * 9 / 10)
    }
}
