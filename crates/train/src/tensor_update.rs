//! The settings of one step of one tensor, the same for every optimiser.

use burn::tensor::Tensor;

/// Settings of a step. AdamW uses all of them, Adafactor rate, decay and number, Muon rate, decay and the first beta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TensorUpdate {
    /// Learning rate.
    pub rate: f64,
    /// Shares of the old moments that are kept.
    pub betas: [f64; 2],
    /// Number added to the root of the second moment.
    pub epsilon: f64,
    /// Weight decay, which is multiplied by the rate.
    pub decay: f64,
    /// Number of the step, from 1.
    pub number: u32,
}

impl TensorUpdate {
    /// Returns a tensor after its decay.
    pub fn decayed(&self, value: Tensor<2>) -> Tensor<2> {
        if self.decay == 0.0 { value } else { value * (1.0 - self.rate * self.decay) }
    }
}
