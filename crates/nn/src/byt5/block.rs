//! The blocks of both stacks: pre-norm RMS, attention, gated feed-forward, each added to the stream.

use super::attention::{CrossAttention, SelfAttention};
use super::error::ByT5Error;
use super::gate::gate;
use super::watch::Watch;
use crate::norm::rms_norm;
use burn::module::{Module, Param};
use burn::tensor::Tensor;

/// `(gelu(x · left) · (x · right)) · down`.
#[derive(Module, Debug)]
pub struct FeedForward {
    /// Gain of the norm before it, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// What is gated and what gates it side by side, `[d, 2 · ff]`.
    pub up: Param<Tensor<2>>,
    /// `[ff, d]`.
    pub down: Param<Tensor<2>>,
}

impl FeedForward {
    /// The stream after it, `[n, d]`.
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

/// A block of the encoder.
#[derive(Module, Debug)]
pub struct EncoderBlock {
    /// Gain of the norm before attention, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// Attention to the own row.
    pub attention: SelfAttention,
    /// Feed-forward part after the attention.
    pub feed_forward: FeedForward,
}

/// A block of the decoder.
#[derive(Module, Debug)]
pub struct DecoderBlock {
    /// Gain of the norm before attention to the own row, `[d]`.
    pub norm: Param<Tensor<1>>,
    /// Attention to the own row.
    pub attention: SelfAttention,
    /// Gain of the norm before attention to the encoder, `[d]`.
    pub cross_norm: Param<Tensor<1>>,
    /// Attention to the encoder.
    pub cross: CrossAttention,
    /// Feed-forward part after the attention.
    pub feed_forward: FeedForward,
}
