//! What is trained and how: pairs, settings, how far a run has come. Plain data, for page, worker and command line
//! alike; the training itself is `train::translator`.

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
    /// The text that it is from: pairs of one text are held out together. Where it is empty, the source stands for it.
    #[serde(default)]
    pub text: String,
    /// The transliteration, in the form that the translator reads.
    pub source: String,
    /// Translation of the source.
    pub target: String,
    /// How much it counts; supplementary pairs, such as those of a lexicon, count half.
    #[serde(default = "whole")]
    pub weight: f32,
}

/// Part of a translator whose tensors train together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranslatorPart {
    /// The embeddings.
    Embeddings,
    /// The blocks of the encoder.
    Encoder,
    /// The blocks of the decoder.
    Decoder,
    /// The output weights, where they are not the embeddings.
    Head,
    /// The tables of relative positions.
    Positions,
    /// The points of the hyperbolic bias.
    Points,
    /// The strength of the hyperbolic bias.
    Alpha,
}

impl TranslatorPart {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Embeddings, Self::Encoder, Self::Decoder, Self::Head, Self::Positions, Self::Points, Self::Alpha];
}

/// Objective: what is learnt of the pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranslatorObjective {
    /// To write the target for the source.
    #[default]
    Translation,
    /// To write what was taken out of the source; there need be no target. The pretraining.
    Spans {
        /// Which share of the bytes is taken out.
        share: f64,
        /// How many bytes a span has in the mean.
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
    /// Within what the paper found enough.
    fn default() -> Self {
        Self { rank: 8, strength: 16.0 }
    }
}

impl LoraSettings {
    /// The highest rank; above it adapters save nothing.
    pub const MOST: usize = 256;

    /// By what the product of the factors is multiplied.
    pub fn scale(&self) -> f64 {
        self.strength / self.rank.max(1) as f64
    }
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Number of epochs, passes over all pairs.
    Epochs(u32),
    /// Number of steps of the optimiser.
    Steps(u32),
}

/// How a translator is trained. The defaults are those of the design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TranslatorTrainingSettings {
    /// Objective of the training.
    pub task: TranslatorObjective,
    /// Length of the run.
    pub length: Length,
    /// Equal seeds make equal runs.
    pub seed: u64,
    /// How the weights are moved; a file has its fields among these.
    #[serde(flatten, deserialize_with = "optimiser")]
    pub optimiser: OptimiserSettings,
    /// Share of probability that the loss spreads over all tokens.
    pub label_smoothing: f64,
    /// Share of every stream that is dropped.
    pub dropout: f64,
    /// Most bytes of a batch: rows times the longest source and the longest target.
    pub batch_bytes: usize,
    /// Number of batches in a step.
    pub accumulation: usize,
    /// In how many parts each batch is computed, one after the other, which takes less memory and more time; the step
    /// is the same but for its dropout. Left out of a file where it is one, as older versions had no such thing.
    #[serde(skip_serializing_if = "is_one")]
    pub parts: usize,
    /// Pairs whose source or target has more bytes are left out.
    pub longest: usize,
    /// Share of the texts that is held out to measure with.
    pub held_out: f64,
    /// How likely the source of a pair is augmented, drawn afresh each epoch.
    pub augmented: f64,
    /// Rates of the augmentation.
    pub augmentation: Rates,
    /// Parts that do not train.
    pub frozen: BTreeSet<TranslatorPart>,
    /// Whether the hyperbolic bias takes part, where the model has one.
    pub bias: bool,
    /// How many encoder blocks it reaches; as the model has it where it is not given.
    pub bias_layers: Option<usize>,
    /// A new bias that the run begins with, in place of what the model has; left out of a file where none is wanted, as
    /// older versions had no such thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach: Option<BiasSettings>,
    /// How its points learn; left out of a file where it is as usual, as older versions had no such thing.
    #[serde(skip_serializing_if = "PointsSettings::is_default")]
    pub points: PointsSettings,
    /// Adapters of the maps of attention, which train while all else but the bias stays as it is; all trains where
    /// there are none.
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

