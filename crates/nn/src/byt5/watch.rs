//! A hook into a running model: it collects attention maps or states, or applies dropout in training.

use burn::tensor::Tensor;
use tuppum_tasks::translation::attention::AttentionKind;

/// Hook into a running model. It is called with the attention of every layer, and may replace what flows through the
/// model.
pub(super) trait Watch {
    /// Called when a layer attends. The weights, `[rows, heads, places, places attended to]`, are computed only if the
    /// closure is called.
    fn observe(&mut self, kind: AttentionKind, layer: usize, weights: impl FnOnce() -> Tensor<4>);

    /// Returns `true` if everything wanted was observed, so that the remaining layers can be skipped.
    fn is_content(&self) -> bool {
        false
    }

    /// Called with the stream, `[n, d]`, that enters the first layer of the encoder, and with the stream after each
    /// layer.
    fn flow(&mut self, _: &Tensor<2>) {}

    /// Returns the stream, `[n, d]`, to continue with at a place where training applies dropout. By default the stream
    /// is unchanged.
    fn passed(&mut self, stream: Tensor<2>) -> Tensor<2> {
        stream
    }
}

/// Hook that does nothing.
impl Watch for () {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}
}
