//! The model itself: from rows of bytes to the encoder's states and the decoder's logits.

use super::block::{DecoderBlock, EncoderBlock, ForwardHook, MASKED};
use super::config::{ByT5Config, GeometryLevel};
use super::cpu::decoder::{CpuDecoder, CpuDecoderCache};
use super::hyperbolic_bias::HyperbolicBias;
use super::position::RelativePositions;
use crate::error::ByT5Error;
use crate::layers::rms_norm;
use crate::yielding::Yield;
use burn::module::{Module, Param};
use burn::tensor::{Device, Int, Tensor, TensorData};
use std::sync::Arc;
use tuppum_domain::translation::attention::AttentionKind;
use tuppum_text::bytes::{self, PAD};
use tuppum_text::signs::taxonomy::SignTree;
use tuppum_text::tokens::TokenId;

/// Maximum number of tokens of a row, far above what any published byte-level translator was trained on. Attention
/// logits grow with the square of the length: at this length those of one row of ByT5-small take 100 MB.
pub const LONGEST_ROW: usize = 2048;

/// Tokens of a row and, for a hyperbolic bias over signs, the number of each token's point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// Bytes of the text as tokens, the end of sequence last.
    pub ids: Vec<TokenId>,
    /// Number of each token's point; `None` where it is the token's own number.
    pub points: Option<Vec<u32>>,
}

impl SourceRow {
    /// Returns the row of a text for a model without a bias over signs; [`super::ByT5::row_of`] makes the row for any
    /// model.
    pub fn of_text(text: &str) -> Self {
        Self { ids: bytes::encode(text), points: None }
    }

    /// Returns the number of every token's point.
    pub fn points(&self) -> &[u32] {
        self.points.as_deref().unwrap_or(&self.ids)
    }

    /// Checks that the row can be read.
    pub(super) fn check(&self, config: &ByT5Config, points: Option<usize>) -> Result<(), ByT5Error> {
        let Self { ids, .. } = self;
        let own = self.points();
        let problem = if ids.is_empty() {
            "it is empty".to_string()
        } else if ids.len() > LONGEST_ROW {
            format!(
                "it has {} bytes, more than {LONGEST_ROW}; put line ends into it, or spaces between its words",
                ids.len()
            )
        } else if let Some(id) = ids.iter().find(|id| **id as usize >= config.vocab_size) {
            format!("token {id} lies outside the vocabulary of {}", config.vocab_size)
        } else if own.len() != ids.len() {
            format!("it has {} tokens, but points for {}", ids.len(), own.len())
        } else if let Some(points) = points
            && config.geometry_level == GeometryLevel::Sign
            && self.points.is_none()
        {
            format!("the model's {points} points are those of signs; the row must say which byte belongs to which sign")
        } else if let Some(points) = points
            && let Some(point) = own.iter().find(|point| **point as usize >= points)
        {
            format!("point {point} lies outside the {points} of the model")
        } else {
            return Ok(());
        };
        Err(ByT5Error::Row(problem))
    }
}

/// T5 v1.1 over bytes (Xue et al. 2022, <https://arxiv.org/abs/2105.13626>), with or without the hyperbolic bias.
#[derive(Module, Debug)]
pub struct ByT5 {
    /// Embeddings, `[vocabulary, d]`.
    pub(super) shared: Param<Tensor<2>>,
    pub(super) encoder: Vec<EncoderBlock>,
    pub(super) encoder_positions: RelativePositions,
    pub(super) encoder_norm: Param<Tensor<1>>,
    pub(super) decoder: Vec<DecoderBlock>,
    pub(super) decoder_positions: RelativePositions,
    pub(super) decoder_norm: Param<Tensor<1>>,
    /// Output weights, `[d, vocabulary]`; `None` where the embeddings serve as output weights.
    pub(super) lm_head: Option<Param<Tensor<2>>>,
    pub(super) geometry: Option<HyperbolicBias>,
    #[module(skip)]
    pub(super) config: ByT5Config,
    #[module(skip)]
    pub(super) cpu_decoder_cache: CpuDecoderCache,
}

/// Encoder's states of some rows.
#[derive(Clone, Debug)]
pub struct EncoderStates {
    /// States of the last layer, `[rows * length, d]`.
    pub states: Tensor<2>,
    /// Number of rows.
    pub rows: usize,
    /// Number of places per row, padding included.
    pub length: usize,
    /// Mask of the padding, `[rows, 1, 1, length]`: 0, or −1e9 where the place is padding; `None` when no row is
    /// padded.
    pub padding: Option<Tensor<4>>,
}

impl ByT5 {
    /// Returns the sizes of the model.
    pub fn config(&self) -> &ByT5Config {
        &self.config
    }

    /// Returns the device that holds the weights.
    pub fn device(&self) -> Device {
        self.shared.val().device()
    }

    /// Returns the number of parameters, including the hyperbolic bias if it is attached.
    pub fn parameter_count(&self) -> u64 {
        let bias = self.geometry.as_ref().map(|geometry| self.config.geometry_parameter_count(geometry.count()));
        self.config.parameter_count() + bias.unwrap_or_default()
    }

