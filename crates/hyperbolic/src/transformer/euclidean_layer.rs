//! A layer of the Euclidean Transformer, normalised before each part (Xiong et al., "On layer normalization in the
//! Transformer architecture", 2020, <https://arxiv.org/abs/2002.04745>).

use super::super::lorentz::by_matrix;
use super::forms::ControlAttention;
use super::hyperbolic_matching::HyperbolicMatching;
use super::rows::{TransformerMemory, dropped};
use super::settings::TransformerSettings;
use burn::module::{Module, Param};
use burn::nn::{LayerNorm, LayerNormConfig};
use burn::tensor::{Device, Tensor, activation};
use tuppum_nn::layers::Dropout;

/// A linear layer, xW + b.
#[derive(Module, Debug)]
struct Linear {
    /// W: `[inputs, outputs]`.
    weight: Param<Tensor<2>>,
    /// b: `[outputs]`.
    bias: Param<Tensor<1>>,
}

impl Linear {
    /// Returns a layer of zeros, to be filled.
    fn new(inputs: usize, outputs: usize, device: &Device) -> Self {
        Self {
            weight: Param::from_tensor(Tensor::zeros([inputs, outputs], device)),
            bias: Param::from_tensor(Tensor::zeros([outputs], device)),
        }
    }

    /// `[…, inputs]` to `[…, outputs]`.
    fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        by_matrix(x, self.weight.val()) + self.bias.val().unsqueeze()
    }
}

/// Attention with several heads: by products, softmax of q·k / √n, or by hyperbolic distances.
#[derive(Module, Debug)]
struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    matching: Option<HyperbolicMatching>,
    #[module(skip)]
    heads: usize,
}

impl Attention {
    fn new(settings: &TransformerSettings, device: &Device) -> Self {
        let TransformerSettings { width, heads, .. } = *settings;
        let matching = match settings.forms.control {
            ControlAttention::Products => None,
            ControlAttention::Hyperbolic => Some(HyperbolicMatching::new(device)),
        };
        // A point has a number more than dimensions: a direction and a radius.
        let coordinates = if matching.is_some() { width + heads } else { width };
        let layer = || Linear::new(width, coordinates, device);
        let output = Linear::new(width, width, device);
        Self { query: layer(), key: layer(), value: layer(), output, matching, heads }
    }

    /// # Shapes
    /// `[batch, i, width]`, `[batch, j, width]`, a mask as [`TransformerMemory`] has it; the result is
    /// `[batch, i, width]`.
    fn forward(&self, x: Tensor<3>, memory: Tensor<3>, mask: Option<Tensor<4>>) -> Tensor<3> {
        let apart = |layer: &Linear, x: Tensor<3>| {
            let x = layer.forward(x);
            let [batch, places, numbers] = x.dims();
            x.reshape([batch, places, self.heads, numbers / self.heads]).swap_dims(1, 2)
        };
        let [batch, places, width] = x.dims();
        let (q, k, v) = (apart(&self.query, x), apart(&self.key, memory.clone()), apart(&self.value, memory));
        let found = match &self.matching {
            Some(matching) => matching.attend(q, k, v, mask),
            None => {
                let logits = q.matmul(k.swap_dims(2, 3)) / ((width / self.heads) as f64).sqrt();
                activation::softmax(mask.map_or(logits.clone(), |mask| logits + mask), 3).matmul(v)
            }
        };
        self.output.forward(found.swap_dims(1, 2).reshape([batch, places, width]))
    }
}

/// Attention to the places themselves, in a decoder to the source too, and a feed-forward part; the result of each is
/// added to its input.
#[derive(Module, Debug)]
pub struct EuclideanLayer {
    attention_norm: LayerNorm,
    attention: Attention,
    cross_norm: Option<LayerNorm>,
    cross: Option<Attention>,
    feed_forward_norm: LayerNorm,
    wide: Linear,
    narrow: Linear,
}

impl EuclideanLayer {
    /// Returns a layer of zeros, to be filled; with attention to a source if it is of a decoder.
    pub fn new(settings: &TransformerSettings, decoder: bool, device: &Device) -> Self {
        let TransformerSettings { width, feed_forward, .. } = *settings;
        let norm = || LayerNormConfig::new(width).init(device);
        Self {
            attention_norm: norm(),
            attention: Attention::new(settings, device),
            cross_norm: decoder.then(norm),
            cross: decoder.then(|| Attention::new(settings, device)),
            feed_forward_norm: norm(),
            wide: Linear::new(width, feed_forward, device),
            narrow: Linear::new(feed_forward, width, device),
        }
    }

    /// Returns the states after the layer: `[batch, places, width]`.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        let normed = self.attention_norm.forward(x.clone());
        let mut x = x + dropped(self.attention.forward(normed.clone(), normed, mask), dropout);
        if let (Some(cross), Some(norm), Some(memory)) = (&self.cross, &self.cross_norm, memory) {
            let found = cross.forward(norm.forward(x.clone()), memory.states.clone(), memory.mask.clone());
            x = x + dropped(found, dropout);
        }
        let wide = activation::relu(self.wide.forward(self.feed_forward_norm.forward(x.clone())));
        x + dropped(self.narrow.forward(wide), dropout)
    }
}
