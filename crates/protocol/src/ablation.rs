//! The ablation in the page: the base trained in six ways on the user's corpus, and how they compare.

use super::{DevicePreference, ModelRef};
use serde::{Deserialize, Serialize};
use tuppum_domain::translation::training::{TranslatorTrainingPlan, Validation};

/// Request for an ablation, new or continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationOrder {
    /// Model that every run starts from, as in training.
    pub base: ModelRef,
    /// Corpus and training settings of every run; their seed draws the data.
    pub plan: TranslatorTrainingPlan,
    /// Seeds; every arm is trained once with each seed.
    pub seeds: Vec<u64>,
    /// Device to try.
    pub device: DevicePreference,
    /// Earlier results: runs of the same base, corpus and settings are not repeated.
    pub known: Option<KnownRuns>,
}

/// Runs of an earlier session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownRuns {
    /// Checksum of pairs and settings of the runs.
    pub fingerprint: String,
    /// Results of the runs.
    pub runs: Vec<AblationRun>,
}

/// State of an ablation when it starts or continues.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationReport {
    /// Device that computes, and the reason, in a sentence for the user.
    pub reason: String,
    /// Checksum of base, corpus and settings, which identifies comparable runs.
    pub fingerprint: String,
    /// Numbers of pairs: trained on by every arm, added in some arms, and measured on by all arms.
    pub pairs: [usize; 3],
    /// Arms of the ablation.
    pub arms: Vec<AblationArm>,
    /// Number of runs in all.
    pub of: usize,
}

/// Arm of the ablation: one way to train.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationArm {
    /// Letter of the arm.
    pub name: String,
    /// `true` if the arm trains on the supplementary pairs too.
    pub data: bool,
    /// `true` if the sources of the arm are augmented.
    pub augmentation: bool,
    /// `true` if the arm has the hyperbolic bias.
    pub bias: bool,
}

/// Training step of one of the runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationStep {
    /// Letter of the arm.
    pub arm: String,
    /// Seed of the run.
    pub seed: u64,
    /// Number of the step, from 1.
    pub step: u32,
    /// Number of steps of the run.
    pub of: u32,
}

/// Result of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationRun {
    /// Letter of the arm.
    pub arm: String,
    /// Seed of the run.
    pub seed: u64,
    /// Measurement on the held-out pairs.
    pub validation: Validation,
    /// Reason why the run failed, if it did.
    #[serde(default)]
    pub problem: Option<String>,
}

/// Results of the runs so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationFound {
    /// Comparisons between two arms each.
    pub comparisons: Vec<ArmsCompared>,
    /// Gain of arm D over arm B, by each trait that makes a source hard.
    pub gains: Vec<GainFound>,
}

/// Comparison of two arms; fewer bits are better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArmsCompared {
    /// Letter of the first arm.
    pub first: String,
    /// Letter of the second arm.
    pub second: String,
    /// Bits per byte of the second arm minus those of the first, averaged over the seeds.
    pub difference: f64,
    /// Interval that contains the difference in 95 % of 1,000 resamples of the texts.
    pub interval: [f64; 2],
    /// Conclusion from the comparison, in words.
    pub verdict: String,
}

/// Gain from the bias, plotted against one trait of the sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainFound {
    /// Name of the trait, for the axis.
    pub axis: String,
    /// Each pair: amount of the trait, and bits per byte of arm D minus those of arm B.
    pub points: Vec<[f64; 2]>,
    /// Line of best fit through the points, with its band: x, y, lower and upper end.
    pub line: Vec<[f64; 4]>,
    /// Conclusion for the user: the end of a sentence.
    pub said: String,
}
