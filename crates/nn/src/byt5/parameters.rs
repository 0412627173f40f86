//! The trained tensors of a ByT5 one by one, with their names, shapes and order in a file: for optimisers, checkpoints
//! and export.

use super::block::{CrossAttention, FeedForward, SelfAttention};
use super::checkpoint_names::{ALPHA, LM_HEAD, POINTS, SHARED, Stack};
use super::cpu::decoder::CpuDecoderCache;
use super::hyperbolic_bias::HyperbolicBias;
use super::model::ByT5;
use crate::parameters;
use crate::tensors::TensorSpec;
use burn::module::Param;
use burn::tensor::Tensor;
use tuppum_domain::translation::training::TranslatorPart;

pub use crate::parameters::Value;

/// Description of a tensor of a ByT5.
pub type ByT5ParameterSpec = parameters::ParameterSpec<TranslatorPart>;

impl ByT5ParameterSpec {
    /// Returns `true` if the tensor belongs to the hyperbolic bias.
    pub fn is_of_bias(&self) -> bool {
        matches!(self.group, TranslatorPart::Points | TranslatorPart::Alpha)
    }
}

/// Collector of a model's tensors.
struct Gathered<'m> {
    width: usize,
    inner: usize,
    wide: usize,
    found: Vec<(ByT5ParameterSpec, Value<'m>)>,
}

impl<'m> Gathered<'m> {
    fn vector(&mut self, group: TranslatorPart, name: &str, vector: &'m mut Param<Tensor<1>>) {
        let place = ByT5ParameterSpec::whole(group, TensorSpec::new(name, &[self.width]), false);
        self.found.push((place, Value::Vector(vector)));
    }

    fn matrix(
        &mut self,
        group: TranslatorPart,
        name: &str,
        shape: [usize; 2],
        transposed: bool,
        matrix: &'m mut Param<Tensor<2>>,
    ) {
        self.found
            .push((ByT5ParameterSpec::whole(group, TensorSpec::new(name, &shape), transposed), Value::Matrix(matrix)));
    }

    /// Adds maps with the same input, which lie side by side in one matrix.
    fn fused(&mut self, at: &At, whole: &str, parts: &[&str], outputs: usize, matrix: &'m mut Param<Tensor<2>>) {
        let spec = |part: &&str| TensorSpec::new(&at.name(part), &[outputs, self.width]);
        let place = ByT5ParameterSpec::beside(at.group(), at.name(whole), parts.iter().map(spec).collect());
        self.found.push((place, Value::Matrix(matrix)));
    }

    fn self_attention(&mut self, at: &At, attention: &'m mut SelfAttention) {
        self.fused(
            at,
            "SelfAttention.qkv",
            &["SelfAttention.q", "SelfAttention.k", "SelfAttention.v"],
            self.inner,
            &mut attention.qkv,
        );
        let shape = [self.width, self.inner];
        self.matrix(at.group(), &at.name("SelfAttention.o"), shape, true, &mut attention.output);
    }

    fn cross_attention(&mut self, at: &At, attention: &'m mut CrossAttention) {
        let (d, inner) = (self.width, self.inner);
        self.matrix(at.group(), &at.name("EncDecAttention.q"), [inner, d], true, &mut attention.query);
        self.fused(
            at,
            "EncDecAttention.kv",
            &["EncDecAttention.k", "EncDecAttention.v"],
            inner,
            &mut attention.key_value,
        );
        self.matrix(at.group(), &at.name("EncDecAttention.o"), [d, inner], true, &mut attention.output);
    }

    fn feed_forward(&mut self, at: &At, own: &'m mut FeedForward) {
        self.vector(at.group(), &at.name("layer_norm"), &mut own.norm);
        self.fused(at, "DenseReluDense.wi", &["DenseReluDense.wi_0", "DenseReluDense.wi_1"], self.wide, &mut own.up);
        let shape = [self.width, self.wide];
        self.matrix(at.group(), &at.name("DenseReluDense.wo"), shape, true, &mut own.down);
    }
}

/// Layer of a block.
struct At {
    stack: Stack,
    block: usize,
    layer: usize,
}

impl At {
    fn name(&self, part: &str) -> String {
        self.stack.in_block(self.block, self.layer, part)
    }

    fn group(&self) -> TranslatorPart {
        group_of(self.stack)
    }
}

fn group_of(stack: Stack) -> TranslatorPart {
    match stack {
        Stack::Encoder => TranslatorPart::Encoder,
        Stack::Decoder => TranslatorPart::Decoder,
    }
}

