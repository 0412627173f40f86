//! Checks a device against the numbers of the reference program.

use super::forward::Torso;
use crate::error::TorsoError;
use crate::yielding::Yield;
use tuppum_domain::restoration::Row;
use tuppum_text::tokens::{BEGIN, MASK, SPECIALS, TokenId};

/// Largest relative difference from the reference at which a device is trusted.
///
/// Measured on the shipped torso: burn-flex differs by 5e-7, the rounding of f32 sums in another order. A wrong kernel
/// differs by 1e-2 and more. 5e-4 leaves GPUs room for their less exact exponentials.
pub const GOLDEN_TOLERANCE: f32 = 5e-4;

/// Rows and the logits that the reference program computed for them in float32.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// Rows without padding, each with the places of its masks.
    pub rows: Vec<Row>,
    /// Logits by row and place.
    pub logits: Vec<Vec<Vec<f32>>>,
}

/// Number of signs of the row that [`computed`] uses.
const SELF_TEST_SIGNS: usize = 48;

/// Computes golden logits for one row, to compare another device with. The row has a mask in its middle, surrounded by
/// the first readings of the vocabulary.
///
/// # Errors
/// As for [`Torso::logits`].
pub async fn computed(torso: &Torso, yielder: &impl Yield) -> Result<Golden, TorsoError> {
    let (length, tokens) = (SELF_TEST_SIGNS.min(torso.config().longest), torso.config().vocabulary.max(1));
    let mut ids: Vec<TokenId> = (0..length).map(|place| ((SPECIALS.len() + place) % tokens) as TokenId).collect();
    let place = length / 2;
    ids[0] = BEGIN;
    ids[place] = MASK;
    let row = Row { ids, places: vec![place] };
    let logits = torso.logits(&[&row], 0, yielder).await?;
    Ok(Golden { rows: vec![row], logits })
}

/// Returns the largest difference from the golden logits, relative to the largest golden logit: `max |a − b| / max
/// |b|`. One scale serves all logits, since a softmax depends on their absolute errors, and single logits may be near
/// 0.
///
/// # Errors
/// As for [`Torso::logits`]; a result that is not finite is a failure of the device.
pub async fn self_test(torso: &Torso, golden: &Golden, yielder: &impl Yield) -> Result<f32, TorsoError> {
    let rows: Vec<&Row> = golden.rows.iter().collect();
    let found = torso.logits(&rows, 0, yielder).await?;
    let pairs = || found.iter().flatten().flatten().zip(golden.logits.iter().flatten().flatten());
    if pairs().count() == 0 || pairs().any(|(found, _)| !found.is_finite()) {
        return Err(TorsoError::Device("the test run gave no finite numbers".to_string()));
    }
    let scale = pairs().map(|(_, golden)| golden.abs()).fold(f32::MIN_POSITIVE, f32::max);
    let difference = pairs().map(|(found, golden)| (found - golden).abs()).fold(0.0, f32::max);
    Ok(difference / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torso::{TorsoBuilder, TorsoConfig};
    use crate::yielding::NeverYields;
    use burn::tensor::Device;
    use tuppum_testing::now;

    #[test]
    fn a_torso_agrees_with_what_it_computed_and_another_does_not() {
        let config = TorsoConfig {
            layers: 1,
            d_model: 8,
            d_ff: 16,
            heads: 2,
            head_dim: 4,
            vocabulary: 20,
            rope_base: 10_000.0,
            window: 32,
            longest: 32,
            temperature: 1.0,
        };
        let torso = |shift: f32| {
            let mut builder = TorsoBuilder::new(config.clone(), Device::flex());
            for spec in config.tensors() {
                let count: usize = spec.shape.iter().product();
                let values = (0..count).map(|number| ((number * 7 % 11) as f32 - 5.0) * 0.1 + shift).collect();
                builder.put(&spec.name, values).unwrap();
            }
            builder.build().unwrap()
        };
        let golden = now(computed(&torso(0.0), &NeverYields)).unwrap();
        assert_eq!(now(self_test(&torso(0.0), &golden, &NeverYields)).unwrap(), 0.0);
        assert!(now(self_test(&torso(0.05), &golden, &NeverYields)).unwrap() > GOLDEN_TOLERANCE);
    }
}
