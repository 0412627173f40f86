//! Estimates the memory of a training run from the model's size and the largest batch.

use super::size::{Architecture, ModelSize};
use crate::restoration;
use crate::training::OptimiserRule;
use crate::translation::learns::Learns;
use crate::translation::training::TranslatorTrainingPlan;

/// Bytes of an engine's own memory, whose addresses have 32 bits.
pub const MOST_MEMORY: u64 = 1 << 32;
/// Parameters of the largest bias that is attached: a point for every sign and reading, and the strength.
const BIAS_PARAMETERS: u64 = 4_190 * 32 + 1;
/// Bytes for the program, the corpus, and burn's own memory.
const PROGRAM_BYTES: u64 = 150_000_000;
/// Copies of a trained parameter: the weight, its gradient, and the temporary values of a step.
const COPIES: u64 = 3;
/// Moments of points, which always have both.
const POINT_MOMENTS: u64 = 2;
/// Number of temporary tensors of a step, each as large as the largest trained one.
const TEMPORARY_TENSORS: usize = 4;
/// Number of temporary maps of Muon, each as large as the largest of the maps that lie side by side.
const MUON_TEMPORARY_MAPS: usize = 8;
/// Overhead of a graphics card's allocator: factors for the weights with their copies, and for the values that layers
/// keep. They exceed the measured factors of all of 17 runs of translators with all optimisers (software adapters,
/// widths 64 to 768, one to four layers, 64 to 4,096 bytes): up to 1.1, and 1.1 to 2.4.
const CARD_OVERHEAD: [f64; 2] = [1.15, 2.4];
/// Values kept for the gradients of a layer, per place, as multiples of the width of the stream, of all heads, and of
/// the feed-forward part. Fitted to what burn-flex took for translators of widths 64 and 128 at 4,096 bytes (210 and
/// 300 MB beside the program), a tenth above it.
const STREAM_VALUES: usize = 8;
const HEADS_VALUES: usize = 6;
const FEED_FORWARD_VALUES: usize = 5;
/// Values kept per place and possible token: the score, its share, and their gradients.
const ANSWER_VALUES: usize = 4;
/// Number of signs for each masked sign, which a restorer in training answers.
const SIGNS_FOR_A_MASK: usize = 4;

/// Returns the values that an optimiser keeps per parameter. Adafactor keeps one row and one column of a matrix, which
/// is not counted.
fn moments(rule: OptimiserRule) -> u64 {
    match rule {
        OptimiserRule::AdamW => 2,
        OptimiserRule::Muon => 1,
        OptimiserRule::Adafactor => 0,
    }
}

impl Architecture {
    /// Returns the values kept for the gradients of a layer, per pair of places and head. A restorer's attention
    /// rotates its queries and keys and masks in between, and keeps the intermediate results.
    fn of_pairs(self) -> usize {
        match self {
            Self::Translator => 1,
            Self::Restorer => 3,
        }
    }
}

/// Trained part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trained {
    /// All parameters.
    Whole,
    /// The last layers of an encoder, this many.
    LastLayers(usize),
    /// LoRA adapters of this rank beside the maps of attention.
    LoraAdapters(usize),
    /// The hyperbolic bias only.
    Bias,
}

/// Size of the largest batch of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchShape {
    /// Places of the longest source.
    pub source: usize,
    /// Places of all sources together, padding included.
    pub source_places: usize,
    /// Places of the longest target; 0 where there is no decoder.
    pub target: usize,
    /// Places of all targets together, padding included.
    pub target_places: usize,
    /// Number of places for which every token is scored.
    pub answers: usize,
}

/// Lengths of the longest source and the longest target among the pairs of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestPair {
    /// Bytes of the longest source, its end included.
    pub source: usize,
    /// Bytes of the longest target, its end included.
    pub target: usize,
    /// Number of pairs.
    pub pairs: usize,
}

impl Default for LongestPair {
    /// Returns the lengths without any pairs: just the ends.
    fn default() -> Self {
        Self { source: 1, target: 1, pairs: 0 }
    }
}

impl LongestPair {
    /// Returns the lengths of pairs, given as the bytes of source and target with an end each; pairs with more than
    /// `longest` bytes without the end are left out.
    pub fn of(pairs: impl Iterator<Item = [usize; 2]>, longest: usize) -> Self {
        let fitting = pairs.filter(|own| own.iter().all(|bytes| *bytes <= longest + 1));
        fitting.fold(Self::default(), |all, [source, target]| Self {
            source: all.source.max(source),
            target: all.target.max(target),
            pairs: all.pairs + 1,
        })
    }

    /// Many lines of usual length, used until the pairs are known.
    pub const USUAL: Self = Self { source: 128, target: 128, pairs: usize::MAX };

    /// Returns the largest part of a batch of `batch_bytes` bytes that is computed in `parts` parts.
    pub fn batch(&self, batch_bytes: usize, parts: usize) -> BatchShape {
        let Self { source, target, pairs } = *self;
        let rows = (batch_bytes / (source + target)).min(pairs).max(1).div_ceil(parts.max(1));
        BatchShape {
            source,
            source_places: rows * source,
            target,
            target_places: rows * target,
            answers: rows * target,
        }
    }
}

/// Memory of a training run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingMemory {
    /// Size of the model.
    pub size: ModelSize,
    pub trained: Trained,
    /// Rule of the optimiser.
    pub rule: OptimiserRule,
    /// Largest batch.
    pub batch: BatchShape,
}

