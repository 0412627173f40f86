//! Training of a translator: pairs, settings, and the progress of a run. Plain data, for page, worker and command line;
//! the training itself is `train::translator`.

use super::bias::BiasSettings;
use super::points::{PointsMoved, PointsSettings};
use crate::error::{PairProblem, PlanProblem};
use crate::training::{OptimiserRule, OptimiserSettings, are_below_one, are_shares, held_out, is_one};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use tuppum_text::augment::Rates;
use tuppum_text::pair_table::leaks_among;

/// A source and its translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranslationPair {
    /// Text of the pair: pairs of one text are held out together. If it is empty, the source is used instead.
    #[serde(default)]
    pub text: String,
    /// Transliteration, in the form that the translator reads.
    pub source: String,
    /// Translation of the source.
    pub target: String,
    /// Weight of the pair; supplementary pairs, such as those of a lexicon, have half.
    #[serde(default = "whole")]
    pub weight: f32,
}

/// Part of a translator whose tensors train together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranslatorPart {
    Embeddings,
    /// Blocks of the encoder.
    Encoder,
    /// Blocks of the decoder.
    Decoder,
    /// Output weights, if they are not the embeddings.
    Head,
    /// Tables of relative positions.
    Positions,
    /// Points of the hyperbolic bias.
    Points,
    /// Strength of the hyperbolic bias.
    Alpha,
}

impl TranslatorPart {
    pub const ALL: [Self; 7] =
        [Self::Embeddings, Self::Encoder, Self::Decoder, Self::Head, Self::Positions, Self::Points, Self::Alpha];
}

/// Objective of the training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranslatorObjective {
    /// Write the target for the source.
    #[default]
    Translation,
    /// Write what was taken out of the source, which needs no target. Used for pretraining.
    Spans {
        /// Share of the bytes that is taken out.
        share: f64,
        /// Mean bytes of a span.
        mean: usize,
    },
}

/// LoRA adapters, which train in place of the model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoraSettings {
    /// Rank: columns of the first factor of an adapter and rows of the second.
    pub rank: usize,
    /// α of the paper: the weight of an adapter, times the rank.
    pub strength: f64,
}

impl Default for LoraSettings {
    /// Returns values within the range that the paper found sufficient.
    fn default() -> Self {
        Self { rank: 8, strength: 16.0 }
    }
}

impl LoraSettings {
    /// Highest rank; above it adapters save nothing.
    pub const MAX_RANK: usize = 256;

    /// Returns the factor of the product of an adapter's two matrices.
    pub fn scale(&self) -> f64 {
        self.strength / self.rank.max(1) as f64
    }
}

/// Length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Number of epochs, passes over all pairs.
    Epochs(u32),
    /// Number of steps of the optimiser.
    Steps(u32),
}

/// Settings of the training of a translator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TranslatorTrainingSettings {
    /// Objective of the training.
    pub task: TranslatorObjective,
    /// Length of the run.
    pub length: Length,
    /// Seed; equal seeds make equal runs.
    pub seed: u64,
    /// Settings of the optimiser; a file has their fields among these.
    #[serde(flatten, deserialize_with = "optimiser")]
    pub optimiser: OptimiserSettings,
    /// Share of probability that the loss spreads over all tokens.
    pub label_smoothing: f64,
    /// Share of every stream that is dropped.
    pub dropout: f64,
    /// Maximum bytes of a batch: rows times the longest source and the longest target.
    pub batch_bytes: usize,
    /// Number of batches in a step.
    pub accumulation: usize,
    /// Number of parts in which each batch is computed: one after the other, which takes less memory and more time, or
    /// natively on several threads; the step is the same except for its dropout. Omitted from files if 1, as in older
    /// versions.
    #[serde(skip_serializing_if = "is_one")]
    pub parts: usize,
    /// Maximum bytes of a source or target; longer pairs are left out.
    pub longest: usize,
    /// Share of the texts that is held out for validation.
    pub held_out: f64,
    /// Probability that the source of a pair is augmented, drawn again each epoch.
    pub augmented: f64,
    /// Rates of the augmentation.
    pub augmentation: Rates,
    /// Parts that are not trained.
    pub frozen: BTreeSet<TranslatorPart>,
    /// `true` to use the hyperbolic bias, if the model has one.
    pub bias: bool,
    /// Number of encoder blocks that the bias reaches; `None` for the model's own number.
    pub bias_layers: Option<usize>,
    /// New bias that the run begins with, in place of the model's own; omitted from files if `None`, as in older
    /// versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach: Option<BiasSettings>,
    /// Training of the bias's points; omitted from files if default, as in older versions.
    #[serde(skip_serializing_if = "PointsSettings::is_default")]
    pub points: PointsSettings,
    /// Adapters of the maps of attention, which are trained while everything else but the bias stays as it is; `None`
    /// trains everything.
    #[serde(rename = "additions", skip_serializing_if = "Option::is_none")]
    pub adapters: Option<LoraSettings>,
}

