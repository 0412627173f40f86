//! Layers of both networks: RMS norm, attention without gradients, and the hook for dropout in training.
//!
//! On the CPU, burn calls the exponential once per logit; in a browser these calls take a sixth as long as all matrix
//! products. There the softmax of [`attention`] runs over the logits of a few heads at a time, vectorised. On a
//! graphics device burn starts one kernel per operation; in the browser one kernel of ours computes the whole softmax
//! or norm.

use super::error::Unreadable;
use super::softmax::{shares, shares_of};
use burn::module::Param;
use burn::tensor::{Device, Tensor, TensorData, module, ops::AttentionModuleOptions};

/// Computes the norm of every model here: root mean square without subtracting the mean (Zhang & Sennrich 2019,
/// <https://arxiv.org/abs/1910.07467>), `x / sqrt(mean(x²) + ε) · gain` along the last axis.
///
/// # Shapes
/// `x` and the result: `[rows, d]`; `gain`: `[d]`.
pub fn rms_norm(x: &Tensor<2>, gain: &Param<Tensor<1>>, epsilon: f64) -> Tensor<2> {
    #[cfg(target_family = "wasm")]
    if let Some(normed) = crate::graphics::rms_norm(x, &gain.val(), epsilon) {
        return normed;
    }
    let size = (x.clone().square().mean_dim(1) + epsilon).sqrt();
    x.clone() / size * gain.val().unsqueeze()
}

/// Maximum number of logits held at a time: 4 MB. A single head is never split, even if it has more.
const MAX_LOGITS: usize = 1 << 20;

/// Returns the attention output of every place, without gradients: `softmax(scale · q kᵀ + bias) v`.
///
/// # Shapes
/// `queries` and the result: `[rows, heads, places, head]`; `keys` and `values`: `[rows, heads, seen, head]`; `bias`:
/// `[rows, heads, places, seen]`, where every dimension but the last may be 1.
///
/// # Errors
/// [`Unreadable`] when the logits cannot be read.
pub async fn attention(
    queries: Tensor<4>,
    keys: Tensor<4>,
    values: Tensor<4>,
    bias: Option<Tensor<4>>,
    scale: f64,
) -> Result<Tensor<4>, Unreadable> {
    if cfg!(target_family = "wasm") && queries.device() == Device::flex() {
        return in_sweeps(queries, keys, values, bias, scale, MAX_LOGITS).await;
    }
    if cfg!(target_family = "wasm") {
        let products = queries.matmul(keys.swap_dims(2, 3));
        let scaled = if scale == 1.0 { products } else { products * scale };
        let logits = match bias {
            Some(bias) => scaled + bias,
            None => scaled,
        };
        return Ok(shares_of(logits).matmul(values));
    }
    let options = AttentionModuleOptions { scale: Some(scale), ..Default::default() };
    let full = |bias: Tensor<4>| match bias.dims()[2] {
        1 => bias.repeat_dim(2, queries.dims()[2]),
        _ => bias,
    };
    let bias = bias.map(full);
    Ok(module::attention(queries, keys, values, None, bias, options))
}

/// Computes [`attention`] on a few heads of one row at a time, so that at most `most` logits are in memory.
async fn in_sweeps(
    queries: Tensor<4>,
    keys: Tensor<4>,
    values: Tensor<4>,
    bias: Option<Tensor<4>>,
    scale: f64,
    most: usize,
) -> Result<Tensor<4>, Unreadable> {
    let ([rows, heads, places, _], seen) = (queries.dims(), keys.dims()[2]);
    // The logits of one head of a row of 2,048 places alone take 17 MB.
    let together = (most / (places * seen).max(1)).clamp(1, heads);
    let mut taken = Vec::with_capacity(rows);
    for row in 0..rows {
        let mut of_row = Vec::with_capacity(heads.div_ceil(together));
        for first in (0..heads).step_by(together) {
            let count = together.min(heads - first);
            let part = |of: &Tensor<4>| of.clone().narrow(0, row, 1).narrow(1, first, count);
            let logits = part(&queries).matmul(part(&keys).swap_dims(2, 3));
            let bias = bias.as_ref().map(|bias| own_part(bias, row, first, count));
            of_row.push(swept(logits, bias, scale as f32).await?.matmul(part(&values)));
        }
        taken.push(joined(of_row, 1));
    }
    Ok(joined(taken, 0))
}

