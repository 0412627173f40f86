//! Attention by squared Lorentz distance, with several heads.

use super::{LinearForm, LinearSettings, Lorentz, LorentzLinear};
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData, activation};

/// Returns the weights of Eq. 5, softmax over j of -d²(qᵢ, kⱼ) / √n, where n is the space-like dimension of a head.
///
/// # Shapes
/// Queries `[batch, heads, i, n + 1]`, keys `[batch, heads, j, n + 1]`, a mask that is added to the logits (0 or -1e9)
/// and can be repeated to `[batch, heads, i, j]`; the result is `[batch, heads, i, j]`.
pub fn attention_weights(lorentz: Lorentz, q: Tensor<4>, k: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
    let size = ((q.dims()[3] - 1) as f64).sqrt();
    let logits = lorentz.squared_distances(q, k) / -size;
    softmax(logits, mask)
}

/// Softmax over the last dimension, with a mask added if there is one.
fn softmax(logits: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
    let logits = match mask {
        Some(mask) => logits + mask,
        None => logits,
    };
    activation::softmax(logits, 3)
}

/// Attention weights with the distances divided by a number `[1]` instead of √n.
fn weights_by_scale(lorentz: Lorentz, [q, k]: [Tensor<4>; 2], scale: Tensor<1>, mask: Option<Tensor<4>>) -> Tensor<4> {
    let logits = lorentz.squared_distances(q, k).neg() / scale.reshape([1, 1, 1, 1]);
    softmax(logits, mask)
}

/// Returns for every query the centroid of the values, weighted by [`attention_weights`] (Eq. 5).
///
/// # Shapes
/// Queries, keys and mask as for [`attention_weights`], with values `[batch, heads, j, m + 1]`; the result is `[batch,
/// heads, i, m + 1]`.
pub fn attend(lorentz: Lorentz, q: Tensor<4>, k: Tensor<4>, v: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
    lorentz.centroids(attention_weights(lorentz, q, k, mask), v)
}

/// Settings of a [`LorentzAttention`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionSettings {
    /// Space-like dimension of inputs and outputs.
    pub size: usize,
    /// Heads, of `size / heads` dimensions each.
    pub heads: usize,
    /// Form of the linear layers.
    pub form: LinearForm,
    /// λ of the layers of queries, keys and values at the start, if they are normalised, each head on its own.
    pub inner: Option<f64>,
    /// λ of the last layer at the start, if it is normalised.
    pub outer: Option<f64>,
    /// `true` if the last layer has biases.
    pub outer_bias: bool,
    /// `true` if the number that squared distances are divided by is learnt.
    pub learnt_scale: bool,
}

impl AttentionSettings {
    /// Returns settings with plain layers and √n.
    pub fn plain(size: usize, heads: usize) -> Self {
        let form = LinearForm::SpaceFirst;
        Self { size, heads, form, inner: None, outer: None, outer_bias: true, learnt_scale: false }
    }
}

/// Multi-head attention (Eq. 6): queries, keys and values by Lorentz linear layers, attention in each head, the heads
/// side by side, and a linear layer over them.
///
/// The published code computes logits (2 + 2⟨q, k⟩) / s + b with s and b trained
/// (`mt/onmt/modules/lmulti_headed_attn.py`). Here there is √n as in Eq. 5, or s; there is no b, which a softmax would
/// ignore, so that it would never learn.
#[derive(Module, Debug)]
pub struct LorentzAttention {
    query: LorentzLinear,
    key: LorentzLinear,
    value: LorentzLinear,
    output: LorentzLinear,
    /// s: `[1]`.
    scale: Option<Param<Tensor<1>>>,
    #[module(skip)]
    heads: usize,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzAttention {
    /// Random attention over points of space-like dimension `size`, in `heads` heads of `size / heads` each.
    pub fn new(lorentz: Lorentz, size: usize, heads: usize, device: &Device) -> Self {
        Self::of(lorentz, &AttentionSettings::plain(size, heads), device)
    }

    /// Random attention of these settings; s begins as the root of the size.
    pub fn of(lorentz: Lorentz, settings: &AttentionSettings, device: &Device) -> Self {
        let AttentionSettings { size, heads, form, inner, outer, outer_bias, learnt_scale } = *settings;
        let width = (size / heads.max(1)).max(1) * heads;
        let inner = LinearSettings { bias: true, normalised: inner, form, heads, ..LinearSettings::exact(size, width) };
        let outer = LinearSettings {
            bias: outer_bias,
            gate_bias: outer_bias,
            normalised: outer,
            form,
            ..LinearSettings::exact(width, size)
        };
        let layer = || LorentzLinear::new(lorentz, &inner, device);
        let begun = || TensorData::new(vec![(size as f32).sqrt()], [1]);
        Self {
            query: layer(),
            key: layer(),
            value: layer(),
            output: LorentzLinear::new(lorentz, &outer, device),
            scale: learnt_scale.then(|| Param::from_data(begun(), device)),
            heads,
            lorentz,
        }
    }

    /// Returns what the places of `x` gather from the places of `memory`, which is `x` itself in self-attention.
    ///
    /// # Shapes
    /// `[batch, i, size + 1]`, `[batch, j, size + 1]`, a mask as for [`attention_weights`]; the result is `[batch, i,
    /// size + 1]`.
    pub fn forward(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        self.lorentz.lift(self.space(x, memory, mask))
    }

    /// Returns the space-like coordinates of [`forward`](Self::forward): `[batch, i, size]`.
    pub fn space(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        self.output.space(self.gathered(x, memory, mask))
    }

    /// Returns the heads side by side, before the last layer: `[batch, i, size + 1]`.
    pub fn gathered(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        let apart = |layer: &LorentzLinear, x: Tensor<3>| self.lorentz.heads_apart(layer.space(x), self.heads);
        let (q, k, v) = (apart(&self.query, x), apart(&self.key, memory.clone()), apart(&self.value, memory));
        let weights = match &self.scale {
            Some(scale) => weights_by_scale(self.lorentz, [q, k], scale.val(), mask),
            None => attention_weights(self.lorentz, q, k, mask),
        };
        self.lorentz.heads_joined(self.lorentz.centroids(weights, v))
    }

    /// Returns the last layer.
    pub fn output(&self) -> &LorentzLinear {
        &self.output
    }
}
