//! The norm of every model here: root mean square without subtracting the mean (Zhang & Sennrich 2019,
//! <https://arxiv.org/abs/1910.07467>).

use burn::module::Param;
use burn::tensor::Tensor;

/// Computes `x / sqrt(mean(x²) + ε) · gain` along the last axis.
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
