//! What may stand beside a model while it runs: it collects a map of attention or the states, or drops parts in
//! training.

use burn::tensor::Tensor;
use tuppum_tasks::translation::attention::AttentionKind;

/// Stands beside a model while it runs: is told of the attention of every layer, and may drop some of what flows.
pub(super) trait Watch {
    /// A layer attends; the weights, `[rows, heads, places, places attended to]`, are computed only when they are
    /// called for.
    fn observe(&mut self, kind: AttentionKind, layer: usize, weights: impl FnOnce() -> Tensor<4>);

    /// Whether all that is wanted was observed, so that the rest need not be computed.
    fn is_content(&self) -> bool {
        false
    }

    /// The stream, `[n, d]`, flows into the first layer of the encoder, or comes out of one.
    fn flow(&mut self, _: &Tensor<2>) {}

    /// What goes on of a stream, `[n, d]`, at a place where training drops a part; here all of it, untouched.
    fn passed(&mut self, stream: Tensor<2>) -> Tensor<2> {
        stream
    }
}

/// Nobody watches.
impl Watch for () {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}
}