/// The optimiser's settings from among those of a file.
fn optimiser<'de, D: Deserializer<'de>>(settings: D) -> Result<OptimiserSettings, D::Error> {
    TranslatorTrainingSettings::default().optimiser.read(settings)
}

/// Pairs, and how to train with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranslatorTrainingPlan {
    /// All pairs, those to be held out too.
    pub pairs: Vec<TranslationPair>,
    /// Settings of the training.
    #[serde(default)]
    pub settings: TranslatorTrainingSettings,
}

/// A step that was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the step, from 1.
    pub number: u32,
    /// Number of steps of the whole run.
    pub of: u32,
    /// How many times all pairs have been gone through before it.
    pub epoch: u32,
    /// Mean loss per target byte before the step, in nats, label smoothing and weights included.
    pub loss: f32,
    /// The learning rate.
    pub rate: f64,
    /// Norm of the gradient before it was clipped.
    pub gradient_norm: f32,
    /// Strength of the hyperbolic bias before the step, where there is one.
    pub alpha: Option<f32>,
    /// The way of its points before the step, where they learn. Older versions did not note it.
    #[serde(default)]
    pub points: Option<PointsMoved>,
    /// Bytes of sources and targets, without padding.
    pub bytes: u32,
    /// Pairs.
    pub pairs: u32,
}

/// How well a model predicts held-out translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Number of steps before the validation.
    pub after: u32,
    /// Mean bits per byte of the targets; the end of a target counts as a byte. No weights, no smoothing, no
    /// augmentation.
    pub bits_per_byte: f64,
    /// The bits of each held-out pair, in order.
    pub bits: Vec<f32>,
    /// The bytes of each held-out target, its end included.
    pub bytes: Vec<u32>,
}

impl TranslatorTrainingSettings {
    /// Whether every number makes sense.
    ///
    /// # Errors
    /// Names the first that does not.
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
    /// A pair of full weight.
    pub fn new(text: impl Into<String>, source: impl Into<String>, target: impl Into<String>) -> Self {
        Self { text: text.into(), source: source.into(), target: target.into(), weight: whole() }
    }

    /// Key of the text that the pair is held out with.
    pub fn text_key(&self) -> &str {
        if self.text.is_empty() { &self.source } else { &self.text }
    }

    /// Bytes of its source and its target, an end each.
    pub fn bytes(&self) -> [usize; 2] {
        [self.source.len() + 1, self.target.len() + 1]
    }
}

impl TranslatorTrainingPlan {
    /// Which pairs train and which are held out: two lists of numbers of pairs, those left out for their length in
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

    /// Numbers of the held-out pairs whose source trains too: a model that knows it by heart would look better than it
    /// is.
    pub fn leaks(&self) -> Vec<usize> {
        let sources: Vec<&str> = self.pairs.iter().map(|pair| pair.source.as_str()).collect();
        let [trained, held_out] = self.split();
        leaks_among(&sources, &trained, &held_out)
    }

    /// The plan without some of its pairs, given by their numbers in order.
    pub fn without(&self, numbers: &[usize]) -> Self {
        let kept = self.pairs.iter().enumerate().filter(|(number, _)| numbers.binary_search(number).is_err());
        Self { pairs: kept.map(|(_, pair)| pair.clone()).collect(), settings: self.settings.clone() }
    }

    /// Whether it can be carried out.
    ///
    /// # Errors
    /// Says what is wrong with the settings, or with which pair.
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

    /// How many pairs are left out because they are too long.
    pub fn left_out(&self) -> usize {
        self.pairs.len() - self.split().iter().map(Vec::len).sum::<usize>()
    }
}

fn whole() -> f32 {
    1.0
}

#[cfg(test)]
#[path = "training_tests.rs"]
mod tests;
