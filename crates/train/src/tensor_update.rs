//! One step of one tensor: what its optimiser, whichever it is, is told beside the gradient.

use burn::tensor::Tensor;

/// How far a tensor moves in a step. AdamW takes all of it, Adafactor rate, decay and number, Muon rate, decay and the
/// first of the shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TensorUpdate {
    /// The learning rate.
    pub rate: f64,
    /// Shares of the moments that are kept.
    pub betas: [f64; 2],
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Decay, times the rate.
    pub decay: f64,
    /// Number of the step, from 1.
    pub number: u32,
}

impl TensorUpdate {
    /// A tensor after its decay.
    pub fn decayed(&self, value: Tensor<2>) -> Tensor<2> {
        if self.decay == 0.0 { value } else { value * (1.0 - self.rate * self.decay) }
    }
}
