//! The Transformer itself: rows of tokens in, scores of the next tokens out.

use super::forms::Positions;
use super::fresh::Drawing;
use super::layer::{Layer, causal_mask, dropped, last_layer, padded, padding_mask};
use super::settings::{Space, TransformerSettings};
use crate::error::TransformerError;
use crate::{Lorentz, LorentzLinear};
use burn::module::{Module, Param};
use burn::nn::{LayerNorm, LayerNormConfig};
use burn::tensor::{Device, Tensor};
use tuppum_nn::layers::Dropout;
use tuppum_text::bytes::{self, PAD};
use tuppum_text::tokens::TokenId;

pub use super::layer::TransformerMemory;

/// An encoder that reads a source and a decoder that scores what may follow in the target.
///
/// Source and target share the tokens' points and the vectors of positions.
#[derive(Module, Debug)]
pub struct Transformer {
    /// Vectors that tokens are read as, `[vocabulary, coordinates]`; points of the hyperboloid in Lorentz's space.
    pub tokens: Param<Tensor<2>>,
    /// Vectors that tokens are written by, `[vocabulary, coordinates]`: on the hyperboloid, the nearer a state is to a
    /// token's point, the likelier is the token.
    pub answers: Param<Tensor<2>>,
    /// Bias of every token's score: `[vocabulary]`.
    bias: Param<Tensor<1>>,
    /// Vectors of positions, added to space-like coordinates: `[longest, width]`; or `[longest, width + 1]`, where the
    /// first coordinate is added in the gate.
    positions: Param<Tensor<2>>,
    /// Layer that a point passes as a position is added, if any.
    position_layer: Option<LorentzLinear>,
    encoder: Vec<Layer>,
    decoder: Vec<Layer>,
    /// Norms after the last layers of encoder and decoder, in Euclid's space.
    norms: Option<[LayerNorm; 2]>,
    #[module(skip)]
    settings: TransformerSettings,
}

impl Transformer {
    /// Returns a model that has learnt nothing; equal seeds draw equal numbers. On a device with gradients all its
    /// parameters are trained.
    ///
    /// # Errors
    /// As [`TransformerSettings::check`].
    pub fn new(settings: &TransformerSettings, seed: u64, device: &Device) -> Result<Self, TransformerError> {
        settings.check()?;
        let TransformerSettings { width, vocabulary, longest, .. } = *settings;
        let zeros = |rows: usize, columns: usize| Param::from_tensor(Tensor::<2>::zeros([rows, columns], device));
        let layers = |count: usize, decoder| (0..count).map(|_| Layer::new(settings, decoder, device)).collect();
        let norm = || LayerNormConfig::new(width).init(device);
        let empty = Self {
            tokens: zeros(vocabulary, settings.coordinates()),
            answers: zeros(vocabulary, settings.coordinates()),
            bias: Param::from_tensor(Tensor::zeros([vocabulary], device)),
            positions: zeros(longest, settings.position_coordinates()),
            position_layer: position_layer(settings, device),
            encoder: layers(settings.encoder_layers, false),
            decoder: layers(settings.decoder_layers, true),
            norms: (settings.space == Space::Euclidean).then(|| [norm(), norm()]),
            settings: settings.clone(),
        };
        Ok(empty.map(&mut Drawing::new(settings, seed)))
    }

    /// Space and sizes of the model.
    pub fn settings(&self) -> &TransformerSettings {
        &self.settings
    }

    /// Returns the device that holds the model.
    pub fn device(&self) -> Device {
        self.tokens.val().device()
    }

    /// Reads sources.
    ///
    /// # Errors
    /// When there is no source, or one is empty, too long, or has a token outside the vocabulary.
    pub fn encode(
        &self,
        sources: &[Vec<TokenId>],
        dropout: &mut impl Dropout,
    ) -> Result<TransformerMemory, TransformerError> {
        let mut states = self.layers(sources, dropout)?;
        let last = states.pop().ok_or(TransformerError::NoLayers)?;
        let states = match &self.norms {
            Some([norm, _]) => norm.forward(last),
            None => last,
        };
        let mask = padding_mask(sources, states.dims()[1], (&self.device(), states.dtype()));
        Ok(TransformerMemory { states, mask })
    }

    /// Returns the states of the encoder before its first layer and after each: `1 + layers` times `[sources, places,
    /// coordinates]`, without the last norm. Places beyond a source's end are padding.
    fn layers(&self, sources: &[Vec<TokenId>], dropout: &mut impl Dropout) -> Result<Vec<Tensor<3>>, TransformerError> {
        let mut states = self.embedded(sources, dropout)?;
        let mask = padding_mask(sources, states.dims()[1], (&self.device(), states.dtype()));
        let mut all = vec![states.clone()];
        for layer in &self.encoder {
            states = layer.forward(states, mask.clone(), None, dropout);
            all.push(states.clone());
        }
        Ok(all)
    }

    /// Returns the states of the encoder for some sources, before its first layer and after each: `1 + layers` times
    /// `[sources, places, coordinates]`; on the hyperboloid they are points, the time-like coordinate first. In
    /// Euclid's space the last norm is left out. Places beyond a source's end are padding.
    ///
    /// # Errors
    /// As for [`Transformer::encode`].
    pub fn encoder_states(&self, sources: &[Vec<TokenId>]) -> Result<Vec<Tensor<3>>, TransformerError> {
        self.layers(sources, &mut ())
    }

