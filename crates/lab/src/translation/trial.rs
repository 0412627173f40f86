//! Transformers for the trial of a device: new ones, and those of a finished run.

use burn::tensor::Device;
use futures_lite::future::block_on;
use std::path::Path;
use tuppum_cli::device::TrialModel;
use tuppum_cli::failure::{About, Result};
use tuppum_hyperbolic::transformer::{Transformer, TransformerSettings};
use tuppum_hyperbolic::transformer_weights::read_transformer;
use tuppum_weights::FileSource;

/// Line that a device is tried with.
const LINE: &str = "um-ma a-na";
/// Tolerance, as for the other models: burn-flex differs from a reference by 1e-6, a wrong kernel by 1e-2.
const TOLERANCE: f32 = 5e-4;

/// A Transformer that has learnt nothing.
pub struct NewTransformer<'s> {
    /// Space and sizes.
    pub settings: &'s TransformerSettings,
    /// Seed of its numbers.
    pub seed: u64,
}

/// The Transformer in the folder of a run.
pub struct SavedTransformer<'f> {
    /// Space and sizes.
    pub settings: TransformerSettings,
    /// The folder.
    pub folder: &'f Path,
}

impl TrialModel for NewTransformer<'_> {
    type Model = Transformer;
    type Golden = Vec<f32>;
    const TOLERANCE: f32 = TOLERANCE;

    fn load(&self, device: &Device) -> Result<Transformer> {
        Ok(Transformer::new(self.settings, self.seed, device)?)
    }

    fn computed(&self, model: &Transformer) -> Result<Vec<f32>> {
        last_states(model)
    }

    fn difference(&self, model: &Transformer, golden: &Vec<f32>) -> Result<f32> {
        difference(&last_states(model)?, golden)
    }
}

impl TrialModel for SavedTransformer<'_> {
    type Model = Transformer;
    type Golden = Vec<f32>;
    const TOLERANCE: f32 = TOLERANCE;

    fn load(&self, device: &Device) -> Result<Transformer> {
        let path = self.folder.join("model.safetensors");
        let mut source = FileSource::open(&path)?;
        block_on(read_transformer(&self.settings, &mut source, device)).at(&path)
    }

    fn computed(&self, model: &Transformer) -> Result<Vec<f32>> {
        last_states(model)
    }

    fn difference(&self, model: &Transformer, golden: &Vec<f32>) -> Result<f32> {
        difference(&last_states(model)?, golden)
    }
}

/// Returns the encoder's states for a short line after its last layer.
fn last_states(model: &Transformer) -> Result<Vec<f32>> {
    Ok(block_on(model.states(LINE))?.pop().unwrap_or_default())
}

/// Returns `max |a − b| / max |b|`.
fn difference(found: &[f32], golden: &[f32]) -> Result<f32> {
    if found.is_empty() || found.len() != golden.len() || found.iter().any(|value| !value.is_finite()) {
        return Err("the test run gave no finite numbers".into());
    }
    let scale = golden.iter().map(|value| value.abs()).fold(f32::MIN_POSITIVE, f32::max);
    Ok(found.iter().zip(golden).map(|(found, golden)| (found - golden).abs()).fold(0.0, f32::max) / scale)
}
