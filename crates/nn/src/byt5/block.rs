//! The blocks of encoder and decoder: pre-norm RMS, attention, gated feed-forward, each added to the stream; and the
//! hook through which a running model reports what flows through it.
//!
//! T5's linear maps have no biases, and its attention logits are not scaled by `1/√d`, since T5 draws its weights small
//! enough to do without. As in the torso, streams are `[rows * length, width]`, linear weights are stored `[in, out]`,
//! and maps with the same input lie side by side, so that one matrix product computes all of them.

use super::gate::gate;
use crate::error::ByT5Error;
use crate::layers::{attention, rms_norm};
use crate::softmax::softmax;
use burn::module::{Module, Param};
use burn::tensor::{Tensor, activation};
use tuppum_domain::translation::attention::AttentionKind;

/// Hook into a running model. It is called with the attention of every layer, and may replace what flows through the
/// model.
pub(super) trait ForwardHook {
    /// Called when a layer attends. The weights, `[rows, heads, places, places attended to]`, are computed only if the
    /// closure is called.
    fn observe(&mut self, kind: AttentionKind, layer: usize, weights: impl FnOnce() -> Tensor<4>);

    /// Returns `true` if everything wanted was observed, so that the remaining layers can be skipped.
    fn is_satisfied(&self) -> bool {
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
impl ForwardHook for () {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}
}

/// Number added to the logit of a place that must not be attended to. Finite, because WebGPU's shading language has no
/// infinity.
pub const MASKED: f32 = -1e9;

/// Self-attention.
#[derive(Module, Debug)]
pub struct SelfAttention {
    /// Weights of queries, keys and values side by side, `[d, 3 · inner]`.
    pub qkv: Param<Tensor<2>>,
    /// Weights of the output, `[inner, d]`.
    pub output: Param<Tensor<2>>,
}

/// Attention of the decoder to the encoder's states.
#[derive(Module, Debug)]
pub struct CrossAttention {
    /// Weights of the queries, `[d, inner]`.
    pub query: Param<Tensor<2>>,
    /// Weights of keys and values side by side, `[d, 2 · inner]`.
    pub key_value: Param<Tensor<2>>,
    /// Weights of the output, `[inner, d]`.
    pub output: Param<Tensor<2>>,
}

/// Computes softmax(q kᵀ + bias) v for `[rows, heads, places, head]` and puts the heads side by side: `[rows * places,
/// inner]`.
///
/// With gradients, the attention weights are computed as a tensor of their own: burn stores them for the backward pass
/// anyway.
async fn attend(
    queries: Tensor<4>,
    keys: Tensor<4>,
    values: Tensor<4>,
    bias: Option<Tensor<4>>,
) -> Result<Tensor<2>, ByT5Error> {
    let [rows, heads, places, head] = queries.dims();
    let taken = if queries.device().is_autodiff() {
        softmax(logits(queries, keys, bias)).await?.matmul(values)
    } else {
        attention(queries, keys, values, bias, 1.0).await?
    };
    Ok(taken.swap_dims(1, 2).reshape([rows * places, heads * head]))
}

/// Computes q kᵀ + bias: `[rows, heads, places, places attended to]`.
fn logits(queries: Tensor<4>, keys: Tensor<4>, bias: Option<Tensor<4>>) -> Tensor<4> {
    let logits = queries.matmul(keys.swap_dims(2, 3));
    match bias {
        Some(bias) => logits + bias,
        None => logits,
    }
}

/// Computes the attention weights, softmax(q kᵀ + bias): `[rows, heads, places, places attended to]`.
fn weights(queries: Tensor<4>, keys: Tensor<4>, bias: Option<Tensor<4>>) -> Tensor<4> {
    activation::softmax(logits(queries, keys, bias), 3)
}

impl SelfAttention {
    /// Computes queries, keys and values, heads apart: `[rows, 3 · heads, length, head]`.
    fn split(&self, normed: Tensor<2>, rows: usize, heads: usize) -> Tensor<4> {
        let inner = self.output.dims()[0];
        let length = normed.dims()[0] / rows;
        normed.matmul(self.qkv.val()).reshape([rows, length, 3 * heads, inner / heads]).swap_dims(1, 2)
    }

