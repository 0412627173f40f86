//! Checks a device against the numbers of the reference program.

use super::model::{ByT5, SourceRow};
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use tuppum_text::tokens::TokenId;

/// Largest relative difference from the reference at which a device is trusted. burn-flex differs by about 1e-6, the
/// rounding of f32 sums in another order; a wrong kernel differs by 1e-2 and more. The margin allows for the less exact
/// exponentials of GPUs.
pub const GOLDEN_TOLERANCE: f32 = 5e-4;

/// Rows and the numbers that the reference program computed for them in float32.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// Rows without padding.
    pub rows: Vec<SourceRow>,
    /// Input of the decoder for each row, all of one length.
    pub targets: Vec<Vec<TokenId>>,
    /// States of the encoder at the places of each row, `[places · d]`.
    pub states: Vec<Vec<f32>>,
    /// Logits after every token of every target, `[rows · places · vocabulary]`.
    pub logits: Vec<f32>,
}

/// Computes golden numbers for one row and one target, to compare another device with, for a model that brings none.
///
/// # Errors
/// As for [`ByT5::encode`]; a result that is not finite is a failure of the device.
pub async fn computed(
    model: &ByT5,
    row: SourceRow,
    target: Vec<TokenId>,
    yielder: &impl Yield,
) -> Result<Golden, ByT5Error> {
    let (rows, targets) = (vec![row], vec![target]);
    let encoded = model.encode(&rows, 0, yielder).await?;
    let logits = read(model.logits(&encoded, &targets, yielder).await?).await?;
    let mut states = read(encoded.states).await?;
    states.truncate(rows[0].ids.len() * model.config().d_model);
    let golden = Golden { rows, targets, states: vec![states], logits };
    difference(&golden.states[0], &golden.states[0])?;
    difference(&golden.logits, &golden.logits)?;
    Ok(golden)
}

/// Returns the largest differences from the golden states and logits, each relative to the largest golden number: `max
/// |a − b| / max |b|`.
///
/// # Errors
/// As for [`ByT5::encode`]; a result that is not finite is a failure of the device.
pub async fn self_test(model: &ByT5, golden: &Golden, yielder: &impl Yield) -> Result<[f32; 2], ByT5Error> {
    let encoded = model.encode(&golden.rows, 0, yielder).await?;
    let logits = read(model.logits(&encoded, &golden.targets, yielder).await?).await?;
    let width = model.config().d_model;
    let states = read(encoded.states).await?;
    let states = states.chunks_exact(encoded.length * width).zip(&golden.rows);
    let states: Vec<f32> = states.flat_map(|(row, own)| row[..own.ids.len() * width].to_vec()).collect();
    Ok([difference(&states, &golden.states.concat())?, difference(&logits, &golden.logits)?])
}

/// Returns `max |a − b| / max |b|`.
///
/// # Errors
/// [`ByT5Error::Device`] when the counts differ, there are no numbers, or one is not finite.
fn difference(found: &[f32], golden: &[f32]) -> Result<f32, ByT5Error> {
    if found.is_empty() || found.len() != golden.len() || found.iter().any(|value| !value.is_finite()) {
        return Err(ByT5Error::Device("the test run gave no finite numbers".to_string()));
    }
    let scale = golden.iter().map(|value| value.abs()).fold(f32::MIN_POSITIVE, f32::max);
    Ok(found.iter().zip(golden).map(|(found, golden)| (found - golden).abs()).fold(0.0, f32::max) / scale)
}