impl ByT5 {
    /// Returns every trained tensor, the hyperbolic bias last.
    pub fn parameters_mut(&mut self) -> Vec<(ByT5ParameterSpec, Value<'_>)> {
        self.cpu_decoder_cache = CpuDecoderCache::default();
        let config = &self.config;
        let d = config.d_model;
        let mut all = Gathered { width: d, inner: config.inner(), wide: config.d_ff, found: Vec::new() };
        all.matrix(TranslatorPart::Embeddings, SHARED, [config.vocab_size, d], false, &mut self.shared);
        let table = [config.relative_attention_num_buckets, config.num_heads];
        for (stack, positions) in
            [(Stack::Encoder, &mut self.encoder_positions), (Stack::Decoder, &mut self.decoder_positions)]
        {
            all.matrix(TranslatorPart::Positions, &stack.distances(), table, false, &mut positions.table);
        }
        for (number, block) in self.encoder.iter_mut().enumerate() {
            let at = |layer| At { stack: Stack::Encoder, block: number, layer };
            all.vector(TranslatorPart::Encoder, &at(0).name("layer_norm"), &mut block.norm);
            all.self_attention(&at(0), &mut block.attention);
            all.feed_forward(&at(Stack::Encoder.feed_forward_layer()), &mut block.feed_forward);
        }
        all.vector(TranslatorPart::Encoder, &Stack::Encoder.final_norm(), &mut self.encoder_norm);
        for (number, block) in self.decoder.iter_mut().enumerate() {
            let at = |layer| At { stack: Stack::Decoder, block: number, layer };
            all.vector(TranslatorPart::Decoder, &at(0).name("layer_norm"), &mut block.norm);
            all.self_attention(&at(0), &mut block.attention);
            all.vector(TranslatorPart::Decoder, &at(1).name("layer_norm"), &mut block.cross_norm);
            all.cross_attention(&at(1), &mut block.cross);
            all.feed_forward(&at(Stack::Decoder.feed_forward_layer()), &mut block.feed_forward);
        }
        all.vector(TranslatorPart::Decoder, &Stack::Decoder.final_norm(), &mut self.decoder_norm);
        if let Some(head) = &mut self.lm_head {
            let shape = TensorSpec::new(LM_HEAD, &[config.vocab_size, d]);
            let mut place = ByT5ParameterSpec::whole(TranslatorPart::Head, shape, true);
            place.is_map = false;
            all.found.push((place, Value::Matrix(head)));
        }
        if let Some(geometry) = &mut self.geometry {
            let [points, alpha] = config.geometry_tensors(geometry.count());
            debug_assert!(points.name == POINTS && alpha.name == ALPHA);
            let (own_points, own_alpha) = HyperbolicBias::parameters_mut(geometry);
            let mut points = ByT5ParameterSpec::whole(TranslatorPart::Points, points, false);
            // Weight decay would draw the points to the centre of the ball.
            points.decays = false;
            all.found.push((points, Value::Matrix(own_points)));
            all.found.push((ByT5ParameterSpec::whole(TranslatorPart::Alpha, alpha, false), Value::Vector(own_alpha)));
        }
        all.found
    }

    /// Returns every trained tensor with its description, without gradients.
    pub fn tensors(&self) -> Vec<(ByT5ParameterSpec, Tensor<2>)> {
        let mut own = self.clone();
        own.parameters_mut().into_iter().map(|(place, value)| (place, value.tensor())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byt5::{ByT5Builder, ByT5Config};
    use burn::tensor::Device;
    use std::collections::BTreeMap;

    #[test]
    fn tensors_come_back_as_they_were_in_the_file() {
        let config = ByT5Config {
            d_model: 8,
            d_kv: 3,
            num_heads: 2,
            d_ff: 5,
            num_layers: 2,
            num_decoder_layers: Some(1),
            ..ByT5Config::named("tiny").unwrap()
        };
        let mut builder = ByT5Builder::new(config.clone(), Device::flex());
        let mut file = BTreeMap::new();
        for (number, spec) in config.tensors().into_iter().chain(config.geometry_tensors(384)).enumerate() {
            let values: Vec<f32> =
                (0..spec.elements()).map(|at| number as f32 / 64.0 + at as f32 / 131_072.0).collect();
            builder.put(&spec.name, values.iter().map(|value| value * 0.1).collect()).unwrap();
            file.insert(spec.name.clone(), (spec, values));
        }
        let model = builder.build().unwrap();
        for (place, tensor) in model.tensors() {
            assert_eq!(tensor.dims(), place.shape(), "{}", place.name);
            let values: Vec<f32> = tensor.into_data().try_to_vec().unwrap();
            let mut all = Vec::new();
            for (spec, found) in place.split(&values) {
                let (expected, numbers) = file.remove(&spec.name).unwrap();
                assert_eq!(*spec, expected);
                assert_eq!(found, numbers.iter().map(|value| value * 0.1).collect::<Vec<_>>(), "{}", spec.name);
                all.extend(found);
            }
            assert_eq!(place.join(&all), values, "{}", place.name);
            let is_matrix = place.parts[0].shape.len() == 2;
            assert_eq!(place.decays, is_matrix && place.name != POINTS);
            let maps = match place.name.as_str() {
                name if name.ends_with("SelfAttention.qkv.weight") => Some(vec![6; 3]),
                name if name.ends_with("EncDecAttention.kv.weight") => Some(vec![6; 2]),
                name if name.ends_with("DenseReluDense.wi.weight") => Some(vec![5; 2]),
                name if name.ends_with("EncDecAttention.q.weight") => Some(vec![6]),
                name if name.ends_with(".o.weight") || name.ends_with(".wo.weight") => Some(vec![8]),
                _ => None,
            };
            assert_eq!(place.maps(), maps, "{}", place.name);
        }
        assert!(file.is_empty(), "{:?}", file.keys());
    }
}
