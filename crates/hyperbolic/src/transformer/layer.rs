//! The layers of both Transformers, over rows of tokens as tensors, with padding, masks and dropout.
//!
//! The layer of the Lorentz Transformer has no norm besides those of its linear layers, and never leaves the
//! hyperboloid. That of the Euclidean Transformer is normalised before each part (Xiong et al., "On layer
//! normalization in the Transformer architecture", 2020, <https://arxiv.org/abs/2002.04745>).

use super::forms::{AttentionScale, ControlAttention, Residual, TransformerForms};
use super::hyperbolic_matching::HyperbolicMatching;
use super::settings::{Space, TransformerSettings};
use crate::lorentz::by_matrix;
use crate::{Activation, AttentionSettings, LinearSettings, Lorentz, LorentzAttention, LorentzLinear};
use burn::module::{Module, Param};
use burn::nn::{LayerNorm, LayerNormConfig};
use burn::tensor::{DType, Device, Int, Tensor, TensorData, activation};
use tuppum_nn::layers::Dropout;
use tuppum_text::bytes::PAD;
use tuppum_text::tokens::TokenId;

/// A layer of an encoder or of a decoder.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant)] // a handful of them, all of one kind
pub enum Layer {
    /// On the hyperboloid.
    Lorentz(LorentzLayer),
    /// In Euclid's space.
    Euclidean(EuclideanLayer),
}

impl Layer {
    /// Returns a layer whose weights are still to be drawn.
    pub fn new(settings: &TransformerSettings, decoder: bool, device: &Device) -> Self {
        match settings.space {
            Space::Lorentz => Self::Lorentz(LorentzLayer::new(settings, decoder, device)),
            Space::Euclidean => Self::Euclidean(EuclideanLayer::new(settings, decoder, device)),
        }
    }

    /// Returns the states after the layer. `mask` is for the places themselves; `memory` is what a decoder's layer
    /// looks at.
    ///
    /// # Shapes
    /// `[batch, places, coordinates]` to the same.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        match self {
            Self::Lorentz(layer) => layer.forward(x, mask, memory, dropout),
            Self::Euclidean(layer) => layer.forward(x, mask, memory, dropout),
        }
    }
}

/// Number added to logits of attention at hidden places. It is finite, because WebGPU's shading language knows no
/// infinity.
const HIDDEN: f32 = -1e9;

/// Encoder states of some sources.
#[derive(Clone, Debug)]
pub struct TransformerMemory {
    /// The states after the last layer: `[sources, places, coordinates]`.
    pub states: Tensor<3>,
    /// Mask of padding: `[sources, 1, 1, places]`. `None` if there is none.
    pub mask: Option<Tensor<4>>,
}

/// Returns the tokens of all rows, one row after the other, each padded to the longest: `[rows · places]`, and the
/// number of places.
pub fn padded(rows: &[Vec<TokenId>], device: &Device) -> (Tensor<1, Int>, usize) {
    let places = rows.iter().map(Vec::len).max().unwrap_or_default();
    let padded = |row: &Vec<TokenId>| {
        let padding = std::iter::repeat_n(PAD, places - row.len());
        row.iter().copied().chain(padding).map(|token| token as i32).collect::<Vec<_>>()
    };
    let tokens: Vec<i32> = rows.iter().flat_map(padded).collect();
    (Tensor::from_data(TensorData::new(tokens, [rows.len() * places]), device), places)
}

/// Returns the mask of the rows' padding, on a device and in a type of number: `[rows, 1, 1, places]`; `None` if all
/// rows are equally long.
pub fn padding_mask(rows: &[Vec<TokenId>], places: usize, of: (&Device, DType)) -> Option<Tensor<4>> {
    if rows.iter().all(|row| row.len() == places) {
        return None;
    }
    let of_row = |row: &Vec<TokenId>| {
        let length = row.len();
        (0..places).map(move |place| if place < length { 0.0 } else { HIDDEN })
    };
    let hidden: Vec<f32> = rows.iter().flat_map(of_row).collect();
    Some(Tensor::from_data(TensorData::new(hidden, [rows.len(), 1, 1, places]).convert_dtype(of.1), of))
}

