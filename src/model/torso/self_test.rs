//! Whether a device computes what the reference computed.

use super::error::TorsoError;
use super::forward::Torso;
use crate::model::pace::Pace;
use crate::model::restoration::Row;

/// Largest relative difference from the reference at which a device is trusted.
///
/// Measured on the shipped torso: burn-flex differs by 5e-7, the rounding of f32 sums in another order. A wrong kernel
/// differs by 1e-2 and more. The design asks for 5e-4, which leaves GPUs room for their less exact exponentials.
pub const GOLDEN_TOLERANCE: f32 = 5e-4;

/// Rows and the logits that the reference program computed for them in float32.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// Rows without padding, each with the places of its masks.
    pub rows: Vec<Row>,
    /// For each row, for each place, the logits.
    pub logits: Vec<Vec<Vec<f32>>>,
}

/// Largest difference from the golden logits, relative to the largest golden logit: `max |a − b| / max |b|`. One scale
/// for all, since what counts for a softmax is the absolute error of a logit, and single logits may be near 0.
///
/// # Errors
/// As for [`Torso::logits`]; a result that is not finite is a failure of the device.
pub async fn self_test(torso: &Torso, golden: &Golden, pace: &impl Pace) -> Result<f32, TorsoError> {
    let rows: Vec<&Row> = golden.rows.iter().collect();
    let found = torso.logits(&rows, 0, pace).await?;
    let pairs = || found.iter().flatten().flatten().zip(golden.logits.iter().flatten().flatten());
    if pairs().count() == 0 || pairs().any(|(found, _)| !found.is_finite()) {
        return Err(TorsoError::Device("the test run gave no finite numbers".to_string()));
    }
    let scale = pairs().map(|(_, golden)| golden.abs()).fold(f32::MIN_POSITIVE, f32::max);
    let difference = pairs().map(|(found, golden)| (found - golden).abs()).fold(0.0, f32::max);
    Ok(difference / scale)
}
