//! Softmax, and on the CPU its gradient, in few sweeps over the memory.

use super::exponential::exponential;
use burn::tensor::{Device, Tensor, TensorData, activation};

/// Numbers that are compared or added side by side, so that the compiler keeps them in one register or two.
const LANES: usize = 8;

/// Shares of each row of logits, `[rows, heads, places, places looked at]`, 1 in sum.
///
/// Where the CPU wants gradients, the shares come from one vectorised sweep and count as constants; their gradient comes from
/// zeros that are multiplied by them. With P the shares and S the logits it is `P ∘ (dP − Σ P ∘ dP)`; burn's own has a pass for the
/// largest logit, the exponential, the sum and the quotient, twice each.
///
/// # Errors
/// What burn says when the logits cannot be read.
pub(super) async fn softmax(logits: Tensor<4>) -> Result<Tensor<4>, String> {
    let device = logits.device();
    let plain = device.clone().without_autodiff();
    if plain != Device::flex() || !device.is_autodiff() {
        return Ok(activation::softmax(logits, 3));
    }
    let dims = logits.dims();
    let zeros = logits.clone() - logits.clone().inner().autodiff();
    let data = logits.inner().into_data_async().await.map_err(|error| format!("{error:?}"))?;
    let mut values = data.try_into_vec::<f32>().map_err(|error| format!("{error:?}"))?;
    values.chunks_exact_mut(dims[3]).for_each(shares);
    let shares = Tensor::<4>::from_data(TensorData::new(values, dims), &plain).autodiff();
    let moved = zeros * shares.clone();
    let sum = moved.clone().sum_dim(3);
    Ok(shares.clone() + moved - shares * sum)
}

/// Logits to shares, in place.
fn shares(row: &mut [f32]) {
    let largest = folded(row, f32::MIN, |one, other| if other > one { other } else { one });
    row.iter_mut().for_each(|value| *value = exponential(*value - largest));
    let factor = 1.0 / folded(row, 0.0, |one, other| one + other);
    row.iter_mut().for_each(|value| *value *= factor);
}

/// A row folded in lanes, then the lanes and the rest.
#[inline]
fn folded(row: &[f32], start: f32, together: impl Fn(f32, f32) -> f32) -> f32 {
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
    use std::task::{Context, Poll, Waker};

    /// As in the models.
    const MASKED: f32 = -1e9;

    fn now<T>(future: impl Future<Output = T>) -> T {
        match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a computation on the CPU waited for something"),
        }
    }

    fn numbers(tensor: Tensor<4>) -> Vec<f32> {
        tensor.into_data().try_to_vec().expect("numbers")
    }

    /// Logits of two rows of 19 places, so that lanes and rest are used, some of them masked.
    fn logits() -> Vec<f32> {
        let value = |at: usize| if at % 19 > 14 { MASKED } else { ((at * 7) % 11) as f32 - 5.0 };
        (0..38).map(value).collect()
    }

    #[test]
    fn shares_and_gradients_are_those_of_burn() {
        let device = Device::flex().autodiff();
        let given = || Tensor::<4>::from_data(TensorData::new(logits(), [1, 2, 1, 19]), &device).require_grad();
        let weights: Vec<f32> = (0..38).map(|at| (at % 5) as f32 - 1.5).collect();
        let weights = Tensor::<4>::from_data(TensorData::new(weights, [1, 2, 1, 19]), &device);
        let (one, other) = (given(), given());
        let ours = now(softmax(one.clone())).expect("a softmax");
        let burns = activation::softmax(other.clone(), 3);
        let gradient = |shares: Tensor<4>, logits: Tensor<4>| {
            let mut gradients = (shares * weights.clone()).sum().backward();
            numbers(logits.grad_remove(&mut gradients).expect("a gradient"))
        };
        let found = [numbers(ours.clone().inner()), gradient(ours, one)];
        let expected = [numbers(burns.clone().inner()), gradient(burns, other)];
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            // Shares below 1, gradients below 2: some roundings of f32.
            assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
        }
        assert!(found[0].iter().zip(logits()).all(|(share, logit)| (logit == MASKED) == (*share == 0.0)));
    }

    #[test]
    fn far_logits_keep_their_sum() {
        for mut row in [vec![1e9, 1e9, -1e9], vec![MASKED; 9], vec![-1000.0; 16], vec![0.0]] {
            shares(&mut row);
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{row:?}");
        }
    }
}