    /// Returns the attention weights of every place of a row: `[rows, heads, length, length]`.
    /// [`SelfAttention::forward`] may fuse the softmax and never hold them, so they are computed separately.
    pub fn weights(&self, normed: Tensor<2>, rows: usize, heads: usize, bias: &Tensor<4>) -> Tensor<4> {
        let all = self.split(normed, rows, heads);
        weights(all.clone().narrow(1, 0, heads), all.narrow(1, heads, heads), Some(bias.clone()))
    }

    /// Returns the attention output of every place, before it is added to the stream.
    ///
    /// # Shapes
    /// `normed` and the result: `[rows * length, d]`; `bias`: `[rows or 1, heads, length, length]`.
    ///
    /// # Errors
    /// [`ByT5Error::Device`].
    pub async fn forward(
        &self,
        normed: Tensor<2>,
        rows: usize,
        heads: usize,
        bias: &Tensor<4>,
    ) -> Result<Tensor<2>, ByT5Error> {
        let all = self.split(normed, rows, heads);
        let part = |number: usize| all.clone().narrow(1, number * heads, heads);
        Ok(attend(part(0), part(1), part(2), Some(bias.clone())).await?.matmul(self.output.val()))
    }
}

impl CrossAttention {
    /// Returns keys and values of the encoder's states, each `[rows, heads, length, head]`.
    pub fn split_keys_and_values(&self, states: Tensor<2>, rows: usize, heads: usize) -> [Tensor<4>; 2] {
        let inner = self.output.dims()[0];
        let length = states.dims()[0] / rows;
        let both = self.keys_and_values(states).reshape([rows, length, 2 * heads, inner / heads]);
        let both = both.swap_dims(1, 2);
        [both.clone().narrow(1, 0, heads), both.narrow(1, heads, heads)]
    }

    /// Returns keys and values side by side for each place: `[rows * length, d]` to `[rows * length, 2 · inner]`.
    pub fn keys_and_values(&self, states: Tensor<2>) -> Tensor<2> {
        states.matmul(self.key_value.val())
    }

    /// Returns the queries of every place, `[rows, heads, places, head]`.
    fn queries(&self, normed: Tensor<2>, rows: usize, heads: usize) -> Tensor<4> {
        let inner = self.output.dims()[0];
        let places = normed.dims()[0] / rows;
        normed.matmul(self.query.val()).reshape([rows, places, heads, inner / heads]).swap_dims(1, 2)
    }

    /// Returns the attention weights of every place of the decoder over the places of the encoder: `[rows, heads,
    /// places, length]`.
    pub fn weights(
        &self,
        normed: Tensor<2>,
        states: Tensor<2>,
        rows: usize,
        heads: usize,
        padding: Option<&Tensor<4>>,
    ) -> Tensor<4> {
        let [keys, _] = self.split_keys_and_values(states, rows, heads);
        weights(self.queries(normed, rows, heads), keys, padding.cloned())
    }

    /// Returns the attention output of every place of the decoder, before it is added to the stream.
    ///
    /// # Shapes
    /// `normed` and the result: `[rows * places, d]`; `states`: `[rows * length, d]`; `padding`: `[rows, 1, 1,
    /// length]`.
    ///
    /// # Errors
    /// [`ByT5Error::Device`].
    pub async fn forward(
        &self,
        normed: Tensor<2>,
        states: Tensor<2>,
        rows: usize,
        heads: usize,
        padding: Option<&Tensor<4>>,
    ) -> Result<Tensor<2>, ByT5Error> {
        let queries = self.queries(normed, rows, heads);
        let [keys, values] = self.split_keys_and_values(states, rows, heads);
        Ok(attend(queries, keys, values, padding.cloned()).await?.matmul(self.output.val()))
    }
}

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
        hook: &mut impl ForwardHook,
    ) -> Result<Tensor<2>, ByT5Error> {
        let wide = rms_norm(&stream, &self.norm, epsilon).matmul(self.up.val());
        let gated = hook.passed(gate(wide).await?);
        Ok(stream + hook.passed(gated.matmul(self.down.val())))
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