    /// Returns the hyperbolic bias, if it is attached.
    pub fn geometry(&self) -> Option<&HyperbolicBias> {
        self.geometry.as_ref()
    }

    /// Attaches a hyperbolic bias, without touching any other weight. Returns the previously attached bias.
    pub fn attach(&mut self, geometry: HyperbolicBias) -> Option<HyperbolicBias> {
        self.geometry.replace(geometry)
    }

    /// Attaches a bias over bytes or over signs, whichever the previous bias was over. Returns the previously attached
    /// bias.
    pub fn attach_over(&mut self, geometry: HyperbolicBias, level: GeometryLevel) -> Option<HyperbolicBias> {
        self.config.geometry_level = level;
        self.attach(geometry)
    }

    /// Detaches the hyperbolic bias. The model then computes, bit for bit, what a model without a bias computes.
    pub fn detach(&mut self) -> Option<HyperbolicBias> {
        self.geometry.take()
    }

    /// Returns the row that the model reads for a text; for a bias over signs it says which byte belongs to which sign.
    pub fn row_of(&self, text: &str) -> SourceRow {
        self.row_of_tokens(bytes::encode(text))
    }

    /// Returns the row that the model reads for some tokens. Tokens that are not bytes of a text (the end and
    /// sentinels) get the point of the root.
    pub fn row_of_tokens(&self, ids: Vec<TokenId>) -> SourceRow {
        let over_signs = self.geometry().is_some() && self.config().geometry_level == GeometryLevel::Sign;
        let points = over_signs.then(|| {
            let (text, places) = (bytes::decode(&ids), bytes::places(&ids));
            let mut points = vec![SignTree::ROOT; ids.len()];
            let numbers = SignTree::shared().numbers(&text);
            places.into_iter().zip(numbers).for_each(|(place, number)| points[place] = number);
            points
        });
        SourceRow { ids, points }
    }

    /// Encodes all rows in one pass. Shorter rows are padded to the longest, or to `length` if that is more; padding
    /// changes no state.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] before anything is computed, [`ByT5Error::Stopped`] between layers.
    pub async fn encode(
        &self,
        rows: &[SourceRow],
        length: usize,
        yielder: &impl Yield,
    ) -> Result<EncoderStates, ByT5Error> {
        self.encode_with(self.geometry.as_ref(), rows, length, yielder, &mut ()).await
    }

    /// Encodes with another bias, or none, in place of the attached one. `hook` observes every layer's attention and
    /// may end the pass before the last layer.
    pub(super) async fn encode_with(
        &self,
        geometry: Option<&HyperbolicBias>,
        rows: &[SourceRow],
        length: usize,
        yielder: &impl Yield,
        hook: &mut impl ForwardHook,
    ) -> Result<EncoderStates, ByT5Error> {
        let points = geometry.map(HyperbolicBias::count);
        if rows.is_empty() {
            return Err(ByT5Error::Row("there is none".to_string()));
        }
        for row in rows {
            row.check(&self.config, points)?;
        }
        let length = rows.iter().map(|row| row.ids.len()).fold(length, usize::max);
        let ids: Vec<TokenId> = rows.iter().flat_map(|row| padded(&row.ids, length)).collect();
        let mut stream = hook.passed(self.embedded(&ids));
        hook.flow(&stream);
        let padding = self.padding(rows, length);
        let masked = |bias: Tensor<4>| match &padding {
            Some(padding) => bias + padding.clone(),
            None => bias,
        };
        let positions = self.encoder_positions.square(length);
        let with_geometry = match geometry {
            Some(geometry) => {
                let numbers: Vec<Vec<u32>> = rows.iter().map(|row| padded(row.points(), length).collect()).collect();
                Some((masked(positions.clone() + geometry.bias(&numbers).await?), geometry.layers()))
            }
            None => None,
        };
        let plain = masked(positions);
        for (number, block) in self.encoder.iter().enumerate() {
            let bias = match &with_geometry {
                Some((bias, layers)) if number < *layers => bias,
                _ => &plain,
            };
            let normed = rms_norm(&stream, &block.norm, self.config.layer_norm_epsilon);
            let heads = self.config.num_heads;
            hook.observe(AttentionKind::Encoder, number, || {
                block.attention.weights(normed.clone(), rows.len(), heads, bias)
            });
            if hook.is_satisfied() {
                break;
            }
            stream = stream + hook.passed(block.attention.forward(normed, rows.len(), heads, bias).await?);
            stream = block.feed_forward.forward(stream, self.config.layer_norm_epsilon, hook).await?;
            hook.flow(&stream);
            yielder.yield_now().await?;
        }
        let states = hook.passed(rms_norm(&stream, &self.encoder_norm, self.config.layer_norm_epsilon));
        Ok(EncoderStates { states, rows: rows.len(), length, padding })
    }

