//! The ablation in the page: the base trained in six ways on the user's corpus, and how they compare.

use super::{DevicePreference, ModelRef};
use serde::{Deserialize, Serialize};
use tuppum_tasks::translation::training::{TranslatorTrainingPlan, Validation};

/// An ablation to make, or to go on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationOrder {
    /// What every run begins with, as in training.
    pub base: ModelRef,
    /// The corpus, and how every run trains; its seed draws the data.
    pub plan: TranslatorTrainingPlan,
    /// Every way is trained once with each.
    pub seeds: Vec<u64>,
    /// Which device to try.
    pub device: DevicePreference,
    /// What was found before: runs of the same base, corpus and settings are not made again.
    pub known: Option<KnownRuns>,
}

/// Runs that were made in an earlier sitting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownRuns {
    /// Checksum of pairs and settings of the runs.
    pub fingerprint: String,
    /// Results of the runs.
    pub runs: Vec<AblationRun>,
}

/// An ablation as it begins or goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationReport {
    /// What computes, and why, in a sentence for the user.
    pub reason: String,
    /// What the runs are made of: base, corpus and settings in a checksum.
    pub fingerprint: String,
    /// How many pairs every way trains with, how many more some have, and how many all are measured on.
    pub pairs: [usize; 3],
    /// Arms of the ablation.
    pub arms: Vec<AblationArm>,
    /// How many runs there will be.
    pub of: usize,
}

/// An arm of the ablation: a way to train.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationArm {
    /// Letter of the arm.
    pub name: String,
    /// Whether it has the supplementary pairs too.
    pub data: bool,
    /// Whether the sources of the arm are augmented.
    pub augmentation: bool,
    /// Whether it has the hyperbolic bias.
    pub bias: bool,
}

/// A step of one of the runs.
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
    /// What it predicts of the pairs that were set aside.
    pub validation: Validation,
    /// Why the run failed, if it did.
    #[serde(default)]
    pub problem: Option<String>,
}

/// Findings of the runs so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AblationFound {
    /// Comparisons between two arms each.
    pub comparisons: Vec<ArmsCompared>,
    /// D against B by what makes a source hard.
    pub gains: Vec<GainFound>,
}

/// One way against another; fewer bits are better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArmsCompared {
    /// Letter of the first arm.
    pub first: String,
    /// Letter of the second arm.
    pub second: String,
    /// The second's bits per byte minus the first's, in the mean of the seeds.
    pub difference: f64,
    /// The interval in which 95 % of 1,000 samples of the texts have it.
    pub interval: [f64; 2],
    /// Conclusion from the comparison, in words.
    pub verdict: String,
}

/// What the bias brings against one trait of the sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainFound {
    /// Name of the trait, for the axis.
    pub axis: String,
    /// For each pair how much of the trait it has, and D minus B in bits per byte.
    pub points: Vec<[f64; 2]>,
    /// The line that fits them best with its band: x, y, lower and upper end.
    pub line: Vec<[f64; 4]>,
    /// What can be said of it: the end of a sentence.
    pub said: String,
}
