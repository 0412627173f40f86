//! Builds a torso tensor by tensor, so that the weights file is never in memory as a whole.

use super::block::Block;
use super::config::TorsoConfig;
use super::forward::{Head, Torso};
use crate::error::TensorError;
use crate::tensors::{TensorSpec, transpose_into};
use burn::module::Param;
use burn::tensor::{Device, Tensor, TensorData};
use std::collections::HashMap;

/// Builder that takes the tensors of a weights file in any order.
pub struct TorsoBuilder {
    config: TorsoConfig,
    device: Device,
    expected: HashMap<String, TensorSpec>,
    matrices: HashMap<String, Param<Tensor<2>>>,
    vectors: HashMap<String, Param<Tensor<1>>>,
    /// Queries, keys and values of a layer while some of the three are missing.
    fused: HashMap<String, Vec<f32>>,
}

impl TorsoBuilder {
    /// Creates a builder for a torso of this size on this device.
    pub fn new(config: TorsoConfig, device: Device) -> Self {
        let expected = config.tensors().into_iter().map(|spec| (spec.name.clone(), spec)).collect();
        Self { config, device, expected, matrices: HashMap::new(), vectors: HashMap::new(), fused: HashMap::new() }
    }

    /// Takes the values of one tensor, in the order of the file.
    ///
    /// # Errors
    /// [`TensorError`] when the torso has no such tensor, has it already, or has it in another size.
    pub fn put(&mut self, name: &str, values: Vec<f32>) -> Result<(), TensorError> {
        let Some(spec) = self.expected.remove(name) else {
            return Err(TensorError::Unknown { name: name.to_owned(), model: "torso" });
        };
        if values.len() != spec.elements() {
            let (name, numbers) = (name.to_owned(), values.len());
            return Err(TensorError::Size { name, numbers, shape: spec.shape });
        }
        match spec.shape[..] {
            [outputs, inputs] => self.put_matrix(name, values, outputs, inputs),
            _ => {
                let length = values.len();
                let parameter = Param::from_data(TensorData::new(values, [length]), &self.device);
                self.vectors.insert(name.to_string(), parameter);
            }
        }
        Ok(())
    }

    /// Builds the torso once every tensor has been put.
    ///
    /// # Errors
    /// [`TensorError`] names a missing tensor.
    pub fn build(mut self) -> Result<Torso, TensorError> {
        let mut missing: Vec<&String> = self.expected.keys().collect();
        missing.sort();
        if let Some(first) = missing.first() {
            return Err(TensorError::Missing { name: (*first).clone(), count: missing.len() });
        }
        let layers = (0..self.config.layers).map(|layer| self.block(layer)).collect::<Result<_, _>>()?;
        let head = Head {
            hidden: self.matrix("restoration_head.0.weight")?,
            hidden_bias: self.vector("restoration_head.0.bias")?,
            output: self.matrix("restoration_head.2.weight")?,
            output_bias: self.vector("restoration_head.2.bias")?,
        };
        let embed = self.matrix("torso.embed.weight")?;
        let final_norm = self.vector("torso.final_norm.weight")?;
        Ok(Torso::assemble(embed, layers, final_norm, head, self.config, &self.device))
    }

    fn put_matrix(&mut self, name: &str, values: Vec<f32>, outputs: usize, inputs: usize) {
        if name == "torso.embed.weight" {
            self.keep(name, values, [outputs, inputs]);
            return;
        }
        let Some((fused, part)) = fused_name(name) else {
            let mut transposed = vec![0.0; values.len()];
            transpose_into(&values, inputs, &mut transposed, outputs, 0);
            self.keep(name, transposed, [inputs, outputs]);
            return;
        };
        let width = 3 * outputs;
        let whole = self.fused.entry(fused.clone()).or_insert_with(|| vec![0.0; inputs * width]);
        transpose_into(&values, inputs, whole, width, part * outputs);
        let waiting = PARTS.iter().any(|part| self.expected.contains_key(&fused.replace("qkv", part)));
        if !waiting && let Some(whole) = self.fused.remove(&fused) {
            self.keep(&fused, whole, [inputs, width]);
        }
    }

    fn keep(&mut self, name: &str, values: Vec<f32>, shape: [usize; 2]) {
        let parameter = Param::from_data(TensorData::new(values, shape), &self.device);
        self.matrices.insert(name.to_string(), parameter);
    }

    fn block(&mut self, layer: usize) -> Result<Block, TensorError> {
        let at = |part: &str| format!("torso.layers.{layer}.{part}.weight");
        Ok(Block {
            norm1: self.vector(&at("norm1"))?,
            qkv: self.matrix(&at("attn.qkv"))?,
            output: self.matrix(&at("attn.o"))?,
            norm2: self.vector(&at("norm2"))?,
            up: self.matrix(&at("ff.0"))?,
            down: self.matrix(&at("ff.2"))?,
        })
    }

    fn matrix(&mut self, name: &str) -> Result<Param<Tensor<2>>, TensorError> {
        self.matrices.remove(name).ok_or_else(|| TensorError::Part(name.to_owned()))
    }

    fn vector(&mut self, name: &str) -> Result<Param<Tensor<1>>, TensorError> {
        self.vectors.remove(name).ok_or_else(|| TensorError::Part(name.to_owned()))
    }
}

/// Suffixes of the three maps that lie side by side in [`Block::qkv`], in that order.
const PARTS: [&str; 3] = ["q", "k", "v"];

/// Returns, for a query, key or value map, the name of the fused map and the number of the part.
fn fused_name(name: &str) -> Option<(String, usize)> {
    let part = PARTS.iter().position(|part| name.ends_with(&format!(".attn.{part}.weight")))?;
    let stem = name.strip_suffix(&format!("{}.weight", PARTS[part]))?;
    Some((format!("{stem}qkv.weight"), part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fused_maps() {
        let name = |part: &str| format!("torso.layers.3.attn.{part}.weight");
        assert_eq!(fused_name(&name("k")), Some((name("qkv"), 1)));
        assert_eq!(fused_name(&name("o")), None);
        assert_eq!(fused_name("torso.layers.3.ff.0.weight"), None);
    }
}