impl TrainingMemory {
    /// Describes a translator trained by a plan.
    pub fn of_translator(size: ModelSize, plan: &TranslatorTrainingPlan) -> Self {
        let settings = &plan.settings;
        let longest = LongestPair::of(plan.pairs.iter().map(|pair| pair.bytes()), settings.longest);
        let trained = match (settings.learns(), settings.adapters) {
            (Learns::Bias, _) => Trained::Bias,
            (_, Some(adapters)) => Trained::LoraAdapters(adapters.rank),
            (_, None) => Trained::Whole,
        };
        let batch = longest.batch(settings.batch_bytes, settings.parts);
        Self { size, trained, rule: settings.optimiser.rule, batch }
    }

    /// Describes a restorer trained with these settings.
    pub fn of_restorer(size: ModelSize, settings: &restoration::training::RestorerTrainingSettings) -> Self {
        let source = settings.window.min(settings.batch_tokens);
        let places = match settings.parts {
            0 | 1 => settings.batch_tokens,
            parts => (settings.batch_tokens / source.max(1)).div_ceil(parts) * source,
        };
        let answers = places.div_ceil(SIGNS_FOR_A_MASK);
        let trained = settings.layers.map_or(Trained::Whole, Trained::LastLayers);
        let batch = BatchShape { source, source_places: places, target: 0, target_places: 0, answers };
        Self { size, trained, rule: settings.optimiser.rule, batch }
    }

    /// Returns an upper bound of the run's bytes on the processor, model and program included.
    pub fn bytes(&self) -> u64 {
        4 * (self.weights() + self.kept()) + PROGRAM_BYTES
    }

    /// Returns an upper bound of the run's bytes on a graphics card, whose allocator keeps freed memory for reuse.
    pub fn bytes_on_card(&self) -> u64 {
        let [weights, kept] = CARD_OVERHEAD;
        (4.0 * (weights * self.weights() as f64 + kept * self.kept() as f64)) as u64
    }

    /// Returns `true` if the run fits into an engine.
    pub fn fits(&self) -> bool {
        self.bytes() <= MOST_MEMORY
    }

    /// Returns the bytes of the largest tensor, of the model or of a layer's values for the batch.
    pub fn largest_tensor(&self) -> u64 {
        let ModelSize { width, heads, vocabulary, .. } = self.size;
        let BatchShape { source, source_places, target, target_places, answers } = self.batch;
        let widest = self.widest();
        let pairs = (source_places * source).max(target_places * target.max(source));
        let all = [
            width * widest.max(vocabulary),
            source_places.max(target_places) * widest,
            heads * pairs,
            answers * vocabulary,
        ];
        4 * all.into_iter().max().unwrap_or_default() as u64
    }

    /// Returns the width of the widest map: queries, keys and values are one map, and so are the two halves of a gated
    /// layer.
    fn widest(&self) -> usize {
        let ModelSize { width, inner, feed_forward, .. } = self.size;
        (3 * inner).max(2 * feed_forward).max(width)
    }

    /// Returns the number of the model's parameters and of the values that training keeps for trained ones.
    fn weights(&self) -> u64 {
        let ModelSize { parameters, encoder_layers, .. } = self.size;
        let (copies, of_step) = (COPIES + moments(self.rule), self.of_step());
        match self.trained {
            Trained::Whole => copies * parameters + of_step,
            Trained::LastLayers(layers) => {
                let layers = layers.min(encoder_layers) as u64;
                parameters + (copies - 1) * parameters * layers / encoder_layers.max(1) as u64 + of_step
            }
            // The model once, and the adapted maps with the gradients of these sums.
            Trained::LoraAdapters(rank) => {
                let [added, maps] = self.size.adapters(rank);
                // Muon leaves adapters to AdamW.
                let rule = if self.rule == OptimiserRule::Muon { OptimiserRule::AdamW } else { self.rule };
                parameters + 2 * maps + (COPIES + moments(rule)) * added
            }
            Trained::Bias => parameters + (COPIES + POINT_MOMENTS) * BIAS_PARAMETERS,
        }
    }

    /// Returns the number of temporary values of a step, if maps of the model are trained.
    fn of_step(&self) -> u64 {
        let ModelSize { width, inner, feed_forward, vocabulary, .. } = self.size;
        let largest = TEMPORARY_TENSORS * width * self.widest().max(vocabulary);
        // Muon leaves embeddings and the output map to AdamW, which keeps a second moment of them.
        let of_muon = 2 * vocabulary * width + MUON_TEMPORARY_MAPS * width * inner.max(feed_forward);
        (if self.rule == OptimiserRule::Muon { largest + of_muon } else { largest }) as u64
    }

    /// Returns the number of values that the layers keep for the backward pass of the batch.
    fn kept(&self) -> u64 {
        let ModelSize { architecture, width, inner, feed_forward, heads, vocabulary, .. } = self.size;
        let BatchShape { source, source_places, target, target_places, answers } = self.batch;
        let layer = |places: usize, looked_at: usize| {
            let by_place = STREAM_VALUES * width + HEADS_VALUES * inner + FEED_FORWARD_VALUES * feed_forward;
            (places * (by_place + architecture.of_pairs() * heads * looked_at)) as u64
        };
        // Layers below the first trained one are computed and forgotten.
        let encoder_layers = match self.trained {
            Trained::LastLayers(layers) => layers.min(self.size.encoder_layers),
            Trained::Whole | Trained::LoraAdapters(_) | Trained::Bias => self.size.encoder_layers,
        };
        let encoder = encoder_layers as u64 * layer(source_places, source);
        let decoder = self.size.decoder_layers as u64 * (layer(target_places, target) + layer(target_places, source));
        encoder + decoder + (ANSWER_VALUES * answers * vocabulary) as u64
    }
}
