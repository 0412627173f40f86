//! Where a model drops a part of what flows through it while it is trained (Srivastava et al. 2014).

use burn::tensor::Tensor;

/// Asked by a model wherever training drops a part.
pub trait Dropout {
    /// What goes on of a stream, `[n, d]`, scaled so that its mean stays.
    fn dropped(&mut self, stream: Tensor<2>) -> Tensor<2>;
}

/// Drops nothing.
impl Dropout for () {
    fn dropped(&mut self, stream: Tensor<2>) -> Tensor<2> {
        stream
    }
}
