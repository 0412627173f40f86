//! Measures any model that scores the next byte on held-out translations.

use crate::error::TrainError;
use crate::loss;
use burn::tensor::Tensor;
use tuppum_nn::byt5::ByT5Error;
use tuppum_tasks::translation::training::Validation;
use tuppum_text::tokens::TokenId;

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
        let nats = loss::nats(logits.reshape([count * places, vocabulary]), &targets, places, 0.0).await?;
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
