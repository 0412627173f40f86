//! Passes of the model with a hook: attention maps, the encoder's states layer by layer, and teacher forcing with
//! dropout.
//!
//! The model runs as usual and reports to a [`ForwardHook`], so that only what was asked for is computed and read back.

use super::block::ForwardHook;
use super::hyperbolic_bias::HyperbolicBias;
use super::model::{ByT5, SourceRow};
use crate::error::{ByT5Error, read};
use crate::layers::Dropout;
use crate::yielding::Yield;
use burn::tensor::Tensor;
use tuppum_domain::translation::attention::{AttentionKind, AttentionMap, AttentionQuestion};
use tuppum_text::bytes::PAD;
use tuppum_text::tokens::TokenId;

/// [`ForwardHook`] that collects the map of one row that an [`AttentionQuestion`] asks for.
struct MapHook {
    kind: AttentionKind,
    layer: Option<usize>,
    head: Option<usize>,
    /// Sum of the layers' maps so far: `[places, places attended to]`.
    sum: Option<Tensor<2>>,
    layers: usize,
}

impl ForwardHook for MapHook {
    fn observe(&mut self, kind: AttentionKind, layer: usize, weights: impl FnOnce() -> Tensor<4>) {
        if kind != self.kind || self.layer.is_some_and(|wanted| wanted != layer) {
            return;
        }
        let weights = weights();
        let [_, _, places, others] = weights.dims();
        let weights = match self.head {
            Some(head) => weights.narrow(1, head, 1),
            None => weights.mean_dim(1),
        };
        let own = weights.narrow(0, 0, 1).reshape([places, others]);
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum + own,
            None => own,
        });
        self.layers += 1;
    }

    fn is_satisfied(&self) -> bool {
        self.kind == AttentionKind::Encoder && self.layer.is_some() && self.sum.is_some()
    }
}

impl ByT5 {
    /// Returns the number of layers with this kind of attention.
    pub fn layers_of(&self, kind: AttentionKind) -> usize {
        match kind {
            AttentionKind::Encoder => self.encoder.len(),
            AttentionKind::Decoder | AttentionKind::Cross => self.decoder.len(),
        }
    }

    /// Returns the map that a question asks for, for a row and the text written for it (empty for the encoder).
    /// `geometry` replaces the attached bias; with `None` the map is, bit for bit, that of the model with its bias
    /// detached.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] for a row that cannot be read, an empty target, or a layer or head that does not exist;
    /// [`ByT5Error::Stopped`] between layers.
    pub async fn attention_map(
        &self,
        row: &SourceRow,
        target: &[TokenId],
        geometry: Option<&HyperbolicBias>,
        question: &AttentionQuestion,
        yielder: &impl Yield,
    ) -> Result<AttentionMap, ByT5Error> {
        let AttentionQuestion { kind, layer, head, .. } = *question;
        let (layers, heads) = (self.layers_of(kind), self.config.num_heads);
        let problem = if let Some(layer) = layer.filter(|layer| *layer >= layers) {
            Some(format!("layer {} is not one of the {layers}", layer + 1))
        } else if let Some(head) = head.filter(|head| *head >= heads) {
            Some(format!("head {} is not one of the {heads}", head + 1))
        } else {
            (kind != AttentionKind::Encoder && target.is_empty()).then(|| "nothing is written for it".to_owned())
        };
        if let Some(problem) = problem {
            return Err(ByT5Error::Row(problem));
        }
        let mut map_hook = MapHook { kind, layer, head, sum: None, layers: 0 };
        let encoded = self.encode_with(geometry, std::slice::from_ref(row), 0, yielder, &mut map_hook).await?;
        if kind != AttentionKind::Encoder {
            let before = [PAD].iter().chain(target).take(target.len()).copied().collect();
            self.logits_with(&encoded, &[before], yielder, &mut map_hook).await?;
        }
        let Some(sum) = map_hook.sum else {
            return Err(ByT5Error::Row("the model has no such layer".to_owned()));
        };
        let [rows, columns] = sum.dims();
        let values = read(sum / map_hook.layers as f64).await?;
        Ok(AttentionMap { rows, columns, values })
    }
}

/// [`ForwardHook`] that stores the stream of every layer.
struct StreamsHook(Vec<Tensor<2>>);

impl ForwardHook for StreamsHook {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}

    fn flow(&mut self, stream: &Tensor<2>) {
        self.0.push(stream.clone());
    }
}

impl ByT5 {
    /// Returns the stream of a row before the first layer of the encoder and after each layer, `1 + layers` times
    /// `[tokens, d]`, one token after the other, before the last norm. An attached bias is applied.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] for a row that cannot be read, [`ByT5Error::Stopped`] between layers, [`ByT5Error::Device`]
    /// when the states cannot be read.
    pub async fn states(&self, row: &SourceRow, yielder: &impl Yield) -> Result<Vec<Vec<f32>>, ByT5Error> {
        let mut streams = StreamsHook(Vec::with_capacity(1 + self.config.num_layers));
        self.encode_with(self.geometry.as_ref(), std::slice::from_ref(row), 0, yielder, &mut streams).await?;
        let mut states = Vec::with_capacity(streams.0.len());
        for stream in streams.0 {
            states.push(read(stream).await?);
        }
        Ok(states)
    }
}

/// [`ForwardHook`] that applies dropout after the embeddings, after every layer, within the feed-forward parts and
/// after the last norms, as T5 does (Raffel et al. 2020, §2.1), but not to attention weights.
struct DropoutHook<'d, D>(&'d mut D);

impl<D: Dropout> ForwardHook for DropoutHook<'_, D> {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}

    fn passed(&mut self, stream: Tensor<2>) -> Tensor<2> {
        self.0.dropped(stream)
    }
}

impl ByT5 {
    /// Returns the logits for every place of the targets, given the source and the target before that place: `[rows,
    /// places, vocabulary]`, where `places` is the length of the longest target. Logits beyond a shorter target's end
    /// must be left out of any loss.
    ///
    /// # Errors
    /// As for [`ByT5::encode`] and [`ByT5::logits`].
    pub async fn forced_logits(
        &self,
        sources: &[SourceRow],
        targets: &[Vec<TokenId>],
        dropout: &mut impl Dropout,
        yielder: &impl Yield,
    ) -> Result<Tensor<3>, ByT5Error> {
        let places = targets.iter().map(Vec::len).max().unwrap_or_default();
        let before = |target: &Vec<TokenId>| {
            let shifted = [PAD].into_iter().chain(target.iter().copied()).take(target.len());
            shifted.chain(std::iter::repeat(PAD)).take(places).collect()
        };
        let before: Vec<Vec<TokenId>> = targets.iter().map(before).collect();
        let mut hook = DropoutHook(dropout);
        let encoded = self.encode_with(self.geometry.as_ref(), sources, 0, yielder, &mut hook).await?;
        self.logits_with(&encoded, &before, yielder, &mut hook).await
    }
}
