//! How much memory a run of training takes, before it is begun: estimates that are rather too high than too low, for
//! page and worker alike.

use crate::restoration;
use crate::translation::training::{Additions, Pair, Plan};

/// Bytes of an engine's own memory, whose addresses have 32 bits.
pub const MOST_MEMORY: u64 = 1 << 32;
/// The program, the corpus, and what burn holds beside.
const BESIDE: u64 = 150_000_000;

/// Bytes that training a restorer needs, estimated: weights, of what trains gradients and two moments, and what the
/// layers that train keep for the way back of a batch: of each token the stream's parts, and its attention to all
/// others.
pub fn restorer_memory(parameters: u64, layers: u64, trained: u64, settings: &restoration::training::Settings) -> u64 {
    // For each token: about 9,000 of the maps of width 384 and 1,536, about as many of the attention of 8 heads to 384
    // signs; and the answers for the quarter of the signs that is masked.
    const OF_A_LAYER: u64 = 20_000;
    const OF_THE_HEAD: u64 = 4_000;
    let share = trained.min(layers) as f64 / layers.max(1) as f64;
    let moments = (parameters as f64 * share * 12.0) as u64;
    let kept = settings.batch_tokens as u64 * (trained * OF_A_LAYER + OF_THE_HEAD) * 4;
    parameters * 4 + moments + kept + BESIDE
}

/// How a model can be trained within the memory of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FittingPlan {
    /// Whether only additions to its maps of attention train.
    pub additions: bool,
    /// Bytes of a batch.
    pub batch_bytes: usize,
}

impl FittingPlan {
    /// Bytes that training so many parameters needs, estimated: weights in 32 bits, and what the layers keep for the
    /// way back of a batch. Trained as a whole, gradients and two moments come besides; with additions the maps of
    /// attention a second time and the gradients of these sums, 3 in 10 parameters at most.
    ///
    /// What layers keep is told from the number of parameters as if all layers of a T5 of version 1.1 had the usual
    /// proportions: width d, inner width 4 d or less, so about 16 d² parameters and 27 d numbers kept a byte each.
    pub fn memory(self, parameters: u64) -> u64 {
        let layers = if parameters < 50_000_000 { 9.0 } else { 16.0 };
        let width = (parameters as f64 / (16.0 * layers)).sqrt();
        let kept = 27.0 * layers * width * 4.0 * self.batch_bytes as f64;
        let numbers = if self.additions { parameters * 16 / 10 } else { parameters * 4 };
        numbers * 4 + kept as u64 + BESIDE
    }

    /// The plan with the largest of the usual batches that fits; additions only where they are wanted, or nothing else
    /// does. None where nothing fits.
    pub fn of(parameters: u64, additions: bool) -> Option<Self> {
        let batches = |additions| [4096, 2048, 1024, 512].map(|batch_bytes| Self { additions, batch_bytes });
        let whole = batches(false).into_iter().filter(|_| !additions);
        whole.chain(batches(true)).find(|plan| plan.memory(parameters) < MOST_MEMORY * 9 / 10)
    }
}

/// Copies of every trained number: the weight, its gradient, two moments, and what a step computes beside them.
const COPIES: usize = 5;
/// Numbers kept for the gradients of a layer, per place: so many of the width of the stream, of all heads, of the
/// feed-forward part; and per pair of places and head. Fitted to what burn-flex took for widths of 64 and 128 at 4,096
/// bytes (210 and 300 MB beside the program), a tenth above it; a GPU keeps more at a time.
const OF_STREAM: usize = 8;
const OF_HEADS: usize = 6;
const OF_FEED_FORWARD: usize = 5;
const OF_PAIRS: usize = 1;

/// How large a translator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslatorSize {
    /// Width of the residual stream.
    pub width: usize,
    /// Width of all heads together.
    pub inner: usize,
    /// Width of the feed-forward part.
    pub feed_forward: usize,
    /// Attention heads.
    pub heads: usize,
    /// Blocks of the encoder.
    pub encoder_layers: usize,
    /// Blocks of the decoder.
    pub decoder_layers: usize,
    /// Number of tokens.
    pub vocabulary: usize,
    /// Number of parameters.
    pub parameters: u64,
}

impl TranslatorSize {
    /// Numbers of the LoRA adapters of this rank, and numbers of the maps that they are added to.
    pub fn adapters(&self, rank: usize) -> [u64; 2] {
        let (width, inner) = (self.width, self.inner);
        // Queries, keys and values of a layer lie in one map, of cross-attention in two.
        let own = [[width, 3 * inner], [inner, width]];
        let cross = [[width, inner], [width, 2 * inner], [inner, width]];
        let count = |maps: &[[usize; 2]]| -> [usize; 2] {
            let one = |[inputs, outputs]: [usize; 2]| [rank * (inputs + outputs), inputs * outputs];
            maps.iter().fold([0; 2], |sum, map| [sum[0] + one(*map)[0], sum[1] + one(*map)[1]])
        };
        let (layers, decoders) = (self.encoder_layers + self.decoder_layers, self.decoder_layers);
        [0, 1].map(|which| (layers * count(&own)[which] + decoders * count(&cross)[which]) as u64)
    }

    /// Bytes that training a model of this size by this plan takes at most, the model itself included.
    pub fn memory(&self, plan: &Plan) -> u64 {
        let settings = &plan.settings;
        let fitting: Vec<[usize; 2]> = plan
            .pairs
            .iter()
            .map(Pair::bytes)
            .filter(|own| own.iter().all(|bytes| *bytes <= settings.longest + 1))
            .collect();
        let [source, target] =
            fitting.iter().fold([1, 1], |[source, target], own| [source.max(own[0]), target.max(own[1])]);
        let rows = (settings.batch_bytes / (source + target)).min(fitting.len()).max(1);
        let layer = |places: usize, looked_at: usize| {
            let by_place = OF_STREAM * self.width + OF_HEADS * self.inner + OF_FEED_FORWARD * self.feed_forward;
            rows * places * (by_place + OF_PAIRS * self.heads * looked_at)
        };
        let encoder = self.encoder_layers * layer(source, source);
        let decoder = self.decoder_layers * (layer(target, target) + layer(target, source));
        let logits = 4 * rows * target * self.vocabulary;
        let weights = match settings.additions {
            // The model once, the maps with their adapters and the gradients of these sums besides.
            Some(Additions { rank, .. }) => {
                let [added, maps] = self.adapters(rank);
                self.parameters + 2 * maps + COPIES as u64 * added
            }
            None => COPIES as u64 * self.parameters,
        };
        4 * (weights + (encoder + decoder + logits) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_made_smaller_until_it_fits_or_none_does() {
        let plan = |additions, batch_bytes| Some(FittingPlan { additions, batch_bytes });
        assert_eq!(FittingPlan::of(100_000, false), plan(false, 4096));
        // d 256, 6 + 3 layers
        assert_eq!(FittingPlan::of(10_000_000, false), plan(false, 4096));
        assert_eq!(FittingPlan::of(10_000_000, true), plan(true, 4096));
        assert!(FittingPlan::of(100_000_000, false).is_some_and(|plan| !plan.additions && plan.batch_bytes < 4096));
        // ByT5-small: its weights, gradients and moments alone are 4.8 GB
        assert_eq!(FittingPlan::of(300_000_000, false), plan(true, 512));
        // ByT5-large
        assert_eq!(FittingPlan::of(1_200_000_000, true), None);
    }
}
