//! Muon (Jordan et al. 2024, <https://kellerjordan.github.io/posts/muon/>) as PyTorch computes it: momentum whose
//! matrices are made orthogonal before they are subtracted. It is for the linear maps within a network; AdamW moves
//! embeddings, maps to tokens and vectors. It stores one moment instead of AdamW's two, and a step costs fifteen matrix
//! products per map.

use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// Coefficients a, b and c of the Newton–Schulz iteration a·X + b·(XXᵀ)X + c·(XXᵀ)²X, as chosen by Jordan.
const POLYNOMIAL: [f64; 3] = [3.4445, -4.7750, 2.0315];
const ITERATIONS: usize = 5;
/// Smallest divisor of a matrix.
const LEAST_LENGTH: f64 = 1e-7;
/// Root mean square that every update is scaled to. It is that of AdamW's updates, so that one rate serves both (Liu et
/// al. 2025, <https://arxiv.org/abs/2502.16982>, Eq. 4).
const UPDATE_SIZE: f64 = 0.2;

/// Returns maps side by side, with `columns` columns each, after one step of Muon, and their momentum; `before` is
/// `None` at the first step. Of `update`, the rate, the decay and the first beta, Nesterov's momentum, are used.
pub fn muon(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<Tensor<2>>,
    update: &TensorUpdate,
    columns: &[usize],
) -> (Tensor<2>, Tensor<2>) {
    let kept = update.betas[0];
    let fresh = gradient.clone() * (1.0 - kept);
    let momentum = match before {
        Some(before) => before * kept + fresh.clone(),
        None => fresh.clone(),
    };
    // Nesterov's momentum: the gradient counts once more, as if the momentum had already made the step.
    let ahead = fresh + momentum.clone() * kept;
    let mut first = 0;
    // Each map is made orthogonal by itself: queries, keys and values only lie side by side, and together they would
    // share singular vectors that none of them has.
    let maps = columns.iter().map(|width| {
        let own = ahead.clone().narrow(1, first, *width);
        first += width;
        let longer = own.dims().into_iter().max().unwrap_or(1) as f64;
        // An orthogonal matrix has a root mean square of 1/√(longer side); this factor gives all maps the same.
        orthogonal(own) * (UPDATE_SIZE * longer.sqrt() * update.rate)
    });
    let movement = Tensor::cat(maps.collect(), 1);
    (update.decayed(value) - movement, momentum)
}

/// Returns a matrix with the same singular vectors whose singular values lie between 0.7 and 1.2, except tiny ones.
fn orthogonal(matrix: Tensor<2>) -> Tensor<2> {
    // The iteration diverges for singular values well above 1. None exceeds the Frobenius norm, which is cheap to
    // compute.
    let length = matrix.clone().square().sum().sqrt().clamp_min(LEAST_LENGTH).reshape([1, 1]);
    let [rows, columns] = matrix.dims();
    let is_tall = rows > columns;
    // A wide matrix has the smaller product XXᵀ.
    let matrix = if is_tall { matrix.transpose() } else { matrix };
    let [a, b, c] = POLYNOMIAL;
    // A step applies the polynomial to each singular value and leaves the singular vectors unchanged. The coefficients
    // are chosen to lift small values fast rather than to converge to 1: after five steps directions with small
    // gradients count as much as others, which is the point of Muon.
    let iterated = (0..ITERATIONS).fold(matrix / length, |x, _| {
        let square = x.clone().matmul(x.clone().transpose());
        let polynomial = square.clone() * b + square.clone().matmul(square) * c;
        x.clone() * a + polynomial.matmul(x)
    });
    if is_tall { iterated.transpose() } else { iterated }
}
