//! Names of a ByT5's tensors in Hugging Face's checkpoints.

use super::config::{BALL_DIMENSIONS, ByT5Config};
use crate::tensors::TensorSpec;

/// Name of the embeddings.
pub const SHARED: &str = "shared.weight";
/// Name of the output weights; a file whose output weights are the embeddings may lack them.
pub const LM_HEAD: &str = "lm_head.weight";
/// Names under which some files repeat the embeddings.
pub const SHARED_ALIASES: [&str; 2] = ["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];
/// Name of a tensor that early checkpoints hold and no T5 has ever used.
pub const UNUSED: &str = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";
/// Name of the points of the hyperbolic bias, `[N, 32]`.
pub const POINTS: &str = "geometry.points";
/// Name of the strength of the hyperbolic bias, a scalar.
pub const ALPHA: &str = "geometry.alpha";

/// Stack of blocks: encoder or decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// Encoder, prefix `encoder.`
    Encoder,
    /// Decoder, prefix `decoder.`
    Decoder,
}

impl Stack {
    /// Returns `encoder` or `decoder`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Decoder => "decoder",
        }
    }

    /// Returns the name of a tensor of a block, like `encoder.block.0.layer.1.DenseReluDense.wo.weight`.
    pub fn in_block(self, block: usize, layer: usize, part: &str) -> String {
        format!("{}.block.{block}.layer.{layer}.{part}.weight", self.name())
    }

    /// Returns the number of the layer that holds the feed-forward part.
    pub fn feed_forward_layer(self) -> usize {
        match self {
            Self::Encoder => 1,
            Self::Decoder => 2,
        }
    }

    /// Returns the name of the table of relative distances.
    pub fn distances(self) -> String {
        self.in_block(0, 0, "SelfAttention.relative_attention_bias")
    }

    /// Returns the name of the norm after the last block.
    pub fn final_norm(self) -> String {
        format!("{}.final_layer_norm.weight", self.name())
    }
}

impl ByT5Config {
    /// Returns every tensor of a weights file, without the hyperbolic bias and with output weights separate from the
    /// embeddings.
    pub fn tensors(&self) -> Vec<TensorSpec> {
        let d = self.d_model;
        let mut specs = vec![TensorSpec::new(SHARED, &[self.vocab_size, d])];
        for (stack, blocks) in [(Stack::Encoder, self.num_layers), (Stack::Decoder, self.decoder_layers())] {
            let table = [self.relative_attention_num_buckets, self.num_heads];
            specs.push(TensorSpec::new(&stack.distances(), &table));
            (0..blocks).for_each(|block| self.block_tensors(stack, block, &mut specs));
            specs.push(TensorSpec::new(&stack.final_norm(), &[d]));
        }
        specs.push(TensorSpec::new(LM_HEAD, &[self.vocab_size, d]));
        specs
    }

    fn block_tensors(&self, stack: Stack, block: usize, specs: &mut Vec<TensorSpec>) {
        let (d, inner) = (self.d_model, self.inner());
        let mut put = |layer, part: &str, shape: &[usize]| {
            specs.push(TensorSpec::new(&stack.in_block(block, layer, part), shape))
        };
        for (layer, name) in [(0, "SelfAttention"), (1, "EncDecAttention")] {
            if layer == stack.feed_forward_layer() {
                break;
            }
            ["q", "k", "v"].iter().for_each(|part| put(layer, &format!("{name}.{part}"), &[inner, d]));
            put(layer, &format!("{name}.o"), &[d, inner]);
            put(layer, "layer_norm", &[d]);
        }
        let layer = stack.feed_forward_layer();
        ["wi_0", "wi_1"].iter().for_each(|part| put(layer, &format!("DenseReluDense.{part}"), &[self.d_ff, d]));
        put(layer, "DenseReluDense.wo", &[d, self.d_ff]);
        put(layer, "layer_norm", &[d]);
    }

    /// Returns the two tensors of a hyperbolic bias over `points` points.
    pub fn geometry_tensors(&self, points: usize) -> [TensorSpec; 2] {
        [TensorSpec::new(POINTS, &[points, BALL_DIMENSIONS]), TensorSpec::new(ALPHA, &[])]
    }

    /// Returns the number of trained parameters without the hyperbolic bias.
    pub fn parameter_count(&self) -> u64 {
        self.tensors().iter().map(|spec| spec.claimed()).sum()
    }

    /// Returns the number of trained parameters of a hyperbolic bias over `points` points.
    pub fn geometry_parameter_count(&self, points: usize) -> u64 {
        self.geometry_tensors(points).iter().map(|spec| spec.claimed()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_counts_are_those_of_hugging_face() {
        // Counted by transformers 5.23 on meta tensors, with separate output weights.
        for (name, count) in [
            ("tiny", 1_509_632),
            ("mini", 10_426_368),
            ("small", 299_637_760),
            ("base", 581_653_248),
            ("large", 1_228_183_552),
        ] {
            assert_eq!(ByT5Config::named(name).unwrap().parameter_count(), count, "{name}");
        }
    }

    #[test]
    fn the_bias_over_bytes_has_12_289_parameters() {
        let mini = ByT5Config::named("mini").unwrap();
        assert_eq!(mini.geometry_parameter_count(mini.vocab_size), 12_289);
    }

    #[test]
    fn names_are_those_of_hugging_face() {
        let names: Vec<String> =
            ByT5Config::named("small").unwrap().tensors().into_iter().map(|spec| spec.name).collect();
        for name in [
            "encoder.block.11.layer.1.DenseReluDense.wi_1.weight",
            "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            "decoder.block.3.layer.1.EncDecAttention.o.weight",
            "decoder.block.0.layer.2.layer_norm.weight",
            "decoder.final_layer_norm.weight",
        ] {
            assert!(names.iter().any(|found| found == name), "{name}");
        }
    }
}
