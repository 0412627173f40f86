//! Softmax, its logarithm, and, on the CPU, their gradients, in few passes over the memory.

use super::error::Unreadable;
use super::exponential::exponential;
use burn::tensor::{Device, Tensor, TensorData, activation};

/// Number of lanes that are compared or added side by side, so that the compiler keeps them in one or two registers.
const LANES: usize = 8;

/// Computes the softmax of each row of logits, which lie in the last dimension.
///
/// With gradients on the CPU, the probabilities are computed in one vectorised pass and enter the graph as constants,
/// plus zeros whose gradient is that of softmax. With P the probabilities and S the logits the gradient is `dS = P ∘
/// (dP − Σ P ∘ dP)`. Burn's own softmax passes over the memory for the largest logit, the exponential, the sum and the
/// quotient, twice each.
///
/// # Errors
/// [`Unreadable`] when the logits cannot be read.
pub async fn softmax<const D: usize>(logits: Tensor<D>) -> Result<Tensor<D>, Unreadable> {
    let Some(Swept { zeros, values, plain }) = swept(&logits).await? else {
        return Ok(shares_of(logits));
    };
    let dims = logits.dims();
    let mut values = values;
    values.chunks_exact_mut(dims[D - 1]).for_each(|row| {
        shares(row);
    });
    // Constants for burn: otherwise it would store every intermediate tensor of the softmax for the backward pass.
    let shares = Tensor::<D>::from_data(TensorData::new(values, dims), &plain).autodiff();
    let moved = zeros * shares.clone();
    let sum = moved.clone().sum_dim(D - 1);
    // In this order the first two operations are computed in place.
    Ok(moved - shares.clone() * sum + shares)
}

/// Computes [`softmax`] by burn or, in the browser, by our shader; it never reads the logits back.
pub fn shares_of<const D: usize>(logits: Tensor<D>) -> Tensor<D> {
    #[cfg(target_family = "wasm")]
    if let Some(shares) = crate::graphics::softmax(&logits) {
        return shares;
    }
    activation::softmax(logits, D - 1)
}

/// Computes the logarithm of [`softmax`] in the same way; the gradient is `dS = dL − P · Σ dL`, where L are the
/// logarithms.
///
/// # Errors
/// [`Unreadable`] when the logits cannot be read.
pub async fn log_softmax<const D: usize>(logits: Tensor<D>) -> Result<Tensor<D>, Unreadable> {
    let Some(Swept { zeros, values, plain }) = swept(&logits).await? else {
        return Ok(activation::log_softmax(logits, D - 1));
    };
    let dims = logits.dims();
    // The logarithm is not taken of the probabilities, since those of unlikely tokens are 0 in f32.
    let (mut logs, mut likely) = (values.clone(), values);
    for (logs, likely) in logs.chunks_exact_mut(dims[D - 1]).zip(likely.chunks_exact_mut(dims[D - 1])) {
        let all = shares(likely);
        logs.iter_mut().for_each(|log| *log -= all);
    }
    let constant = |values| Tensor::<D>::from_data(TensorData::new(values, dims), &plain).autodiff();
    let sum = (zeros.clone() * constant(likely)).sum_dim(D - 1);
    Ok(zeros - sum + constant(logs))
}

/// Logits on the CPU whose gradient is wanted.
struct Swept<const D: usize> {
    /// Logits minus themselves: zeros that carry the gradient.
    zeros: Tensor<D>,
    values: Vec<f32>,
    /// Device of the tensors without gradients.
    plain: Device,
}

/// Reads logits on the CPU that have gradients; returns `None` for all others, for which burn's own softmax is used.
async fn swept<const D: usize>(logits: &Tensor<D>) -> Result<Option<Swept<D>>, Unreadable> {
    let device = logits.device();
    let plain = device.clone().without_autodiff();
    if plain != Device::flex() || !device.is_autodiff() {
        return Ok(None);
    }
    let inner = logits.clone().inner();
    let zeros = logits.clone() - inner.clone().autodiff();
    let data = inner.into_data_async().await.map_err(Unreadable::of)?;
    let values = data.try_into_vec::<f32>().map_err(Unreadable::of)?;
    Ok(Some(Swept { zeros, values, plain }))
}

