//! Training on the user's own corpus: requests, reports, and the runs that the browser stores.

use super::{DevicePreference, ModelRef};
use serde::{Deserialize, Serialize};
use tuppum_domain::restoration;
pub use tuppum_domain::training::MIN_MEASURED_TEXTS;
use tuppum_domain::translation::bias::BiasSettings;
use tuppum_domain::translation::training::{Step, TranslatorTrainingPlan, Validation};

/// Request to start a training run of a translator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingOrder {
    /// Name given by the user; reduced to plain letters, and numbered if another run has it.
    pub name: String,
    /// Model that training starts from; it is not changed.
    pub base: ModelRef,
    /// Pairs and settings.
    pub plan: TranslatorTrainingPlan,
    /// Device to try.
    pub device: DevicePreference,
    /// Number of steps to make now, all if `None`. The run then pauses.
    pub steps: Option<u32>,
}

/// Task of a training run or a stored model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Translation, learnt from pairs of a text and its translation.
    #[default]
    #[serde(rename = "Translating")]
    Translation,
    /// Restoration, learnt from texts alone.
    #[serde(rename = "Restoring")]
    Restoration,
}

impl Task {
    /// Returns the verb for using a model of this task.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Translation => "translate",
            Self::Restoration => "restore",
        }
    }
}

/// Request to start a training run of a restorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestorerOrder {
    /// Name given by the user; reduced to plain letters, and numbered if another run has it.
    pub name: String,
    /// Model that training starts from; it is not changed.
    pub base: ModelRef,
    /// Texts and settings.
    pub plan: restoration::training::RestorerTrainingPlan,
    /// Device to try.
    pub device: DevicePreference,
    /// Number of steps to make now, all if `None`. The run then pauses.
    pub steps: Option<u32>,
}

/// Request to store a copy of a translator with another hyperbolic bias, or without one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BiasOrder {
    /// Model to copy; it is not changed.
    pub model: ModelRef,
    /// Name of the copy; reduced to plain letters, and numbered if another model has it.
    pub name: String,
    /// Bias of the copy; `None` removes the bias.
    pub bias: Option<BiasSettings>,
}

/// Request to continue a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeOrder {
    /// Name of the run.
    pub name: String,
    /// Device to try.
    pub device: DevicePreference,
    /// Number of steps to make now, all if `None`.
    pub steps: Option<u32>,
    /// Number of parts in which each batch is computed from now on, where memory did not suffice for fewer; unchanged
    /// if `None`.
    #[serde(default)]
    pub parts: Option<usize>,
}

/// State of a training run when it starts or continues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingReport {
    /// Name under which the run is stored.
    pub name: String,
    /// Task that the run trains for.
    pub task: Task,
    /// Device that computes, and the reason, in a sentence for the user.
    pub reason: String,
    /// Number of parameters.
    pub parameters: u64,
    /// Number of parameters that are trained: those of the model, or those of its adapters.
    pub trained: u64,
    /// Numbers of pairs (of a restorer: texts) trained on and held out.
    pub pairs: [usize; 2],
    /// Number of steps of the whole run.
    pub of: u32,
    /// Number of parts in which each batch is computed, one after the other; 0 means 1.
    #[serde(default)]
    pub parts: usize,
    /// Curve of the run so far.
    pub curve: Curve,
    /// Number of steps in the newest checkpoint.
    pub stored: u32,
    /// Reason why the run cannot be stored, if so; it then ends with the tab.
    pub storage_note: Option<String>,
    /// Reason why the newest checkpoint was skipped for an older one, if so.
    pub checkpoint_note: Option<String>,
}

/// Losses and measurements of a run. For a restorer the loss is that of a masked sign; its validations count bits per
/// sign and have no single pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Validations in order.
    pub validations: Vec<Validation>,
}

/// Sample translation, before training and now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Source text.
    pub source: String,
    /// Translation in the corpus.
    pub target: String,
    /// `true` if the pair was held out of training.
    pub held_out: bool,
    /// Translation by the base.
    pub before: String,
    /// Translation by the model after a number of steps.
    pub after: Option<(u32, String)>,
}

