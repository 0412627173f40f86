//! The blocks of encoder and decoder: pre-norm RMS, attention, gated feed-forward, each added to the stream.

use super::attention::{CrossAttention, SelfAttention};
use super::gate::gate;
use super::watch::Watch;
use crate::error::ByT5Error;
use crate::norm::rms_norm;
use burn::module::{Module, Param};
use burn::tensor::Tensor;

/// Gated feed-forward part: `(gelu(x · left) · (x · right)) · down`.
#[derive(Module, Debug)]
pub struct FeedForward {
    /// Gain of the norm before the feed-forward part, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// Weights of `left` and `right` side by side, `[d, 2 · ff]`.
    pub up: Param<Tensor<2>>,
    /// Weights of `down`, `[ff, d]`.
    pub down: Param<Tensor<2>>,
}

impl FeedForward {
    /// Returns the stream after the feed-forward part, `[n, d]`.
    pub async fn forward(
        &self,
        stream: Tensor<2>,
        epsilon: f64,
        watch: &mut impl Watch,
    ) -> Result<Tensor<2>, ByT5Error> {
        let wide = rms_norm(&stream, &self.norm, epsilon).matmul(self.up.val());
        let gated = watch.passed(gate(wide).await?);
        Ok(stream + watch.passed(gated.matmul(self.down.val())))
    }
}

/// Block of the encoder.
#[derive(Module, Debug)]
pub struct EncoderBlock {
    /// Gain of the norm before attention, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// Attention of a row to itself.
    pub attention: SelfAttention,
    /// Feed-forward part after the attention.
    pub feed_forward: FeedForward,
}

/// Block of the decoder.
#[derive(Module, Debug)]
pub struct DecoderBlock {
    /// Gain of the norm before self-attention, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// Attention of the written text to itself.
    pub attention: SelfAttention,
    /// Gain of the norm before attention to the encoder's states, `[d]`.
    pub cross_norm: Param<Tensor<1>>,
    /// Attention to the encoder's states.
    pub cross: CrossAttention,
    /// Feed-forward part after the attention.
    pub feed_forward: FeedForward,
}