/// Replaces logits by their softmax and returns the logarithm of the sum of their exponentials.
pub(super) fn shares(row: &mut [f32]) -> f32 {
    // `>` instead of `f32::max`, whose rules for NaN take more instructions. Without the subtraction of the largest
    // logit, exponentials would overflow from a logit of 89 on; it cancels in the quotient.
    let largest = folded(row, f32::MIN, |one, other| if other > one { other } else { one });
    row.iter_mut().for_each(|value| *value = exponential(*value - largest));
    let sum = folded(row, 0.0, |one, other| one + other);
    // One division per row; multiplying is several times as fast as dividing.
    let factor = 1.0 / sum;
    row.iter_mut().for_each(|value| *value *= factor);
    largest + sum.ln()
}

/// Folds a row in lanes, then folds the lanes and the remainder.
#[inline]
fn folded(row: &[f32], start: f32, together: impl Fn(f32, f32) -> f32) -> f32 {
    // The compiler must not reorder additions of floats, so a single sum would be one chain of dependent additions.
    let mut lanes = [start; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = together(*lane, *value);
        }
    }
    lanes.into_iter().chain(rest.iter().copied()).fold(start, together)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_testing::now;

    /// Number added to masked logits, as in the models.
    const MASKED: f32 = -1e9;

    fn numbers(tensor: Tensor<4>) -> Vec<f32> {
        tensor.into_data().try_to_vec().expect("numbers")
    }

    /// Returns logits of two rows of 19 places, some of them masked; 19 exercises both lanes and remainder.
    fn logits() -> Vec<f32> {
        let value = |at: usize| if at % 19 > 14 { MASKED } else { ((at * 7) % 11) as f32 - 5.0 };
        (0..38).map(value).collect()
    }

    /// Returns values and gradients of a function of the logits, under a weighted sum.
    fn values_and_gradients(of: impl Fn(Tensor<4>) -> Tensor<4>) -> [Vec<f32>; 2] {
        let device = Device::flex().autodiff();
        let logits = Tensor::<4>::from_data(TensorData::new(logits(), [1, 2, 1, 19]), &device).require_grad();
        let weights: Vec<f32> = (0..38).map(|at| if at % 19 > 14 { 0.0 } else { (at % 5) as f32 - 1.5 }).collect();
        let weights = Tensor::<4>::from_data(TensorData::new(weights, [1, 2, 1, 19]), &device);
        let found = of(logits.clone());
        let mut gradients = (found.clone() * weights).sum().backward();
        [numbers(found.inner()), numbers(logits.grad_remove(&mut gradients).expect("a gradient"))]
    }

    /// Asserts equality up to a few roundings of f32. Probabilities are below 1, logarithms below 13 and gradients
    /// below 10; masked logarithms are far larger.
    fn assert_near(found: &[Vec<f32>; 2], expected: &[Vec<f32>; 2]) {
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 4e-6 * (1.0 + expected.abs() / 10.0), "{found} and {expected}");
        }
    }

    #[test]
    fn shares_and_gradients_are_those_of_burn() {
        let found = values_and_gradients(|logits| now(softmax(logits)).expect("a softmax"));
        assert_near(&found, &values_and_gradients(|logits| activation::softmax(logits, 3)));
        assert!(found[0].iter().zip(logits()).all(|(share, logit)| (logit == MASKED) == (*share == 0.0)));
    }

    #[test]
    fn logarithms_and_gradients_are_those_of_burn() {
        let found = values_and_gradients(|logits| now(log_softmax(logits)).expect("logarithms"));
        assert_near(&found, &values_and_gradients(|logits| activation::log_softmax(logits, 3)));
    }

    #[test]
    fn far_logits_keep_their_sum() {
        for mut row in [vec![1e9, 1e9, -1e9], vec![MASKED; 9], vec![-1000.0; 16], vec![0.0]] {
            let all = shares(&mut row);
            assert!(all.is_finite());
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{row:?}");
        }
    }
}