impl Default for TranslatorTrainingSettings {
    fn default() -> Self {
        Self {
            task: TranslatorObjective::Translation,
            length: Length::Epochs(10),
            seed: 1,
            optimiser: OptimiserSettings {
                rule: OptimiserRule::AdamW,
                rate: 3e-4,
                warm_up: 0.1,
                points_rate: Some(10.0),
                weight_decay: 0.01,
                betas: [0.9, 0.999],
                epsilon: 1e-8,
                clip: 1.0,
            },
            label_smoothing: 0.0,
            dropout: 0.1,
            batch_bytes: 4096,
            accumulation: 1,
            parts: 1,
            longest: 512,
            held_out: 0.1,
            augmented: 1.0,
            augmentation: Rates::default(),
            frozen: BTreeSet::new(),
            bias: true,
            bias_layers: None,
            attach: None,
            points: PointsSettings::default(),
            adapters: None,
        }
    }
}

/// Reads the optimiser's settings from among those of a file.
fn optimiser<'de, D: Deserializer<'de>>(settings: D) -> Result<OptimiserSettings, D::Error> {
    TranslatorTrainingSettings::default().optimiser.read(settings)
}

/// Pairs with the settings of the training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranslatorTrainingPlan {
    /// All pairs, including those to be held out.
    pub pairs: Vec<TranslationPair>,
    /// Settings of the training.
    #[serde(default)]
    pub settings: TranslatorTrainingSettings,
}

/// Report of a finished step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the step, from 1.
    pub number: u32,
    /// Number of steps of the whole run.
    pub of: u32,
    /// Number of complete passes over all pairs before it.
    pub epoch: u32,
    /// Mean loss per target byte before the step, in nats, label smoothing and weights included.
    pub loss: f32,
    /// Learning rate.
    pub rate: f64,
    /// Norm of the gradient before it was clipped.
    pub gradient_norm: f32,
    /// Strength of the hyperbolic bias before the step, if there is one.
    pub alpha: Option<f32>,
    /// Distances of the bias's points before the step, if they are trained. Older versions did not record them.
    #[serde(default)]
    pub points: Option<PointsMoved>,
    /// Bytes of sources and targets, without padding.
    pub bytes: u32,
    /// Number of pairs.
    pub pairs: u32,
}

/// Validation of a model on held-out translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Number of steps before the validation.
    pub after: u32,
    /// Mean bits per byte of the targets, each end counted as a byte; without weights, smoothing or augmentation.
    pub bits_per_byte: f64,
    /// Bits of each held-out pair, in order.
    pub bits: Vec<f32>,
    /// Bytes of each held-out target, its end included.
    pub bytes: Vec<u32>,
}

impl TranslatorTrainingSettings {
    /// Checks that every number is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        let Rates { drop, shuffle, vary, .. } = self.augmentation;
        let shares = [
            ("label smoothing", self.label_smoothing),
            ("dropout", self.dropout),
            ("share of augmented pairs", self.augmented),
            ("share that is held out", self.held_out),
            ("probability of dropped signs", drop),
            ("probability of shuffled words", shuffle),
            ("probability of varied determinatives", vary),
        ];
        are_shares(&shares)?;
        are_below_one(&[("dropout", self.dropout), ("held-out share", self.held_out)])?;
        self.optimiser.check()?;
        self.points.check()?;
        let counts = [self.accumulation, self.parts, self.longest];
        if matches!(self.length, Length::Epochs(0) | Length::Steps(0)) || counts.contains(&0) {
            return Err(PlanProblem::Zero("the longest text"));
        }
        self.check_bias()?;
        if let TranslatorObjective::Spans { share, mean } = self.task
            && (!(share > 0.0 && share < 1.0) || mean == 0)
        {
            return Err(PlanProblem::Spans { mean, share });
        }
        Ok(())
    }
}