/// Returns the mask that hides the places after each place: `[1, 1, places, places]`. Padding stands after a row's end
/// and is hidden with them.
pub fn causal_mask(places: usize, of: (&Device, DType)) -> Tensor<4> {
    let of_place = |own: usize| (0..places).map(move |other| if other > own { HIDDEN } else { 0.0 });
    let hidden: Vec<f32> = (0..places).flat_map(of_place).collect();
    Tensor::from_data(TensorData::new(hidden, [1, 1, places, places]).convert_dtype(of.1), of)
}

/// Applies dropout to vectors, `[batch, places, width]`.
pub fn dropped(x: Tensor<3>, dropout: &mut impl Dropout) -> Tensor<3> {
    let [batch, places, width] = x.dims();
    dropout.dropped(x.reshape([batch * places, width])).reshape([batch, places, width])
}

/// Attention to the places themselves, in a decoder to the source too, and a feed-forward part. Each ends in a
/// normalised linear layer, which bounds its result, and is added by a residual.
#[derive(Module, Debug)]
pub struct LorentzLayer {
    attention: LorentzAttention,
    cross: Option<LorentzAttention>,
    wide: LorentzLinear,
    narrow: LorentzLinear,
    #[module(skip)]
    residual: Residual,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzLayer {
    /// Returns a layer with random weights; with attention to a source if it is of a decoder.
    pub fn new(settings: &TransformerSettings, decoder: bool, device: &Device) -> Self {
        let TransformerSettings { width, heads, feed_forward, ref forms, .. } = *settings;
        let (lorentz, form) = (settings.lorentz(), forms.of_layers());
        let inner = forms.normalise_all().then(|| forms.scale());
        let merged = forms.residual == Residual::Merged;
        let attention = AttentionSettings {
            form,
            inner,
            outer: Some(forms.scale()),
            outer_bias: !merged,
            learnt_scale: forms.attention == AttentionScale::Learnt,
            ..AttentionSettings::plain(width, heads)
        };
        let attention = || LorentzAttention::of(lorentz, &attention, device);
        let wide = LinearSettings { bias: true, normalised: inner, form, ..LinearSettings::exact(width, feed_forward) };
        let narrow = LinearSettings {
            activation: Activation::Relu,
            ..last_layer(forms, feed_forward, width, !merged || forms.keep_own_bias())
        };
        Self {
            attention: attention(),
            cross: decoder.then(attention),
            wide: LorentzLinear::new(lorentz, &wide, device),
            narrow: LorentzLinear::new(lorentz, &narrow, device),
            residual: forms.residual,
            lorentz,
        }
    }

    /// Returns the points after the layer: `[batch, places, width + 1]`.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        let gathered = self.attention.gathered(x.clone(), x.clone(), mask);
        let mut x = self.onto(x, self.attention.output(), gathered, dropout);
        if let (Some(cross), Some(memory)) = (&self.cross, memory) {
            let gathered = cross.gathered(x.clone(), memory.states.clone(), memory.mask.clone());
            x = self.onto(x, cross.output(), gathered, dropout);
        }
        let wide = self.wide.forward(x.clone());
        self.onto(x, &self.narrow, wide, dropout)
    }

    /// Adds the input of a part, `x`, to what its last layer makes of `o`.
    fn onto(&self, x: Tensor<3>, last: &LorentzLinear, o: Tensor<3>, dropout: &mut impl Dropout) -> Tensor<3> {
        self.lorentz.lift(match self.residual {
            Residual::Added => Lorentz::space(x) + dropped(last.space(o), dropout),
            Residual::Merged => {
                let kept = dropped(o.clone(), dropout);
                last.space_onto(o, kept, [Lorentz::time(x.clone()), Lorentz::space(x)])
            }
        })
    }
}

/// Returns the settings of a layer that takes a further bias, or ends a part.
pub fn last_layer(forms: &TransformerForms, inputs: usize, outputs: usize, bias: bool) -> LinearSettings {
    LinearSettings {
        bias,
        gate_bias: bias,
        normalised: Some(forms.scale()),
        form: forms.of_layers(),
        ..LinearSettings::exact(inputs, outputs)
    }
}

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
