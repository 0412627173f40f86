//! The hook through which a model applies dropout in training (Srivastava et al. 2014).

use burn::tensor::Tensor;

/// Hook that a model calls wherever training applies dropout.
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