/// Returns the part of the bias for some heads of a row. A dimension of size 1 serves all rows or heads.
fn own_part(bias: &Tensor<4>, row: usize, first: usize, count: usize) -> Tensor<4> {
    let [rows, heads, ..] = bias.dims();
    let of_row = if rows > 1 { bias.clone().narrow(0, row, 1) } else { bias.clone() };
    if heads > 1 { of_row.narrow(1, first, count) } else { of_row }
}

fn joined(mut parts: Vec<Tensor<4>>, dimension: usize) -> Tensor<4> {
    match parts.len() {
        1 => parts.remove(0),
        _ => Tensor::cat(parts, dimension),
    }
}

/// Returns the softmax of each row of `scale · logits + bias`.
async fn swept(logits: Tensor<4>, bias: Option<Tensor<4>>, scale: f32) -> Result<Tensor<4>, Unreadable> {
    let device = logits.device();
    let [_, heads, places, seen] = logits.dims();
    let mut data = logits.into_data_async().await.map_err(Unreadable::of)?;
    let logits = data.as_mut_slice::<f32>().map_err(Unreadable::of)?;
    // A stride of 0 repeats a bias that serves all heads or places without copying it.
    let (mut bias_data, mut steps) = (TensorData::new(vec![0.0f32; seen], [seen]), [0, 0]);
    if let Some(bias) = bias {
        let [_, bias_heads, bias_places, _] = bias.dims();
        let of_place = if bias_places > 1 { seen } else { 0 };
        steps = [if bias_heads > 1 { bias_places * seen } else { 0 }, of_place];
        bias_data = bias.into_data_async().await.map_err(Unreadable::of)?;
    }
    let bias = bias_data.as_slice::<f32>().map_err(Unreadable::of)?;
    for (number, row) in logits.chunks_exact_mut(seen.max(1)).enumerate() {
        let (head, place) = (number / places % heads, number % places);
        let start = head * steps[0] + place * steps[1];
        for (logit, bias) in row.iter_mut().zip(&bias[start..start + seen]) {
            *logit = *logit * scale + bias;
        }
        shares(row);
    }
    Ok(Tensor::from_data(data, &device))
}

/// Hook that a model calls wherever training applies dropout (Srivastava et al. 2014).
pub trait Dropout {
    /// Returns the stream, `[n, d]`, with a part set to 0 and the rest scaled so that the mean stays.
    fn dropped(&mut self, stream: Tensor<2>) -> Tensor<2>;
}

/// Hook that drops nothing.
impl Dropout for () {
    fn dropped(&mut self, stream: Tensor<2>) -> Tensor<2> {
        stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_testing::now;

    const MASKED: f32 = -1e9;

    fn tensor(dims: [usize; 4], seed: usize, value: impl Fn(f32) -> f32) -> Tensor<4> {
        let count = dims.iter().product::<usize>();
        let values = (0..count).map(|at| value(((at * 7 + seed) * 2_654_435 % 2_003) as f32 / 1_001.0 - 1.0));
        Tensor::from_data(TensorData::new(values.collect::<Vec<f32>>(), dims), &Device::flex())
    }

    #[test]
    fn sweeps_take_what_burn_takes() {
        let masked = |value: f32| if value > 0.6 { MASKED } else { value };
        let (rows, heads, places, seen, head) = (2, 3, 5, 19, 8);
        let queries = tensor([rows, heads, places, head], 1, |value| value);
        let [keys, values] = [2, 3].map(|seed| tensor([rows, heads, seen, head], seed, |value| value));
        let biases = [[2, 3, 5, 19], [1, 3, 5, 19], [2, 1, 5, 19], [1, 1, 1, 19], [2, 1, 1, 19]];
        for bias in biases.map(|dims| Some(tensor(dims, 4, masked))).into_iter().chain([None]) {
            let expected = now(attention(queries.clone(), keys.clone(), values.clone(), bias.clone(), 0.3));
            let expected = expected.expect("attention").into_data().try_to_vec::<f32>().expect("numbers");
            // All heads at once, two heads at a time, one head at a time.
            for most in [usize::MAX, 2 * places * seen, 1] {
                let (queries, keys, values) = (queries.clone(), keys.clone(), values.clone());
                let found = now(in_sweeps(queries, keys, values, bias.clone(), 0.3, most)).expect("attention");
                assert_eq!(found.dims(), [rows, heads, places, head]);
                let found = found.into_data().try_to_vec::<f32>().expect("numbers");
                // Probabilities are below 1 and sum to 1: the tolerance is a few roundings of f32.
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 2e-6, "{found} and {expected}");
                }
            }
        }
    }
}