/// Comparison of the base and the trained translator on the held-out pairs; fewer bits are better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Bits per byte of the base.
    pub before: f64,
    /// Bits per byte of the trained model.
    pub after: f64,
    /// Difference: trained model minus base.
    pub difference: f64,
    /// Interval that contains the difference in 95 % of 1,000 resamples of the texts.
    pub interval: [f64; 2],
    /// Number of pairs.
    pub pairs: usize,
    /// Number of texts that the pairs are from. Texts are held out as wholes.
    pub texts: usize,
    /// Pairs whose bits changed most.
    pub changed: Vec<Changed>,
    /// Comparison on the hard sources.
    #[serde(default)]
    pub strata: Vec<Stratum>,
}

/// Comparison of the base and the trained model on pairs whose sources share a trait that makes them hard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stratum {
    /// Trait of the sources.
    pub name: String,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of texts that the pairs are from.
    pub texts: usize,
    /// Bits per byte of the base.
    pub before: f64,
    /// Bits per byte of the trained model.
    pub after: f64,
    /// Difference: trained model minus base.
    pub difference: f64,
    /// Interval that contains the difference in 95 % of 1,000 resamples of the texts.
    pub interval: [f64; 2],
}

/// Translation scores of the base and the trained model on held-out pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// Name of the run.
    pub run: String,
    /// Numbers of pairs: translated, and held out in all.
    pub pairs: [usize; 2],
    /// BLEU, chrF++, and the square root of their product.
    pub figures: Vec<ScoredFigure>,
    /// Pairs whose translations changed most.
    pub changed: Vec<Translations>,
}

/// Score of the base and of the trained model; 100 is the best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoredFigure {
    /// Name of the score.
    pub name: String,
    /// Score of the base.
    pub before: f64,
    /// Score of the trained model.
    pub after: f64,
    /// Difference: trained model minus base.
    pub difference: f64,
    /// Interval that contains the difference in 95 % of 1,000 resamples of the texts.
    pub interval: [f64; 2],
}

/// Pair with its translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translations {
    /// The transliteration.
    pub source: String,
    /// Translation in the corpus.
    pub target: String,
    /// Translation by the base.
    pub before: String,
    /// Translation by the trained model.
    pub after: String,
}

/// Comparison of the base and the trained restorer on signs that were masked in the held-out texts. The word boundaries
/// are given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorersCompared {
    /// Number of masked signs.
    pub signs: usize,
    /// Number of stretches of text that hold the signs.
    pub sequences: usize,
    /// Number of texts; 0 in comparisons of an early version.
    #[serde(default)]
    pub texts: usize,
    /// Scores of the base.
    pub before: RestorerScores,
    /// Scores of the trained model.
    pub after: RestorerScores,
    /// Difference in bits per sign, trained model minus base, and the ends of the interval that contains it in 95 % of
    /// 1,000 resamples of the texts; fewer bits are better.
    pub bits: [f64; 3],
    /// Difference in the share of signs whose first answer is right, and its interval, as for `bits`; more is better.
    pub first: [f64; 3],
}

/// Scores of a restorer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorerScores {
    /// Bits per sign.
    pub bits: f64,
    /// Shares of signs whose reading is among the first 1, 5, 10 and 20 answers.
    pub hits: [f64; 4],
    /// Mean reciprocal rank of the right reading.
    pub reciprocal_rank: f64,
}

/// Held-out pair, before training and now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// The transliteration.
    pub source: String,
    /// Translation in the corpus.
    pub target: String,
    /// Bits per byte of the base.
    pub before: f64,
    /// Bits per byte of the trained model.
    pub after: f64,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRun {
    /// Name of the run.
    pub name: String,
    /// Task that the run trains for.
    pub task: Task,
    /// Model that the run started from; `None` if its record cannot be read.
    pub base: Option<ModelRef>,
    /// Number of steps in the newest complete checkpoint; `None` if no checkpoint can be read.
    pub step: Option<u32>,
    /// Number of steps of the whole run.
    pub of: u32,
    /// Numbers of pairs (of a restorer: texts) trained on and held out.
    pub pairs: [usize; 2],
    /// Bytes that the run takes in storage.
    pub bytes: u64,
    /// Time of the newest checkpoint, in milliseconds since 1970.
    pub written: f64,
}
