//! The tensors of a ByT5 by Hugging Face's names.

use super::config::{BALL_DIMENSIONS, ByT5Config};
use crate::tensors::TensorSpec;

/// The embeddings.
pub const SHARED: &str = "shared.weight";
/// The output weights; a file whose output weights are the embeddings may lack them.
pub const LM_HEAD: &str = "lm_head.weight";
/// Names under which some files hold the embeddings again.
pub const SHARED_ALIASES: [&str; 2] = ["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];
/// What early checkpoints hold and no T5 has ever used.
pub const UNUSED: &str = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";
/// The points of the hyperbolic bias, `[N, 32]`.
pub const POINTS: &str = "geometry.points";
/// The strength of the hyperbolic bias, a scalar.
pub const ALPHA: &str = "geometry.alpha";

/// One stack of blocks, as names see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// `encoder.`
    Encoder,
    /// `decoder.`
    Decoder,
}

impl Stack {
    /// `encoder` or `decoder`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Decoder => "decoder",
        }
    }

    /// A tensor of a block: `encoder.block.0.layer.1.DenseReluDense.wo.weight`.
    pub fn in_block(self, block: usize, layer: usize, part: &str) -> String {
        format!("{}.block.{block}.layer.{layer}.{part}.weight", self.name())
    }

    /// The number of the layer that holds the feed-forward part.
    pub fn feed_forward_layer(self) -> usize {
        match self {
            Self::Encoder => 1,
            Self::Decoder => 2,
        }
    }

    /// The table of the relative distances.
    pub fn distances(self) -> String {
        self.in_block(0, 0, "SelfAttention.relative_attention_bias")
    }

    /// The norm after the last block.
    pub fn final_norm(self) -> String {
        format!("{}.final_layer_norm.weight", self.name())
    }
}

impl ByT5Config {
    /// Every tensor of a weights file without the hyperbolic bias, output weights and embeddings apart.
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

    /// The two tensors of the hyperbolic bias over so many points.
    pub fn geometry_tensors(&self, points: usize) -> [TensorSpec; 2] {
        [TensorSpec::new(POINTS, &[points, BALL_DIMENSIONS]), TensorSpec::new(ALPHA, &[])]
    }

    /// Number of trained numbers, the hyperbolic bias left out.
    pub fn parameter_count(&self) -> u64 {
        self.tensors().iter().map(|spec| spec.claimed()).sum()
    }

    /// Number of trained numbers of a hyperbolic bias over so many points.
    pub fn geometry_parameter_count(&self, points: usize) -> u64 {
        self.geometry_tensors(points).iter().map(|spec| spec.claimed()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_counts_are_those_of_hugging_face() {
        // Counted by transformers 5.23 on meta tensors, with output weights of their own.
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
