//! The loss: cross-entropy per target byte, with label smoothing (Szegedy et al. 2016, §7,
//! <https://arxiv.org/abs/1512.00567>) and a weight per row.

use crate::error::TrainError;
use burn::tensor::{Int, Tensor, TensorData};
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::softmax::log_softmax;
use tuppum_text::tokens::TokenId;

/// Returns the loss of targets of unequal length: `Σ weight · ((1 − ε) · −log p(target) + ε · mean over tokens of −log
/// p)`. Places beyond a target's end have weight 0.
///
/// # Shapes
/// `logits`: `[rows, places, vocabulary]`; the result: `[1]`.
///
/// # Errors
/// When the device fails.
pub async fn cross_entropy(
    logits: Tensor<3>,
    targets: &[Vec<TokenId>],
    weights: &[f32],
    smoothing: f64,
) -> Result<Tensor<1>, TrainError> {
    let [rows, places, vocabulary] = logits.dims();
    let by_place = nats(logits.reshape([rows * places, vocabulary]), targets, places, smoothing).await?;
    let weights: Vec<f32> = targets
        .iter()
        .zip(weights)
        .flat_map(|(target, weight)| (0..places).map(move |place| if place < target.len() { *weight } else { 0.0 }))
        .collect();
    let weights = Tensor::<2>::from_data(TensorData::new(weights, [rows * places, 1]), &by_place.device());
    Ok((by_place * weights).sum())
}

/// Returns the loss of each place, in nats: `[rows * places, 1]`. Values beyond a target's end are meaningless.
///
/// # Errors
/// When the device fails.
pub async fn nats(
    logits: Tensor<2>,
    targets: &[Vec<TokenId>],
    places: usize,
    smoothing: f64,
) -> Result<Tensor<2>, TrainError> {
    let device = logits.device();
    let tokens: Vec<i32> = targets
        .iter()
        .flat_map(|target| (0..places).map(|place| target.get(place).map_or(0, |token| *token as i32)))
        .collect();
    let tokens = Tensor::<2, Int>::from_data(TensorData::new(tokens, [targets.len() * places, 1]), &device);
    let logs = log_softmax(logits).await.map_err(ByT5Error::from)?;
    let own = logs.clone().gather(1, tokens).neg();
    Ok(if smoothing == 0.0 { own } else { own * (1.0 - smoothing) - logs.mean_dim(1) * smoothing })
}

/// Returns the sum of the weights that [`cross_entropy`] gives to places.
pub fn weight(targets: &[Vec<TokenId>], weights: &[f32]) -> f64 {
    targets.iter().zip(weights).map(|(target, weight)| target.len() as f64 * f64::from(*weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;
    use tuppum_testing::now;

    #[test]
    fn the_loss_is_that_of_its_formula() {
        let (rows, places, vocabulary) = (2, 3, 5);
        let logits: Vec<f32> = (0..rows * places * vocabulary).map(|at| ((at * 7) % 11) as f32 / 3.0).collect();
        let targets = vec![vec![4, 0, 2], vec![1]];
        let weights = [1.0, 0.5];
        let mut expected = 0.0;
        for (row, target) in targets.iter().enumerate() {
            for (place, token) in target.iter().enumerate() {
                let own = &logits[(row * places + place) * vocabulary..][..vocabulary];
                let all: f64 = own.iter().map(|logit| f64::from(*logit).exp()).sum();
                let log = |token: usize| f64::from(own[token]) - all.ln();
                let mean = (0..vocabulary).map(log).sum::<f64>() / vocabulary as f64;
                expected -= f64::from(weights[row]) * (0.9 * log(*token as usize) + 0.1 * mean);
            }
        }
        let tensor = Tensor::from_data(TensorData::new(logits, [rows, places, vocabulary]), &Device::flex());
        let found = now(cross_entropy(tensor, &targets, &weights, 0.1)).unwrap();
        let found = found.into_data().try_to_vec::<f32>().unwrap()[0];
        // Four terms near 2, rounded in f32.
        assert!((f64::from(found) - expected).abs() < 1e-5, "{found} and {expected}");
        assert_eq!(weight(&targets, &weights), 3.5);
    }
}
