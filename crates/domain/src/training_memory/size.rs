//! Size of a model as far as memory is concerned, read from its `config.json`, which page and worker both have.

use serde::{Deserialize, Serialize};

/// Architecture of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Architecture {
    /// ByT5: encoder and decoder over bytes, with a gated feed-forward part.
    Translator,
    /// The torso of a restorer: an encoder over signs, with rotary positions.
    Restorer,
}

/// Size of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSize {
    pub architecture: Architecture,
    /// Width of the residual stream.
    pub width: usize,
    /// Width of all heads together.
    pub inner: usize,
    /// Width of the feed-forward part.
    pub feed_forward: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Number of encoder blocks.
    pub encoder_layers: usize,
    /// Number of decoder blocks.
    pub decoder_layers: usize,
    /// Number of tokens.
    pub vocabulary: usize,
    /// Number of parameters, without a hyperbolic bias.
    pub parameters: u64,
}

/// Fields of a ByT5's `config.json` that determine its size.
#[derive(Deserialize)]
struct TranslatorConfig {
    d_model: usize,
    d_kv: usize,
    d_ff: usize,
    num_heads: usize,
    num_layers: usize,
    num_decoder_layers: Option<usize>,
    vocab_size: usize,
    #[serde(default = "buckets")]
    relative_attention_num_buckets: usize,
}

fn buckets() -> usize {
    32
}

/// Fields of a torso's `config.json` that determine its size.
#[derive(Deserialize)]
struct RestorerConfig {
    layers: usize,
    d_model: usize,
    d_ff: usize,
    heads: usize,
    head_dim: usize,
    vocabulary: usize,
}

impl ModelSize {
    /// Size of the smallest new translator, called nano.
    pub const NEW: Self = Self {
        architecture: Architecture::Translator,
        width: 64,
        inner: 64,
        feed_forward: 256,
        heads: 4,
        encoder_layers: 3,
        decoder_layers: 2,
        vocabulary: 384,
        parameters: 410_752,
    };

    /// Returns the size stated by the `config.json` of a translator; `None` if it states none.
    pub fn of_translator(json: &[u8]) -> Option<Self> {
        let config: TranslatorConfig = serde_json::from_slice(json).ok()?;
        let TranslatorConfig { d_model: width, d_ff: feed_forward, num_heads: heads, .. } = config;
        let (encoder_layers, vocabulary) = (config.num_layers, config.vocab_size);
        let decoder_layers = config.num_decoder_layers.unwrap_or(encoder_layers);
        let buckets = config.relative_attention_num_buckets;
        let sizes = [width, config.d_kv, feed_forward, heads, encoder_layers, decoder_layers, vocabulary, buckets];
        let [d, head, wide, all_heads, encoders, decoders, tokens, buckets] = counted(sizes)?;
        // Maps of attention and of the gated feed-forward part, with a norm before each; a decoder attends twice.
        let attention = 4 * d * all_heads * head;
        let [encoder, decoder] = [attention + 3 * d * wide + 2 * d, 2 * attention + 3 * d * wide + 3 * d];
        // Embeddings and output weights; a table of relative positions and a last norm for encoder and decoder each.
        let ends = 2 * tokens * d + 2 * buckets * all_heads + 2 * d;
        Some(Self {
            architecture: Architecture::Translator,
            width,
            inner: heads * config.d_kv,
            feed_forward,
            heads,
            encoder_layers,
            decoder_layers,
            vocabulary,
            parameters: encoders * encoder + decoders * decoder + ends,
        })
    }

    /// Returns the size stated by the `config.json` of a restorer; `None` if it states none.
    pub fn of_restorer(json: &[u8]) -> Option<Self> {
        let config: RestorerConfig = serde_json::from_slice(json).ok()?;
        let RestorerConfig { layers, d_model: width, d_ff: feed_forward, heads, head_dim, vocabulary } = config;
        let [count, d, wide, all_heads, head, tokens] =
            counted([layers, width, feed_forward, heads, head_dim, vocabulary])?;
        // Maps of attention and of the feed-forward part, with a norm before each.
        let layer = 4 * d * all_heads * head + 2 * d * wide + 2 * d;
        // Embeddings, the last norm, and a head of two maps with biases.
        let ends = 2 * tokens * d + d * d + 2 * d + tokens;
        Some(Self {
            architecture: Architecture::Restorer,
            width,
            inner: heads * head_dim,
            feed_forward,
            heads,
            encoder_layers: layers,
            decoder_layers: 0,
            vocabulary,
            parameters: count * layer + ends,
        })
    }

    /// Returns the parameters of LoRA adapters of this rank, and the parameters of the maps that they are added to.
    pub fn adapters(&self, rank: usize) -> [u64; 2] {
        let (width, inner) = (self.width, self.inner);
        // Queries, keys and values of a layer are one map, in cross-attention two.
        let own = [[width, 3 * inner], [inner, width]];
        let cross = [[width, inner], [width, 2 * inner], [inner, width]];
        let count = |maps: &[[usize; 2]]| -> [usize; 2] {
            let one = |[inputs, outputs]: [usize; 2]| [rank * (inputs + outputs), inputs * outputs];
            maps.iter().fold([0; 2], |sum, map| [sum[0] + one(*map)[0], sum[1] + one(*map)[1]])
        };
        let (layers, decoders) = (self.encoder_layers + self.decoder_layers, self.decoder_layers);
        [0, 1].map(|which| (layers * count(&own)[which] + decoders * count(&cross)[which]) as u64)
    }
}

/// Converts sizes for counting; `None` if one exceeds those of all models, so that no product overflows.
fn counted<const N: usize>(sizes: [usize; N]) -> Option<[u64; N]> {
    sizes.iter().all(|size| *size < 1 << 16).then(|| sizes.map(|size| size as u64))
}
