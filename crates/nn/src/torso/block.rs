//! The blocks of a torso: pre-norm RMS, attention without biases and with rotary positions, feed-forward with GELU.
//!
//! Everything runs on `[rows * length, width]`, so that each linear map is one matrix product, however many rows there
//! are; only attention sees rows. Linear weights are stored `[in, out]`, the order in which the product reads them.

use super::config::TorsoConfig;
use super::gelu::gelu;
use crate::error::TorsoError;
use crate::layers::{Dropout, attention, rms_norm};
use crate::softmax::softmax;
use burn::module::{Module, Param};
use burn::tensor::{Device, Int, Tensor, TensorData};

/// Rotary positions (Su et al. 2021, <https://arxiv.org/abs/2104.09864>) in the half-split layout: number `i` of the
/// first half of a head is rotated with number `i` of the second half. Holds cosines and sines for the places
/// `0..length`, each `[1, length, 1, head_dim / 2]`.
#[derive(Module, Debug)]
pub struct Rotary {
    cos: Tensor<4>,
    sin: Tensor<4>,
}

impl Rotary {
    /// Computes the table for rows of `length` places. Angles are computed in f64, so that far places stay exact.
    pub fn new(config: &TorsoConfig, length: usize, device: &Device) -> Self {
        let half = config.head_dim / 2;
        let angle =
            |place: usize, i: usize| place as f64 * config.rope_base.powf(-((2 * i) as f64) / config.head_dim as f64);
        let table = |turn: fn(f64) -> f64| {
            let values: Vec<f32> =
                (0..length).flat_map(|place| (0..half).map(move |i| turn(angle(place, i)) as f32)).collect();
            Tensor::from_data(TensorData::new(values, [1, length, 1, half]), device)
        };
        Self { cos: table(f64::cos), sin: table(f64::sin) }
    }

    /// Returns the part of the table for rows of `length` places.
    pub fn first(&self, length: usize) -> Self {
        Self { cos: self.cos.clone().narrow(1, 0, length), sin: self.sin.clone().narrow(1, 0, length) }
    }

    /// Rotates every head by its place.
    ///
    /// # Shapes
    /// `heads` and the result: `[rows, length, heads, head_dim]`.
    pub fn turn(&self, heads: Tensor<4>) -> Tensor<4> {
        let half = heads.dims()[3] / 2;
        let (first, second) = (heads.clone().narrow(3, 0, half), heads.narrow(3, half, half));
        let turned_first = first.clone() * self.cos.clone() - second.clone() * self.sin.clone();
        let turned_second = second * self.cos.clone() + first * self.sin.clone();
        Tensor::cat(vec![turned_first, turned_second], 3)
    }
}

/// Number added under the root of every norm.
pub const EPSILON: f64 = 1e-6;

/// Data shared by all blocks of one pass.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Number of rows.
    pub rows: usize,
    /// Number of places per row, padding included.
    pub length: usize,
    /// Rotary table for the length of the rows.
    pub rotary: Rotary,
    /// Mask of the padding, `[rows, 1, length, length]`: 0, or −1e9 where the place attended to is padding; `None` when
    /// no row is padded.
    pub padding: Option<Tensor<4>>,
}

/// Block of a torso: attention, then feed-forward, each added to the stream.
#[derive(Module, Debug)]
pub struct Block {
    /// Gain of the norm before attention, `[d]`.
    pub norm1: Param<Tensor<1>>,
    /// Weights of queries, keys and values side by side, `[d, 3 · inner]`: one product instead of three.
    pub qkv: Param<Tensor<2>>,
    /// Weights of attention's output, `[inner, d]`.
    pub output: Param<Tensor<2>>,
    /// Gain of the norm before the feed-forward part, `[d]`.
    pub norm2: Param<Tensor<1>>,
    /// Weights of the first feed-forward map, `[d, ff]`.
    pub up: Param<Tensor<2>>,
    /// Weights of the second feed-forward map, `[ff, d]`.
    pub down: Param<Tensor<2>>,
}

impl Block {
    /// Returns the stream after this block. If `wanted` is given, only these rows of the stream are returned and
    /// computed as far as possible, which spares most of the work of the last block. In training, dropout is applied to
    /// the output of each half.
    ///
    /// # Shapes
    /// `stream`: `[rows * length, d]`; the result has `wanted` rows if they are given.
    pub async fn forward(
        &self,
        stream: Tensor<2>,
        heads: usize,
        pass: &Pass,
        wanted: Option<&Tensor<1, Int>>,
        dropout: &mut impl Dropout,
    ) -> Result<Tensor<2>, TorsoError> {
        let mut attended = self.attend(rms_norm(&stream, &self.norm1, EPSILON), heads, pass).await?;
        let mut stream = stream;
        if let Some(wanted) = wanted {
            attended = attended.select(0, wanted.clone());
            stream = stream.select(0, wanted.clone());
        }
        let stream = stream + dropout.dropped(attended.matmul(self.output.val()));
        let wide = rms_norm(&stream, &self.norm2, EPSILON).matmul(self.up.val());
        Ok(stream + dropout.dropped(gelu(wide).await?.matmul(self.down.val())))
    }

    /// Computes softmax(q kᵀ / √head_dim + padding) v and puts the heads side by side: `[rows * length, inner]`. With
    /// gradients, the attention weights are computed as a tensor of their own: burn stores them for the backward pass
    /// anyway.
    async fn attend(&self, normed: Tensor<2>, heads: usize, pass: &Pass) -> Result<Tensor<2>, TorsoError> {
        let Pass { rows, length, .. } = *pass;
        let inner = self.output.dims()[0];
        let all = normed.matmul(self.qkv.val()).reshape([rows, length, 3 * heads, inner / heads]);
        let rotated = pass.rotary.turn(all.clone().narrow(2, 0, 2 * heads)).swap_dims(1, 2);
        let values = all.narrow(2, 2 * heads, heads).swap_dims(1, 2);
        let (queries, keys) = (rotated.clone().narrow(1, 0, heads), rotated.narrow(1, heads, heads));
        let taken = if queries.device().is_autodiff() {
            let scale = ((inner / heads) as f32).sqrt().recip();
            let logits = (queries * scale).matmul(keys.swap_dims(2, 3));
            let logits = match &pass.padding {
                Some(padding) => logits + padding.clone(),
                None => logits,
            };
            softmax(logits).await?.matmul(values)
        } else {
            let scale = ((inner / heads) as f64).sqrt().recip();
            attention(queries, keys, values, pass.padding.clone(), scale).await?
        };
        Ok(taken.swap_dims(1, 2).reshape([rows * length, inner]))
    }
}
