//! One more token of every row with tensors: for a GPU, and for every device that is not a plain CPU.
//!
//! Keys and values of the encoder's states are computed once per source, not per beam: the beams of a source are places
//! that attend to the same states.

use super::super::model::{ByT5, EncoderStates};
use super::rows::DeviceRows;
use crate::error::ByT5Error;
use crate::layers::rms_norm;
use crate::softmax::shares_of;
use crate::yielding::Yield;
use burn::tensor::{Int, Tensor};

/// State kept between steps.
#[derive(Debug)]
pub struct DeviceStep {
    /// Keys and values of the rows written so far.
    pub own: DeviceRows,
    layers: Vec<LayerState>,
    /// Mask of the padding, `[sources, 1, 1, length]`.
    padding: Option<Tensor<4>>,
}

/// Keys and values of the encoder's states for one block of the decoder.
#[derive(Debug)]
struct LayerState {
    /// Keys, `[sources, heads, head, length]`.
    keys: Tensor<4>,
    /// Values, `[sources, heads, length, head]`.
    values: Tensor<4>,
}

impl DeviceStep {
    /// Begins empty rows.
    pub fn new(model: &ByT5, encoded: &EncoderStates) -> Self {
        let state = |block: &super::super::block::DecoderBlock| {
            let [keys, values] =
                block.cross.split_keys_and_values(encoded.states.clone(), encoded.rows, model.config.num_heads);
            LayerState { keys: keys.swap_dims(2, 3), values }
        };
        Self {
            own: DeviceRows::new(model.decoder.len()),
            layers: model.decoder.iter().map(state).collect(),
            padding: encoded.padding.clone(),
        }
    }

    /// Returns the number of sources.
    pub fn sources(&self) -> usize {
        self.layers.first().map_or(1, |layer| layer.keys.dims()[0])
    }

    /// Drops all sources but these.
    pub fn keep(&mut self, sources: &Tensor<1, Int>) {
        for layer in &mut self.layers {
            layer.keys = layer.keys.clone().select(0, sources.clone());
            layer.values = layer.values.clone().select(0, sources.clone());
        }
        self.padding = self.padding.take().map(|padding| padding.select(0, sources.clone()));
    }

    /// Returns the logits after one more token per row, `[rows, vocabulary]`, and, with `keep_attention`, the
    /// attention, `[rows, length]`.
    pub async fn step(
        &mut self,
        model: &ByT5,
        mut stream: Tensor<2>,
        keep_attention: bool,
        yielder: &impl Yield,
    ) -> Result<(Tensor<2>, Option<Tensor<2>>), ByT5Error> {
        let epsilon = model.config.layer_norm_epsilon;
        self.own.begin(model, stream.dims()[0]);
        let mut attention: Option<Tensor<2>> = None;
        for (number, block) in model.decoder.iter().enumerate() {
            let qkv = rms_norm(&stream, &block.norm, epsilon).matmul(block.attention.qkv.val());
            let taken = self.own.attend(number, model, qkv);
            stream = stream + taken.matmul(block.attention.output.val());
            let queries = rms_norm(&stream, &block.cross_norm, epsilon).matmul(block.cross.query.val());
            let (taken, weights) = self.attend(number, model, queries, keep_attention);
            stream = stream + taken.matmul(block.cross.output.val());
            if let Some(weights) = weights {
                attention = Some(match attention {
                    Some(others) => others + weights,
                    None => weights,
                });
            }
            stream = block.feed_forward.forward(stream, epsilon, &mut ()).await?;
            yielder.yield_now().await?;
        }
        self.own.end();
        Ok((model.head(&stream, &mut ()), attention.map(|sum| sum / model.decoder.len() as f64)))
    }

    /// Returns the attention output of every row's last place over its source, `[rows, inner]`, and the attention
    /// weights, averaged over heads, `[rows, length]`.
    fn attend(
        &self,
        layer: usize,
        model: &ByT5,
        queries: Tensor<2>,
        keep_attention: bool,
    ) -> (Tensor<2>, Option<Tensor<2>>) {
        let (rows, sources) = (queries.dims()[0], self.sources());
        let (heads, head) = (model.config.num_heads, model.config.d_kv);
        let state = &self.layers[layer];
        let queries = queries.reshape([sources, rows / sources, heads, head]).swap_dims(1, 2);
        let mut logits = queries.matmul(state.keys.clone());
        if let Some(padding) = &self.padding {
            logits = logits + padding.clone();
        }
        let length = logits.dims()[3];
        let weights = shares_of(logits);
        let attention = keep_attention.then(|| weights.clone().mean_dim(1).reshape([rows, length]));
        let taken = weights.matmul(state.values.clone()).swap_dims(1, 2).reshape([rows, heads * head]);
        (taken, attention)
    }
}
