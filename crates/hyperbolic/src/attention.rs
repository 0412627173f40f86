//! Attention by squared Lorentz distance, with several heads.

use super::{LinearSettings, Lorentz, LorentzLinear};
use burn::module::Module;
use burn::tensor::{Device, Tensor, activation};

/// The weights of Eq. 5, softmax over j of -d²(qᵢ, kⱼ) / √n, where n is the space-like dimension of a head.
///
/// # Shapes
/// Queries `[batch, heads, i, n + 1]`, keys `[batch, heads, j, n + 1]`, a mask that is added to the logits (0 or -1e9)
/// and can be repeated to `[batch, heads, i, j]`; the result is `[batch, heads, i, j]`.
pub fn attention_weights(lorentz: Lorentz, q: Tensor<4>, k: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
    let size = ((q.dims()[3] - 1) as f64).sqrt();
    let logits = lorentz.squared_distances(q, k) / -size;
    activation::softmax(mask.map_or(logits.clone(), |mask| logits + mask), 3)
}

/// Eq. 5: for every query the centroid of the values, weighted by [`attention_weights`].
///
/// # Shapes
/// As there, with values `[batch, heads, j, m + 1]`; the result is `[batch, heads, i, m + 1]`.
pub fn attend(lorentz: Lorentz, q: Tensor<4>, k: Tensor<4>, v: Tensor<4>, mask: Option<Tensor<4>>) -> Tensor<4> {
    lorentz.centroids(attention_weights(lorentz, q, k, mask), v)
}

/// Multi-head attention (Eq. 6): queries, keys and values by Lorentz linear layers, attention in each head, the heads
/// side by side, and a linear layer over them.
///
/// The published code computes logits (2 + 2⟨q, k⟩) / s + b with s and b trained; we keep the paper's √n and no b,
/// which a softmax would ignore.
#[derive(Module, Debug)]
pub struct LorentzAttention {
    query: LorentzLinear,
    key: LorentzLinear,
    value: LorentzLinear,
    output: LorentzLinear,
    #[module(skip)]
    heads: usize,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzAttention {
    /// Random attention over points of space-like dimension `size`, in `heads` heads of `size / heads` each.
    pub fn new(lorentz: Lorentz, size: usize, heads: usize, device: &Device) -> Self {
        Self::ending_in(lorentz, size, heads, None, device)
    }

    /// The same, ending in a normalised layer (Eq. 9), with λ at the start.
    pub fn normalised(lorentz: Lorentz, size: usize, heads: usize, scale: f64, device: &Device) -> Self {
        Self::ending_in(lorentz, size, heads, Some(scale), device)
    }

    fn ending_in(lorentz: Lorentz, size: usize, heads: usize, normalised: Option<f64>, device: &Device) -> Self {
        let width = (size / heads.max(1)).max(1) * heads;
        let layer = |inputs, outputs, normalised| {
            let settings = LinearSettings { bias: true, normalised, ..LinearSettings::exact(inputs, outputs) };
            LorentzLinear::new(lorentz, &settings, device)
        };
        Self {
            query: layer(size, width, None),
            key: layer(size, width, None),
            value: layer(size, width, None),
            output: layer(width, size, normalised),
            heads,
            lorentz,
        }
    }

    /// What the places of `x` gather from those of `memory`, which is `x` itself in self-attention.
    ///
    /// # Shapes
    /// `[batch, i, size + 1]`, `[batch, j, size + 1]`, a mask as for [`attention_weights`]; the result is `[batch, i,
    /// size + 1]`.
    pub fn forward(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        self.lorentz.lift(self.space(x, memory, mask))
    }

    /// The space-like coordinates of [`forward`](Self::forward), which are all that a residual reads: `[batch, i,
    /// size]`.
    pub fn space(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        let apart = |layer: &LorentzLinear, x: Tensor<3>| self.lorentz.heads_apart(layer.space(x), self.heads);
        let (q, k, v) = (apart(&self.query, x), apart(&self.key, memory.clone()), apart(&self.value, memory));
        self.output.space(self.lorentz.heads_joined(attend(self.lorentz, q, k, v, mask)))
    }
}
