//! Random translators of any shape in Hugging Face's file format, for tests in which only a model's size matters.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The shape of a ByT5.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Width of the residual stream.
    pub width: usize,
    /// Total width of all attention heads.
    pub inner: usize,
    /// Width of the feed-forward layers.
    pub feed_forward: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Number of encoder blocks.
    pub encoder: usize,
    /// Number of decoder blocks.
    pub decoder: usize,
    /// Number of tokens.
    pub vocabulary: usize,
}

impl Shape {
    /// Writes `config.json` and random weights into a folder; returns the length of the weights and their sha256.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(self, folder: &Path) -> std::io::Result<(u64, String)> {
        let Self { width, inner, feed_forward, heads, encoder, decoder, vocabulary } = self;
        let config = json!({
            "model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "feed_forward_proj": "gated-gelu",
            "d_model": width, "d_kv": inner / heads, "d_ff": feed_forward, "num_heads": heads, "num_layers": encoder,
            "num_decoder_layers": decoder, "vocab_size": vocabulary, "tie_word_embeddings": false,
        });
        std::fs::write(folder.join("config.json"), config.to_string())?;
        let tensors = self.tensors();
        let (mut header, mut end) = (serde_json::Map::new(), 0);
        for (name, shape) in &tensors {
            let begin = end;
            end += shape.iter().product::<usize>() * 4;
            header.insert(name.clone(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, end] }));
        }
        let header = Value::Object(header).to_string();
        let (mut file, mut sum) = (BufWriter::new(File::create(folder.join("model.safetensors"))?), Sha256::new());
        let mut put = |bytes: &[u8]| {
            sum.update(bytes);
            file.write_all(bytes)
        };
        put(&(header.len() as u64).to_le_bytes())?;
        put(header.as_bytes())?;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for (name, shape) in &tensors {
            let norm = name.contains("norm");
            let numbers = (0..shape.iter().product::<usize>()).flat_map(|_| {
                // xorshift64 suffices: the numbers only need to differ.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let uniform = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
                (if norm { 1.0 } else { 0.04 * uniform }).to_le_bytes()
            });
            put(&numbers.collect::<Vec<u8>>())?;
        }
        file.flush()?;
        let digits = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((8 + header.len() as u64 + end as u64, digits))
    }

    /// Returns Hugging Face's names and the shapes of the tensors.
    fn tensors(self) -> Vec<(String, Vec<usize>)> {
        let Self { width, inner, feed_forward, heads, encoder, decoder, vocabulary } = self;
        let mut all = vec![("shared.weight".to_owned(), vec![vocabulary, width])];
        for (stack, blocks) in [("encoder", encoder), ("decoder", decoder)] {
            let attentions: &[&str] =
                if stack == "encoder" { &["SelfAttention"] } else { &["SelfAttention", "EncDecAttention"] };
            for block in 0..blocks {
                let at = |layer: usize, part: &str| format!("{stack}.block.{block}.layer.{layer}.{part}.weight");
                for (layer, attention) in attentions.iter().enumerate() {
                    for part in ["q", "k", "v"] {
                        all.push((at(layer, &format!("{attention}.{part}")), vec![inner, width]));
                    }
                    all.push((at(layer, &format!("{attention}.o")), vec![width, inner]));
                    all.push((at(layer, "layer_norm"), vec![width]));
                }
                if block == 0 {
                    all.push((at(0, "SelfAttention.relative_attention_bias"), vec![32, heads]));
                }
                let layer = attentions.len();
                for part in ["wi_0", "wi_1"] {
                    all.push((at(layer, &format!("DenseReluDense.{part}")), vec![feed_forward, width]));
                }
                all.push((at(layer, "DenseReluDense.wo"), vec![width, feed_forward]));
                all.push((at(layer, "layer_norm"), vec![width]));
            }
            all.push((format!("{stack}.final_layer_norm.weight"), vec![width]));
        }
        all.push(("lm_head.weight".to_owned(), vec![vocabulary, width]));
        all
    }
}
