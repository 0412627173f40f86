//! What a run of the ablation came to, as its folder keeps it.

use super::plan::Arm;
use serde::{Deserialize, Serialize};
use tuppum_eval::translation::TranslationScores;
use tuppum_tasks::translation::training::Validation;

/// What one run came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// How it was trained.
    pub arm: Arm,
    /// With which seed.
    pub seed: u64,
    /// Checksum of pairs and settings.
    pub fingerprint: String,
    /// Checksum of the model that it began with, its bias included; unknown of runs that older versions began.
    #[serde(default)]
    pub base: Option<String>,
    /// Most pairs that were to be translated; unknown of runs that older versions ended.
    #[serde(default)]
    pub translate: Option<usize>,
    /// Pairs that it trained with.
    pub pairs: usize,
    /// Steps.
    pub steps: u32,
    /// Loss of the last step.
    pub last_loss: f32,
    /// Strength of the bias in the last step.
    pub alpha: Option<f32>,
    /// Seconds of the sitting that ended it.
    pub seconds: f64,
    /// What it foretells of the validation pairs.
    pub validation: Validation,
    /// How well it translates some of them, where that was asked for.
    pub scores: Option<TranslationScores>,
}
