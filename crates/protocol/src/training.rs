//! Training on the user's own corpus: what is asked, what comes back, what the browser stores of a run.

use super::{DevicePreference, ModelRef};
use serde::{Deserialize, Serialize};
use tuppum_tasks::restoration;
pub use tuppum_tasks::training::LEAST_MEASURED;
use tuppum_tasks::translation::bias::BiasSettings;
use tuppum_tasks::translation::training::{Step, TranslatorTrainingPlan, Validation};

/// A run to begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingOrder {
    /// The name that the user gave it; made plain, and numbered if another run has it.
    pub name: String,
    /// What is trained further; it stays as it is.
    pub base: ModelRef,
    /// Pairs and settings.
    pub plan: TranslatorTrainingPlan,
    /// Which device to try.
    pub device: DevicePreference,
    /// How many steps to make now; all if not said. Afterwards the run rests, as at a pause.
    pub steps: Option<u32>,
}

/// What a run trains a model for, and what a stored model is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// To translate: learnt from pairs of a text and its translation.
    #[default]
    #[serde(rename = "Translating")]
    Translation,
    /// To restore: learnt from texts alone.
    #[serde(rename = "Restoring")]
    Restoration,
}

impl Task {
    /// Verb for using a model of this task.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Translation => "translate",
            Self::Restoration => "restore",
        }
    }
}

/// A run of a restorer to begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestorerOrder {
    /// The name that the user gave it; made plain, and numbered if another run has it.
    pub name: String,
    /// What is trained further; it stays as it is.
    pub base: ModelRef,
    /// Texts and settings.
    pub plan: restoration::training::RestorerTrainingPlan,
    /// Which device to try.
    pub device: DevicePreference,
    /// How many steps to make now; all if not said. Afterwards the run rests, as at a pause.
    pub steps: Option<u32>,
}

/// A copy of a translator to store, with another hyperbolic bias or with none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BiasOrder {
    /// The model; it stays as it is.
    pub model: ModelRef,
    /// The name of the copy; made plain, and numbered if another model has it.
    pub name: String,
    /// The bias that it gets in place of its own; none takes that off.
    pub bias: Option<BiasSettings>,
}

/// A run to go on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeOrder {
    /// Name of the run.
    pub name: String,
    /// Which device to try.
    pub device: DevicePreference,
    /// How many steps to make now; all if not said.
    pub steps: Option<u32>,
    /// In how many parts each batch is computed from now on, where the memory did not suffice for fewer; as before
    /// where it is not given.
    #[serde(default)]
    pub parts: Option<usize>,
}

/// A run as it begins or goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingReport {
    /// Name under which the run is stored.
    pub name: String,
    /// Task that the run trains for.
    pub task: Task,
    /// What computes, and why, in a sentence for the user.
    pub reason: String,
    /// Number of parameters.
    pub parameters: u64,
    /// Number of parameters that train: those, or their adapters.
    pub trained: u64,
    /// How many pairs train, or texts, and how many are set aside to measure with.
    pub pairs: [usize; 2],
    /// Number of steps of the whole run.
    pub of: u32,
    /// In how many parts each batch is computed, one after the other; 0 is 1.
    #[serde(default)]
    pub parts: usize,
    /// Curve of the run so far.
    pub curve: Curve,
    /// How many of the steps the newest checkpoint has.
    pub stored: u32,
    /// Why the run cannot be stored, if so: it then ends with the tab.
    pub storage_note: Option<String>,
    /// Why the newest checkpoint was passed over for an older one, if so.
    pub checkpoint_note: Option<String>,
}

/// How a run has gone. Of a restorer the loss is that of a masked sign, a validation counts bits per sign and has no
/// single pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Validations in order.
    pub validations: Vec<Validation>,
}

/// A translation before training and now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What the model reads.
    pub source: String,
    /// The translation of the corpus.
    pub target: String,
    /// Whether the pair was set aside; else it is one of those trained on.
    pub held_out: bool,
    /// What the base writes.
    pub before: String,
    /// Translation by the model after a number of steps.
    pub after: Option<(u32, String)>,
}

