//! Builds a ByT5 tensor by tensor, so that the weights file is never in memory as a whole.

use super::block::{CrossAttention, DecoderBlock, EncoderBlock, FeedForward, SelfAttention};
use super::checkpoint_names::{ALPHA, LM_HEAD, POINTS, SHARED, Stack};
use super::config::{BALL_DIMENSIONS, ByT5Config};
use super::cpu::decoder::CpuDecoderCache;
use super::hyperbolic_bias::HyperbolicBias;
use super::model::ByT5;
use super::position::RelativePositions;
use crate::error::TensorError;
use crate::tensors::{TensorSpec, transpose_into};
use burn::module::Param;
use burn::tensor::{Device, Tensor, TensorData};
use std::collections::HashMap;

/// Builder that takes the tensors of a weights file in any order.
pub struct ByT5Builder {
    config: ByT5Config,
    device: Device,
    expected: HashMap<String, TensorSpec>,
    matrices: HashMap<String, Param<Tensor<2>>>,
    vectors: HashMap<String, Param<Tensor<1>>>,
    /// Weights that lie side by side, while some of their parts are missing.
    fused: HashMap<String, Vec<f32>>,
    points: Option<Vec<f32>>,
    alpha: Option<f32>,
}

impl ByT5Builder {
    /// Creates a builder for a ByT5 of this size on this device.
    pub fn new(config: ByT5Config, device: Device) -> Self {
        let expected = config.tensors().into_iter().map(|spec| (spec.name.clone(), spec)).collect();
        Self {
            config,
            device,
            expected,
            matrices: HashMap::new(),
            vectors: HashMap::new(),
            fused: HashMap::new(),
            points: None,
            alpha: None,
        }
    }

    /// Takes the values of one tensor, in the order of the file.
    ///
    /// # Errors
    /// [`TensorError`] when the model has no such tensor, has it already, or has it in another size.
    pub fn put(&mut self, name: &str, values: Vec<f32>) -> Result<(), TensorError> {
        if name == POINTS || name == ALPHA {
            return self.put_geometry(name, values);
        }
        let Some(spec) = self.expected.remove(name) else {
            return Err(TensorError::Unknown { name: name.to_owned(), model: "model" });
        };
        if values.len() != spec.elements() {
            let (name, numbers) = (name.to_owned(), values.len());
            return Err(TensorError::Size { name, numbers, shape: spec.shape });
        }
        match spec.shape[..] {
            [rows, columns] => self.put_matrix(name, values, rows, columns),
            _ => {
                let length = values.len();
                let parameter = Param::from_data(TensorData::new(values, [length]), &self.device);
                self.vectors.insert(name.to_string(), parameter);
            }
        }
        Ok(())
    }

    fn put_geometry(&mut self, name: &str, values: Vec<f32>) -> Result<(), TensorError> {
        let numbers = values.len();
        let taken = match name {
            ALPHA if numbers == 1 => self.alpha.replace(values[0]).is_none(),
            POINTS if numbers > 0 && numbers.is_multiple_of(BALL_DIMENSIONS) => self.points.replace(values).is_none(),
            _ => {
                let name = name.to_owned();
                return Err(TensorError::Points { name, numbers, dimensions: BALL_DIMENSIONS });
            }
        };
        if taken { Ok(()) } else { Err(TensorError::Again(name.to_owned())) }
    }

    /// Returns the first missing tensor in order of name, and the number of missing tensors. Output weights may be
    /// missing where the embeddings serve as output weights.
    pub fn missing(&self) -> Option<(&str, usize)> {
        let optional = |name: &str| name == LM_HEAD && self.config.tie_word_embeddings;
        let missing = || self.expected.keys().map(String::as_str).filter(|name| !optional(name));
        let half = match (&self.points, self.alpha) {
            (Some(_), None) => Some(ALPHA),
            (None, Some(_)) => Some(POINTS),
            _ => None,
        };
        missing().chain(half).min().map(|first| (first, missing().count() + half.iter().count()))
    }

    /// Builds the model once every tensor has been put. It has the hyperbolic bias if both tensors of the bias were
    /// put.
    ///
    /// # Errors
    /// [`TensorError`] names a missing tensor.
    pub fn build(mut self) -> Result<ByT5, TensorError> {
        if let Some((first, count)) = self.missing() {
            return Err(TensorError::Missing { name: first.to_owned(), count });
        }
        let encoder = (0..self.config.num_layers).map(|block| self.encoder_block(block)).collect::<Result<_, _>>()?;
        let decoder =
            (0..self.config.decoder_layers()).map(|block| self.decoder_block(block)).collect::<Result<_, _>>()?;
        let geometry = match (self.points.take(), self.alpha) {
            (Some(points), Some(alpha)) => {
                let (layers, curvature) = (self.config.geometry_layers, self.config.curvature);
                Some(HyperbolicBias::new(points, BALL_DIMENSIONS, alpha, layers, curvature, &self.device)?)
            }
            _ => None,
        };
        Ok(ByT5 {
            shared: self.matrix(SHARED)?,
            encoder,
            encoder_positions: self.positions(Stack::Encoder)?,
            encoder_norm: self.vector(&Stack::Encoder.final_norm())?,
            decoder,
            decoder_positions: self.positions(Stack::Decoder)?,
            decoder_norm: self.vector(&Stack::Decoder.final_norm())?,
            lm_head: self.matrices.remove(LM_HEAD),
            geometry,
            config: self.config,
            cpu_decoder_cache: CpuDecoderCache::default(),
        })
    }