    /// Returns the logits after each place of the targets, which begin with [`PAD`] and have the same length: `[rows,
    /// places, vocabulary]`. For training and tests; [`super::Decoding`] writes texts.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] when targets and states do not belong together, [`ByT5Error::Stopped`] between layers.
    pub async fn logits(
        &self,
        encoded: &EncoderStates,
        targets: &[Vec<TokenId>],
        yielder: &impl Yield,
    ) -> Result<Tensor<3>, ByT5Error> {
        self.logits_with(encoded, targets, yielder, &mut ()).await
    }

    /// Computes [`ByT5::logits`] and reports every layer's attention to `hook`.
    pub(super) async fn logits_with(
        &self,
        encoded: &EncoderStates,
        targets: &[Vec<TokenId>],
        yielder: &impl Yield,
        hook: &mut impl ForwardHook,
    ) -> Result<Tensor<3>, ByT5Error> {
        let (rows, places) = (targets.len(), targets.first().map_or(0, Vec::len));
        if rows != encoded.rows || places == 0 || targets.iter().any(|target| target.len() != places) {
            return Err(ByT5Error::Row(format!("{rows} targets for {} rows, or of different lengths", encoded.rows)));
        }
        if let Some(id) = targets.iter().flatten().find(|id| **id as usize >= self.config.vocab_size) {
            return Err(ByT5Error::Row(format!(
                "token {id} lies outside the vocabulary of {}",
                self.config.vocab_size
            )));
        }
        let (heads, epsilon) = (self.config.num_heads, self.config.layer_norm_epsilon);
        let bias = self.decoder_positions.square(places) + causal(places, &self.device());
        let mut stream = hook.passed(self.embedded(&targets.concat()));
        for (number, block) in self.decoder.iter().enumerate() {
            let normed = rms_norm(&stream, &block.norm, epsilon);
            hook.observe(AttentionKind::Decoder, number, || {
                block.attention.weights(normed.clone(), rows, heads, &bias)
            });
            stream = stream + hook.passed(block.attention.forward(normed, rows, heads, &bias).await?);
            let normed = rms_norm(&stream, &block.cross_norm, epsilon);
            let (states, padding) = (&encoded.states, encoded.padding.as_ref());
            let weights = || block.cross.weights(normed.clone(), states.clone(), rows, heads, padding);
            hook.observe(AttentionKind::Cross, number, weights);
            stream = stream + hook.passed(block.cross.forward(normed, states.clone(), rows, heads, padding).await?);
            stream = block.feed_forward.forward(stream, epsilon, hook).await?;
            yielder.yield_now().await?;
        }
        Ok(self.head(&stream, hook).reshape([rows, places, self.config.vocab_size]))
    }

    /// Returns the logits of a stream after the last block: `[n, d]` to `[n, vocabulary]`.
    pub(super) fn head(&self, stream: &Tensor<2>, hook: &mut impl ForwardHook) -> Tensor<2> {
        let mut last = hook.passed(rms_norm(stream, &self.decoder_norm, self.config.layer_norm_epsilon));
        if self.config.scales_logits() {
            last = last * (self.config.d_model as f64).powf(-0.5);
        }
        match &self.lm_head {
            Some(weights) => last.matmul(weights.val()),
            None => last.matmul(self.shared.val().transpose()),
        }
    }

    /// Returns the decoder in plain memory. It is read at the first call and again after [`ByT5::parameters_mut`],
    /// through which all training changes the weights.
    pub(super) async fn cpu_decoder(&self, yielder: &impl Yield) -> Result<Arc<CpuDecoder>, ByT5Error> {
        self.cpu_decoder_cache.of(&self.decoder, &self.decoder_positions.table, yielder).await
    }

    /// Returns the embeddings of the tokens, `[tokens, d]`.
    pub(super) fn embedded(&self, ids: &[TokenId]) -> Tensor<2> {
        let numbers: Vec<i32> = ids.iter().map(|id| *id as i32).collect();
        let numbers = Tensor::<1, Int>::from_data(TensorData::new(numbers, [ids.len()]), &self.device());
        self.shared.val().select(0, numbers)
    }

    fn padding(&self, rows: &[SourceRow], length: usize) -> Option<Tensor<4>> {
        if rows.iter().all(|row| row.ids.len() == length) {
            return None;
        }
        let own = |row: &SourceRow| row.ids.len();
        let bias: Vec<f32> = rows
            .iter()
            .flat_map(|row| (0..length).map(move |place| if place < own(row) { 0.0 } else { MASKED }))
            .collect();
        Some(Tensor::from_data(TensorData::new(bias, [rows.len(), 1, 1, length]), &self.device()))
    }
}

/// Returns the causal mask, −1e9 where a place would attend to a later one: `[1, 1, places, places]`.
fn causal(places: usize, device: &Device) -> Tensor<4> {
    let mask = (0..places).flat_map(|from| (0..places).map(move |to| if to <= from { 0.0 } else { MASKED }));
    Tensor::from_data(TensorData::new(mask.collect::<Vec<f32>>(), [1, 1, places, places]), device)
}

fn padded(ids: &[u32], length: usize) -> impl Iterator<Item = u32> + '_ {
    ids.iter().copied().chain(std::iter::repeat(PAD)).take(length)
}