/// The base and what training made of it, on the pairs that were set aside; fewer bits are better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Bits per byte of the base.
    pub before: f64,
    /// Bits per byte now.
    pub after: f64,
    /// The difference, now minus before.
    pub difference: f64,
    /// The interval in which 95 % of 1,000 samples of the texts have it.
    pub interval: [f64; 2],
    /// Number of pairs.
    pub pairs: usize,
    /// Of how many texts they are: these were set aside as wholes.
    pub texts: usize,
    /// Pairs whose bits changed most.
    pub changed: Vec<Changed>,
    /// The comparison where sources are hard.
    #[serde(default)]
    pub strata: Vec<Stratum>,
}

/// The base and the trained model on the pairs whose sources have something that makes them hard.
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
    /// Bits per byte now.
    pub after: f64,
    /// The difference, now minus before.
    pub difference: f64,
    /// The interval in which 95 % of 1,000 samples of the texts have it.
    pub interval: [f64; 2],
}

/// How well the base and the trained model translate what was set aside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// Name of the run.
    pub run: String,
    /// How many pairs were translated, and of how many.
    pub pairs: [usize; 2],
    /// BLEU, chrF++, and the root of their product.
    pub figures: Vec<ScoredFigure>,
    /// Those whose translations changed most.
    pub changed: Vec<Translations>,
}

/// One figure before and now; 100 is the best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoredFigure {
    /// Name of the run.
    pub name: String,
    /// Figure of the base.
    pub before: f64,
    /// Figure of the trained model.
    pub after: f64,
    /// The difference, now minus before.
    pub difference: f64,
    /// The interval in which 95 % of 1,000 samples of the texts have it.
    pub interval: [f64; 2],
}

/// A pair with its translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translations {
    /// The transliteration.
    pub source: String,
    /// The translation of the corpus.
    pub target: String,
    /// What the base writes.
    pub before: String,
    /// What the trained model writes.
    pub after: String,
}

/// A restorer and what training made of it, on signs that were masked in the texts set aside, the word boundary being
/// given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorersCompared {
    /// Number of masked signs.
    pub signs: usize,
    /// Number of stretches of text that hold the signs.
    pub sequences: usize,
    /// Of how many texts; 0 in comparisons of an early version.
    #[serde(default)]
    pub texts: usize,
    /// Scores of the base.
    pub before: RestorerScores,
    /// Scores of the trained model.
    pub after: RestorerScores,
    /// Bits per sign, now minus before, and the interval in which 95 % of 1,000 samples of the texts have it; fewer are
    /// better.
    pub bits: [f64; 3],
    /// Share of signs whose first answer is right, likewise; more are better.
    pub first: [f64; 3],
}

/// How often a restorer is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorerScores {
    /// Bits per sign.
    pub bits: f64,
    /// Share of signs whose reading is the first answer, among the first five, the first ten, the first twenty.
    pub hits: [f64; 4],
    /// Mean of one over the rank of the right reading.
    pub reciprocal_rank: f64,
}

/// A pair that was set aside, before training and now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// The transliteration.
    pub source: String,
    /// Translation of the corpus.
    pub target: String,
    /// Bits per byte before.
    pub before: f64,
    /// Bits per byte now.
    pub after: f64,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRun {
    /// Name of the run.
    pub name: String,
    /// Task that the run trains for.
    pub task: Task,
    /// What it was trained from, as far as its notes can be read.
    pub base: Option<ModelRef>,
    /// Steps made at its newest whole checkpoint; none if it has none that can be read.
    pub step: Option<u32>,
    /// Number of steps of the whole run.
    pub of: u32,
    /// How many pairs train, or texts, and how many are set aside.
    pub pairs: [usize; 2],
    /// Bytes that the run takes in storage.
    pub bytes: u64,
    /// When its newest checkpoint was written, in milliseconds since 1970.
    pub written: f64,
}