    /// Returns the states of the encoder for the bytes of a text and its end, before its first layer and after each: `1
    /// + layers` times `places × coordinates` numbers, as [`Transformer::encoder_states`] has them.
    ///
    /// # Errors
    /// Errors of [`Transformer::encode`], or of the device.
    pub async fn states(&self, text: &str) -> Result<Vec<Vec<f32>>, TransformerError> {
        let mut found = Vec::new();
        for states in self.encoder_states(&[bytes::encode(text)])? {
            let data = states.into_data_async().await.map_err(TransformerError::device)?;
            found.push(data.try_into_vec::<f32>().map_err(TransformerError::device)?);
        }
        Ok(found)
    }

    /// Returns the scores of every token at every place of the targets, given the source and the target before it:
    /// `[rows, places, vocabulary]`, where `places` is the length of the longest target. Places beyond a shorter
    /// target's end must be left out of any loss.
    ///
    /// # Errors
    /// As for [`Transformer::encode`], of sources and targets.
    pub fn forced_logits(
        &self,
        sources: &[Vec<TokenId>],
        targets: &[Vec<TokenId>],
        dropout: &mut impl Dropout,
    ) -> Result<Tensor<3>, TransformerError> {
        let before =
            |target: &Vec<TokenId>| [PAD].into_iter().chain(target.iter().copied()).take(target.len()).collect();
        let before: Vec<Vec<TokenId>> = targets.iter().map(before).collect();
        let memory = self.encode(sources, dropout)?;
        Ok(self.scores(self.decode(&memory, &before, dropout)?))
    }

    /// Returns the decoder's states after the tokens written so far: `[rows, places, coordinates]`, row by row of the
    /// memory.
    ///
    /// # Errors
    /// As for [`Transformer::encode`], of what has been written.
    pub(super) fn decode(
        &self,
        memory: &TransformerMemory,
        written: &[Vec<TokenId>],
        dropout: &mut impl Dropout,
    ) -> Result<Tensor<3>, TransformerError> {
        let mut states = self.embedded(written, dropout)?;
        let mask = causal_mask(states.dims()[1], (&self.device(), states.dtype()));
        for layer in &self.decoder {
            states = layer.forward(states, Some(mask.clone()), Some(memory), dropout);
        }
        Ok(match &self.norms {
            Some([_, norm]) => norm.forward(states),
            None => states,
        })
    }

    /// Returns the scores of every token in a state: a bias, and on the hyperboloid minus the squared Lorentz distance
    /// to the token's point, 2⟨x, y⟩ - 2/K, as in the published code; in Euclid's space the product.
    ///
    /// # Shapes
    /// `[rows, places, coordinates]` to `[rows, places, vocabulary]`.
    pub(super) fn scores(&self, states: Tensor<3>) -> Tensor<3> {
        let [rows, places, coordinates] = states.dims();
        let (states, answers) = (states.reshape([rows * places, coordinates]), self.answers.val());
        let scores = match self.settings.space {
            Space::Lorentz => self.settings.lorentz().squared_distances(states, answers).neg(),
            Space::Euclidean => states.matmul(answers.transpose()),
        };
        (scores + self.bias.val().unsqueeze()).reshape([rows, places, self.settings.vocabulary])
    }

    /// Returns the vectors that rows of tokens are read as: `[rows, places, coordinates]`.
    fn embedded(&self, rows: &[Vec<TokenId>], dropout: &mut impl Dropout) -> Result<Tensor<3>, TransformerError> {
        self.check(rows)?;
        let TransformerSettings { space, width, .. } = self.settings;
        let (tokens, places) = padded(rows, &self.device());
        let (coordinates, numbers) = (self.settings.coordinates(), self.settings.position_coordinates());
        let points = self.tokens.val().select(0, tokens).reshape([rows.len(), places, coordinates]);
        let positions = self.positions.val().narrow(0, 0, places).reshape([1, places, numbers]);
        if let Some(layer) = &self.position_layer {
            let space = positions.clone().narrow(2, numbers - width, width);
            let time = if numbers > width { Lorentz::time(positions) } else { space.clone().narrow(2, 0, 1) * 0.0 };
            let kept = dropped(points.clone(), dropout);
            return Ok(self.settings.lorentz().lift(layer.space_onto(points, kept, [time, space])));
        }
        let space_like = dropped(points.narrow(2, coordinates - width, width) + positions, dropout);
        Ok(if space == Space::Lorentz { self.settings.lorentz().lift(space_like) } else { space_like })
    }

    fn check(&self, rows: &[Vec<TokenId>]) -> Result<(), TransformerError> {
        let TransformerSettings { longest, vocabulary, .. } = self.settings;
        if rows.is_empty() {
            return Err(TransformerError::NoText);
        }
        for row in rows {
            if row.is_empty() || row.len() > longest {
                return Err(TransformerError::Length { tokens: row.len(), longest });
            }
            if let Some(&token) = row.iter().find(|token| **token as usize >= vocabulary) {
                return Err(TransformerError::Token { token, vocabulary });
            }
        }
        Ok(())
    }
}

/// Returns the layer of a position's vector, where there is one.
fn position_layer(settings: &TransformerSettings, device: &Device) -> Option<LorentzLinear> {
    let TransformerSettings { space, width, ref forms, .. } = *settings;
    let of = last_layer(forms, width, width, forms.keep_own_bias());
    let layer = || LorentzLinear::new(settings.lorentz(), &of, device);
    (space == Space::Lorentz && forms.positions == Positions::Layer).then(layer)
}