    fn put_matrix(&mut self, name: &str, values: Vec<f32>, outputs: usize, inputs: usize) {
        if name == SHARED || name.ends_with("relative_attention_bias.weight") {
            self.keep(name, values, [outputs, inputs]);
            return;
        }
        let Some((fused, part, parts)) = fused_name(name) else {
            let mut transposed = vec![0.0; values.len()];
            transpose_into(&values, inputs, &mut transposed, outputs, 0);
            self.keep(name, transposed, [inputs, outputs]);
            return;
        };
        let width = parts.len() * outputs;
        let whole = self.fused.entry(fused.clone()).or_insert_with(|| vec![0.0; inputs * width]);
        transpose_into(&values, inputs, whole, width, part * outputs);
        let stem = name.strip_suffix(&format!("{}.weight", parts[part])).unwrap_or(name);
        let waiting = parts.iter().any(|part| self.expected.contains_key(&format!("{stem}{part}.weight")));
        if !waiting && let Some(whole) = self.fused.remove(&fused) {
            self.keep(&fused, whole, [inputs, width]);
        }
    }

    fn keep(&mut self, name: &str, values: Vec<f32>, shape: [usize; 2]) {
        let parameter = Param::from_data(TensorData::new(values, shape), &self.device);
        self.matrices.insert(name.to_string(), parameter);
    }

    fn positions(&mut self, stack: Stack) -> Result<RelativePositions, TensorError> {
        let table = self.matrix(&stack.distances())?;
        let far = self.config.relative_attention_max_distance;
        Ok(RelativePositions { table, both_ways: stack == Stack::Encoder, far })
    }

    fn encoder_block(&mut self, block: usize) -> Result<EncoderBlock, TensorError> {
        Ok(EncoderBlock {
            norm: self.vector(&Stack::Encoder.in_block(block, 0, "layer_norm"))?,
            attention: self.self_attention(Stack::Encoder, block)?,
            feed_forward: self.feed_forward(Stack::Encoder, block)?,
        })
    }

    fn decoder_block(&mut self, block: usize) -> Result<DecoderBlock, TensorError> {
        let cross = |part: &str| Stack::Decoder.in_block(block, 1, &format!("EncDecAttention.{part}"));
        Ok(DecoderBlock {
            norm: self.vector(&Stack::Decoder.in_block(block, 0, "layer_norm"))?,
            attention: self.self_attention(Stack::Decoder, block)?,
            cross_norm: self.vector(&Stack::Decoder.in_block(block, 1, "layer_norm"))?,
            cross: CrossAttention {
                query: self.matrix(&cross("q"))?,
                key_value: self.matrix(&cross("kv"))?,
                output: self.matrix(&cross("o"))?,
            },
            feed_forward: self.feed_forward(Stack::Decoder, block)?,
        })
    }

    fn self_attention(&mut self, stack: Stack, block: usize) -> Result<SelfAttention, TensorError> {
        Ok(SelfAttention {
            qkv: self.matrix(&stack.in_block(block, 0, "SelfAttention.qkv"))?,
            output: self.matrix(&stack.in_block(block, 0, "SelfAttention.o"))?,
        })
    }

    fn feed_forward(&mut self, stack: Stack, block: usize) -> Result<FeedForward, TensorError> {
        let layer = stack.feed_forward_layer();
        Ok(FeedForward {
            norm: self.vector(&stack.in_block(block, layer, "layer_norm"))?,
            up: self.matrix(&stack.in_block(block, layer, "DenseReluDense.wi"))?,
            down: self.matrix(&stack.in_block(block, layer, "DenseReluDense.wo"))?,
        })
    }

    fn matrix(&mut self, name: &str) -> Result<Param<Tensor<2>>, TensorError> {
        self.matrices.remove(name).ok_or_else(|| TensorError::Part(name.to_owned()))
    }

    fn vector(&mut self, name: &str) -> Result<Param<Tensor<1>>, TensorError> {
        self.vectors.remove(name).ok_or_else(|| TensorError::Part(name.to_owned()))
    }
}

/// Maps with the same input, which lie side by side in the model: their common name, and the names of the parts in
/// order.
const FUSED: [(&str, &str, &[&str]); 3] = [
    (".SelfAttention.", "qkv", &["q", "k", "v"]),
    (".EncDecAttention.", "kv", &["k", "v"]),
    (".DenseReluDense.", "wi", &["wi_0", "wi_1"]),
];

/// Returns, for a map that is part of a fused one, the name of the fused map, the number of the part, and all parts.
fn fused_name(name: &str) -> Option<(String, usize, &'static [&'static str])> {
    let (stem, own) = name.strip_suffix(".weight")?.rsplit_once('.')?;
    let (_, whole, parts) = FUSED.iter().find(|(module, _, _)| format!("{stem}.").ends_with(module))?;
    let part = parts.iter().position(|part| *part == own)?;
    Some((format!("{stem}.{whole}.weight"), part, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fused_maps() {
        let check = |name: &str, expected: Option<(&str, usize)>| {
            let found = fused_name(name).map(|(fused, part, _)| (fused, part));
            assert_eq!(found, expected.map(|(fused, part)| (fused.to_string(), part)), "{name}");
        };
        let at = "decoder.block.3.layer.1.EncDecAttention";
        check(&format!("{at}.k.weight"), Some((&format!("{at}.kv.weight"), 0)));
        check(&format!("{at}.q.weight"), None);
        let at = "encoder.block.3.layer.0.SelfAttention";
        check(&format!("{at}.v.weight"), Some((&format!("{at}.qkv.weight"), 2)));
        check(&format!("{at}.o.weight"), None);
        let at = "encoder.block.3.layer.1.DenseReluDense";
        check(&format!("{at}.wi_1.weight"), Some((&format!("{at}.wi.weight"), 1)));
        check("shared.weight", None);
    }
}
