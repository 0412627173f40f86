//! The loss: cross-entropy per target byte, with label smoothing (Szegedy et al. 2016, §7,
//! <https://arxiv.org/abs/1512.00567>) and a weight per row. And the measuring of any model that scores the next byte
//! on held-out translations, by the same cross-entropy.

use crate::error::TrainError;
use burn::tensor::{Int, Tensor, TensorData};
use tuppum_domain::translation::training::Validation;
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

/// Measures the bits of each target given its source, in batches in which the number of rows times the longest source
/// and target is at most `batch_bytes`. `forced` returns the logits of the targets: `[rows, places, vocabulary]`.
///
/// # Errors
/// Errors of `forced` and of the device.
pub async fn measured(
    examples: &[[Vec<TokenId>; 2]],
    batch_bytes: usize,
    mut forced: impl AsyncFnMut(&[Vec<TokenId>], &[Vec<TokenId>]) -> Result<Tensor<3>, TrainError>,
) -> Result<Validation, TrainError> {
    let length = |number: &usize| examples[*number].iter().map(Vec::len).sum::<usize>();
    let mut order: Vec<usize> = (0..examples.len()).collect();
    order.sort_by_key(length);
    let mut bits = vec![0.0; examples.len()];
    while let Some(longest) = order.last().map(length) {
        let rest = order.len().saturating_sub((batch_bytes / longest.max(1)).max(1));
        let own = order.split_off(rest);
        let [sources, targets] =
            [0, 1].map(|side| own.iter().map(|number| examples[*number][side].clone()).collect::<Vec<_>>());
        let logits = forced(&sources, &targets).await?;
        let [count, places, vocabulary] = logits.dims();
        let nats = nats(logits.reshape([count * places, vocabulary]), &targets, places, 0.0).await?;
        let nats = read_all(nats.reshape([count * places])).await?;
        for ((number, target), nats) in own.iter().zip(&targets).zip(nats.chunks_exact(places)) {
            let sum: f64 = nats.iter().take(target.len()).map(|nats| f64::from(*nats)).sum();
            bits[*number] = (sum / std::f64::consts::LN_2) as f32;
        }
    }
    let bytes: Vec<u32> = examples.iter().map(|[_, target]| target.len() as u32).collect();
    let all: f64 = bits.iter().map(|bits| f64::from(*bits)).sum();
    let bits_per_byte = all / bytes.iter().map(|bytes| f64::from(*bytes)).sum::<f64>().max(1.0);
    Ok(Validation { after: 0, bits_per_byte, bits, bytes })
}

/// Reads the numbers of a tensor.
///
/// # Errors
/// Errors of the device.
pub async fn read_all(tensor: Tensor<1>) -> Result<Vec<f32>, TrainError> {
    let device = |error: String| TrainError::Model(ByT5Error::Device(error));
    let data = tensor.into_data_async().await.map_err(|error| device(format!("{error:?}")))?;
    data.try_into_vec::<f32>().map_err(|error| device(format!("{error:?}")))
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