impl TranslationPair {
    /// Creates a pair of full weight.
    pub fn new(text: impl Into<String>, source: impl Into<String>, target: impl Into<String>) -> Self {
        Self { text: text.into(), source: source.into(), target: target.into(), weight: whole() }
    }

    /// Returns the key of the text that the pair is held out with.
    pub fn text_key(&self) -> &str {
        if self.text.is_empty() { &self.source } else { &self.text }
    }

    /// Returns the bytes of its source and its target, an end each.
    pub fn bytes(&self) -> [usize; 2] {
        [self.source.len() + 1, self.target.len() + 1]
    }
}

impl TranslatorTrainingPlan {
    /// Splits the pairs into two lists of indices, trained and held out; pairs left out for their length are in
    /// neither.
    ///
    /// Whole texts are held out, as [`held_out`] chooses them. Supplementary pairs, those of less than full weight,
    /// always train.
    pub fn split(&self) -> [Vec<usize>; 2] {
        let share = self.settings.held_out;
        let fits = |pair: &TranslationPair| pair.bytes().iter().all(|bytes| *bytes <= self.settings.longest + 1);
        let numbers = || self.pairs.iter().enumerate().filter(|(_, pair)| fits(pair));
        let texts = numbers().filter(|(_, pair)| pair.weight >= whole()).map(|(_, pair)| pair.text_key());
        let held_out = held_out(texts, share);
        let (held_out, trained): (Vec<_>, Vec<_>) =
            numbers().partition(|(_, pair)| pair.weight >= whole() && held_out.contains(pair.text_key()));
        [trained, held_out].map(|side| side.into_iter().map(|(number, _)| number).collect())
    }

    /// Returns the held-out pairs whose source also trains: a model that knows it by heart would look better than it
    /// is.
    pub fn leaks(&self) -> Vec<usize> {
        let sources: Vec<&str> = self.pairs.iter().map(|pair| pair.source.as_str()).collect();
        let [trained, held_out] = self.split();
        leaks_among(&sources, &trained, &held_out)
    }

    /// Returns the plan without some of its pairs, given by their sorted indices.
    pub fn without(&self, numbers: &[usize]) -> Self {
        let kept = self.pairs.iter().enumerate().filter(|(number, _)| numbers.binary_search(number).is_err());
        Self { pairs: kept.map(|(_, pair)| pair.clone()).collect(), settings: self.settings.clone() }
    }

    /// Checks that the plan can be carried out.
    ///
    /// # Errors
    /// Names the problem with the settings or with a pair.
    pub fn check(&self) -> Result<(), PlanProblem> {
        self.settings.check()?;
        let wrong = |pair: &TranslationPair| {
            if pair.source.trim().is_empty() {
                Some(PairProblem::NoSource)
            } else if self.settings.task == TranslatorObjective::Translation && pair.target.trim().is_empty() {
                Some(PairProblem::NoTarget)
            } else if !(pair.weight.is_finite() && pair.weight > 0.0) {
                Some(PairProblem::Weight(pair.weight))
            } else {
                None
            }
        };
        let first =
            self.pairs.iter().enumerate().find_map(|(number, pair)| wrong(pair).map(|problem| (number + 1, problem)));
        if let Some((number, problem)) = first {
            return Err(PlanProblem::Pair { number, problem });
        }
        let [trained, held_out] = self.split();
        if trained.is_empty() {
            let longest = self.settings.longest;
            let all = self.pairs.len();
            let held_out = held_out.len();
            return Err(PlanProblem::NoPairs { all, held_out, long: all - held_out, longest });
        }
        Ok(())
    }

    /// Returns the number of pairs left out because they are too long.
    pub fn left_out(&self) -> usize {
        self.pairs.len() - self.split().iter().map(Vec::len).sum::<usize>()
    }
}

fn whole() -> f32 {
    1.0
}

#[cfg(test)]
mod tests;
