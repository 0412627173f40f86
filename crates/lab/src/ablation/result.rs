//! Result of a run of the ablation, as its folder stores it.

use super::plan::Arm;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tuppum_cli::failure::Result;
use tuppum_domain::translation::training::Validation;
use tuppum_eval::translation::TranslationScores;

/// Result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// Arm of the run.
    pub arm: Arm,
    /// Seed of the run.
    pub seed: u64,
    /// Checksum of pairs and settings.
    pub fingerprint: String,
    /// Checksum of the model that the run began with, its bias included; unknown for runs that older versions began.
    #[serde(default)]
    pub base: Option<String>,
    /// Maximum number of pairs to translate; unknown for runs that older versions ended.
    #[serde(default)]
    pub translate: Option<usize>,
    /// Number of pairs trained with.
    pub pairs: usize,
    /// Number of steps.
    pub steps: u32,
    /// Loss of the last step.
    pub last_loss: f32,
    /// Strength of the bias in the last step.
    pub alpha: Option<f32>,
    /// Seconds of the session in which the run ended.
    pub seconds: f64,
    /// Loss of the run on the validation pairs.
    pub validation: Validation,
    /// Scores of some translations, if they were asked for.
    pub scores: Option<TranslationScores>,
}

/// Returns the result in a run's folder, where it is there.
///
/// # Errors
/// When it is none.
pub fn read(folder: &Path) -> Result<Option<RunResult>> {
    let Ok(json) = std::fs::read(folder.join("result.json")) else { return Ok(None) };
    let found = serde_json::from_slice(&json).map_err(|error| {
        format!("{}/result.json: {error}; delete the folder to make the run again", folder.display())
    })?;
    Ok(Some(found))
}
