//! The trained tensors of a torso one by one, with their names, shapes and order in a file: for optimisers, checkpoints
//! and export.

use super::forward::Torso;
use crate::parameters::{self, Value};
use crate::tensors::TensorSpec;
use burn::tensor::Tensor;

/// Part of a torso that a tensor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TorsoPart {
    /// The embeddings.
    Embeddings,
    /// Block with this number, from 0.
    Block(usize),
    /// The last norm and the restoration head.
    Head,
}

/// Description of a tensor of a torso.
pub type TorsoParameterSpec = parameters::ParameterSpec<TorsoPart>;

impl Torso {
    /// Returns every trained tensor, in the order of [`TorsoConfig::tensors`](super::TorsoConfig::tensors).
    pub fn parameters_mut(&mut self) -> Vec<(TorsoParameterSpec, Value<'_>)> {
        let (d, inner, wide) = (self.config.d_model, self.config.inner(), self.config.d_ff);
        let vocabulary = self.config.vocabulary;
        let whole = |part, name: &str, shape: &[usize]| {
            // The file holds embeddings as the model does, and linear weights transposed.
            let transposed = shape.len() > 1 && part != TorsoPart::Embeddings;
            TorsoParameterSpec::whole(part, TensorSpec::new(name, shape), transposed)
        };
        let embeddings = whole(TorsoPart::Embeddings, "torso.embed.weight", &[vocabulary, d]);
        let mut all = vec![(embeddings, Value::Matrix(&mut self.embed))];
        for (number, block) in self.layers.iter_mut().enumerate() {
            let at = |part: &str| format!("torso.layers.{number}.{part}.weight");
            let own = |part: &str, shape: &[usize]| whole(TorsoPart::Block(number), &at(part), shape);
            let maps = ["attn.q", "attn.k", "attn.v"].map(|part| TensorSpec::new(&at(part), &[inner, d]));
            let maps = TorsoParameterSpec::beside(TorsoPart::Block(number), at("attn.qkv"), maps.to_vec());
            all.push((maps, Value::Matrix(&mut block.qkv)));
            all.push((own("attn.o", &[d, inner]), Value::Matrix(&mut block.output)));
            all.push((own("norm1", &[d]), Value::Vector(&mut block.norm1)));
            all.push((own("norm2", &[d]), Value::Vector(&mut block.norm2)));
            all.push((own("ff.0", &[wide, d]), Value::Matrix(&mut block.up)));
            all.push((own("ff.2", &[d, wide]), Value::Matrix(&mut block.down)));
        }
        let own = |name: &str, shape: &[usize]| whole(TorsoPart::Head, name, shape);
        all.push((own("torso.final_norm.weight", &[d]), Value::Vector(&mut self.final_norm)));
        all.push((own("restoration_head.0.weight", &[d, d]), Value::Matrix(&mut self.head.hidden)));
        all.push((own("restoration_head.0.bias", &[d]), Value::Vector(&mut self.head.hidden_bias)));
        let mut to_tokens = own("restoration_head.2.weight", &[vocabulary, d]);
        to_tokens.is_map = false;
        all.push((to_tokens, Value::Matrix(&mut self.head.output)));
        all.push((own("restoration_head.2.bias", &[vocabulary]), Value::Vector(&mut self.head.output_bias)));
        all
    }

    /// Returns every trained tensor with its description, without gradients.
    pub fn tensors(&self) -> Vec<(TorsoParameterSpec, Tensor<2>)> {
        let mut own = self.clone();
        own.parameters_mut().into_iter().map(|(place, value)| (place, value.tensor())).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::torso::{TorsoBuilder, TorsoConfig};
    use burn::tensor::Device;

    #[test]
    fn tensors_come_back_as_they_were_in_the_file() {
        let config = TorsoConfig {
            layers: 2,
            d_model: 6,
            d_ff: 10,
            heads: 2,
            head_dim: 4,
            vocabulary: 13,
            rope_base: 10_000.0,
            window: 8,
            longest: 8,
            temperature: 1.0,
        };
        let mut builder = TorsoBuilder::new(config.clone(), Device::flex());
        let numbers = |number: usize, count: usize| -> Vec<f32> {
            (0..count).map(|at| number as f32 + at as f32 / 1_024.0).collect()
        };
        for (number, spec) in config.tensors().iter().enumerate() {
            builder.put(&spec.name, numbers(number, spec.elements())).unwrap();
        }
        let mut file = config.tensors().into_iter().enumerate();
        for (place, tensor) in builder.build().unwrap().tensors() {
            assert_eq!(tensor.dims(), place.shape(), "{}", place.name);
            let values: Vec<f32> = tensor.into_data().try_to_vec().unwrap();
            let mut all = Vec::new();
            for (spec, found) in place.split(&values) {
                let (number, expected) = file.next().unwrap();
                assert_eq!(*spec, expected);
                assert_eq!(found, numbers(number, spec.elements()), "{}", spec.name);
                all.extend(found);
            }
            assert_eq!(place.join(&all), values, "{}", place.name);
            assert_eq!(place.decays, place.parts[0].shape.len() == 2, "{}", place.name);
            let is_within = place.name.contains("layers") || place.name == "restoration_head.0.weight";
            let maps = (place.decays && is_within).then(|| place.parts.iter().map(|part| part.shape[0]).collect());
            assert_eq!(place.maps(), maps, "{}", place.name);
        }
        assert!(file.next().is_none());
    }
}
