//! The size of a ByT5, as Hugging Face's `config.json` states it.

use crate::error::{ConfigError, MOST_LAYERS};
use serde::{Deserialize, Serialize};
use tuppum_domain::training_memory::{Architecture, ModelSize};
use tuppum_domain::translation::Calibration;

/// Size of a ByT5 (T5 v1.1 over bytes). Fields are named as in Hugging Face's `config.json`, whose other entries are
/// ignored; the last four fields are our own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByT5Config {
    /// Width of the residual stream.
    pub d_model: usize,
    /// Width of a head.
    pub d_kv: usize,
    /// Width of the feed-forward part.
    pub d_ff: usize,
    /// Number of attention heads.
    pub num_heads: usize,
    /// Number of encoder blocks.
    pub num_layers: usize,
    /// Number of decoder blocks; equal to the number of encoder blocks if absent.
    #[serde(default)]
    pub num_decoder_layers: Option<usize>,
    /// Number of tokens.
    pub vocab_size: usize,
    /// Number of buckets of relative distance.
    #[serde(default = "buckets")]
    pub relative_attention_num_buckets: usize,
    /// Distance from which on all distances share one bucket.
    #[serde(default = "far")]
    pub relative_attention_max_distance: usize,
    /// Kind of the feed-forward part; only T5 v1.1's `gated-gelu` is supported.
    #[serde(default = "first_version")]
    pub feed_forward_proj: String,
    /// `true` if the embeddings serve as output weights in a file without output weights. It also decides
    /// [`ByT5Config::scales_logits`] in older files.
    #[serde(default = "yes")]
    pub tie_word_embeddings: bool,
    /// `true` if logits are scaled; written by Transformers 5 and later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_decoder_outputs: Option<bool>,
    /// Number added under the root of every norm.
    #[serde(default = "epsilon")]
    pub layer_norm_epsilon: f64,
    /// Token that decoding begins with; 0 for every ByT5.
    #[serde(default)]
    pub decoder_start_token_id: u32,
    /// Number of encoder blocks that the hyperbolic bias reaches, if there is a bias.
    #[serde(default = "geometry_layers")]
    pub geometry_layers: usize,
    /// Curvature of the ball, sign flipped; 0 is Euclidean space, for comparison.
    #[serde(default = "curvature")]
    pub curvature: f64,
    /// Unit of text that has a point in the ball.
    #[serde(default)]
    pub geometry_level: GeometryLevel,
    /// Measured reliability of the probabilities of these weights, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// Entries of a `config.json` that name the kind of model.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    model_type: Option<String>,
    #[serde(default)]
    architectures: Vec<String>,
}

/// Unit of text that has a point in the ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GeometryLevel {
    /// One point per token; the token's number is the number of its point.
    #[default]
    Byte,
    /// One point per sign and per reading; each byte carries the number of the sign or reading that it belongs to.
    Sign,
}

fn buckets() -> usize {
    32
}
fn far() -> usize {
    128
}
fn first_version() -> String {
    "relu".to_string()
}
fn yes() -> bool {
    true
}
fn epsilon() -> f64 {
    1e-6
}
fn geometry_layers() -> usize {
    4
}
fn curvature() -> f64 {
    1.0
}

/// Largest size accepted, far above any ByT5: a larger one means a damaged file.
const LARGEST_SIZE: usize = 1 << 16;

/// Number of dimensions of the ball.
pub const BALL_DIMENSIONS: usize = 32;

impl ByT5Config {
    /// Returns a configuration of these sizes (d_model, d_kv, heads, d_ff, encoder layers, decoder layers) with the
    /// values that every ByT5 has elsewhere.
    const fn sized([d_model, d_kv, num_heads, d_ff, num_layers, decoder_layers]: [usize; 6]) -> Self {
        Self {
            d_model,
            d_kv,
            d_ff,
            num_heads,
            num_layers,
            num_decoder_layers: Some(decoder_layers),
            vocab_size: 384,
            relative_attention_num_buckets: 32,
            relative_attention_max_distance: 128,
            feed_forward_proj: String::new(),
            tie_word_embeddings: false,
            scale_decoder_outputs: None,
            layer_norm_epsilon: 1e-6,
            decoder_start_token_id: 0,
            geometry_layers: 4,
            curvature: 1.0,
            geometry_level: GeometryLevel::Byte,
            calibration: None,
        }
    }

    /// Returns the configuration with this name. `nano`, which learns a few pairs by heart in minutes, `tiny` and
    /// `mini` are our own sizes; `small`, `base` and `large` are the published ones.
    pub fn named(name: &str) -> Option<Self> {
        let sizes = match name {
            "nano" => [64, 16, 4, 256, 3, 2],
            "tiny" => [128, 32, 4, 384, 4, 2],
            "mini" => [256, 64, 4, 1024, 6, 3],
            "small" => [1472, 64, 6, 3584, 12, 4],
            "base" => [1536, 64, 12, 3968, 18, 6],
            "large" => [1536, 64, 16, 3840, 36, 12],
            _ => return None,
        };
        Some(Self { feed_forward_proj: "gated-gelu".to_string(), ..Self::sized(sizes) })
    }

    /// Reads the configuration from a `config.json`.
    ///
    /// # Errors
    /// [`ConfigError`] says what is wrong: another kind of model, or an impossible entry.
    pub fn from_json(json: &[u8]) -> Result<Self, ConfigError> {
        let wrong = |whose, error: serde_json::Error| ConfigError::Json { whose, reason: error.to_string() };
        let kind: Kind = serde_json::from_slice(json).map_err(|error| wrong("model", error))?;
        if let Some(other) = kind.model_type.filter(|kind| kind != "t5") {
            let architecture = kind.architectures.first().map(|name| format!(" ({name})")).unwrap_or_default();
            return Err(ConfigError::Kind { kind: other, architecture });
        }
        let config: Self = serde_json::from_slice(json).map_err(|error| wrong("ByT5", error))?;
        config.check()?;
        Ok(config)
    }

    /// Checks that a ByT5 of this size can be built.
    ///
    /// # Errors
    /// [`ConfigError`] names the first impossible entry.
    pub fn check(&self) -> Result<(), ConfigError> {
        let sizes = [
            ("d_model", self.d_model),
            ("d_kv", self.d_kv),
            ("d_ff", self.d_ff),
            ("num_heads", self.num_heads),
            ("num_layers", self.num_layers),
            ("num_decoder_layers", self.decoder_layers()),
            ("relative_attention_max_distance", self.relative_attention_max_distance),
        ];
        if let Some(&(name, size)) = sizes.iter().find(|(_, size)| !(1..=LARGEST_SIZE).contains(size)) {
            return Err(ConfigError::Size { name, size, largest: LARGEST_SIZE });
        }
        if self.num_heads.saturating_mul(self.d_kv) > LARGEST_SIZE {
            let (heads, width) = (self.num_heads, self.d_kv);
            return Err(ConfigError::Heads { heads, width, largest: LARGEST_SIZE });
        }
        let layers = [sizes[4], sizes[5]];
        if let Some(&(name, layers)) = layers.iter().find(|(_, size)| *size > MOST_LAYERS) {
            return Err(ConfigError::Layers { name, layers, most: MOST_LAYERS });
        }
        let (buckets, bytes) = (self.relative_attention_num_buckets, tuppum_text::bytes::AFTER_BYTES as usize);
        if !(bytes..=1024).contains(&self.vocab_size) {
            return Err(ConfigError::Vocabulary { size: self.vocab_size, bytes });
        }
        if !buckets.is_multiple_of(4) || !(4..=self.relative_attention_max_distance).contains(&buckets) {
            return Err(ConfigError::Buckets(buckets));
        }
        if self.feed_forward_proj != "gated-gelu" {
            return Err(ConfigError::FeedForward(self.feed_forward_proj.clone()));
        }
        if self.decoder_start_token_id != 0 {
            return Err(ConfigError::DecoderStart(self.decoder_start_token_id));
        }
        if !(self.layer_norm_epsilon.is_finite() && self.layer_norm_epsilon > 0.0) {
            return Err(ConfigError::Epsilon(self.layer_norm_epsilon));
        }
        if !(self.curvature.is_finite() && self.curvature >= 0.0) {
            return Err(ConfigError::Curvature(self.curvature));
        }
        if self.calibration.is_some_and(|calibration| !calibration.is_sound()) {
            return Err(ConfigError::Calibration);
        }
        Ok(())
    }

    /// Returns the number of decoder blocks.
    pub fn decoder_layers(&self) -> usize {
        self.num_decoder_layers.unwrap_or(self.num_layers)
    }

    /// Returns `true` if logits are scaled by `1/√d_model`, as in the first T5 but not in T5 v1.1. Files of
    /// Transformers up to 4 express this by `tie_word_embeddings`; Transformers 5 writes `true` there for every T5 and
    /// has an entry of its own for the scaling.
    pub fn scales_logits(&self) -> bool {
        self.scale_decoder_outputs.unwrap_or(self.tie_word_embeddings)
    }

    /// Returns the width of all heads together.
    pub fn inner(&self) -> usize {
        self.num_heads * self.d_kv
    }

    /// Returns the sizes from which the model's memory is estimated.
    pub fn size(&self) -> ModelSize {
        ModelSize {
            architecture: Architecture::Translator,
            width: self.d_model,
            inner: self.inner(),
            feed_forward: self.d_ff,
            heads: self.num_heads,
            encoder_layers: self.num_layers,
            decoder_layers: self.decoder_layers(),
            vocabulary: self.vocab_size,
            parameters: self.parameter_count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_config_is_read() {
        let json =
            br#"{"_name_or_path": "/home/patrick/t5/byt5-small", "architectures": ["T5ForConditionalGeneration"],
            "d_ff": 3584, "d_kv": 64, "d_model": 1472, "decoder_start_token_id": 0, "dropout_rate": 0.1,
            "eos_token_id": 1, "feed_forward_proj": "gated-gelu", "gradient_checkpointing": false,
            "initializer_factor": 1.0, "is_encoder_decoder": true, "layer_norm_epsilon": 1e-06, "model_type": "t5",
            "num_decoder_layers": 4, "num_heads": 6, "num_layers": 12, "pad_token_id": 0,
            "relative_attention_num_buckets": 32, "tie_word_embeddings": false, "tokenizer_class": "ByT5Tokenizer",
            "transformers_version": "4.7.0.dev0", "use_cache": true, "vocab_size": 384}"#;
        assert_eq!(ByT5Config::from_json(json), Ok(ByT5Config::named("small").unwrap()));
    }

    #[test]
    fn logits_are_scaled_as_the_library_that_wrote_the_config_meant() {
        // Transformers 5.23 writes the first case for a ByT5 with its own output weights; versions up to 4 wrote the
        // third.
        for (entries, expected) in [
            (r#""tie_word_embeddings": true, "scale_decoder_outputs": false"#, false),
            (r#""tie_word_embeddings": true, "scale_decoder_outputs": true"#, true),
            (r#""tie_word_embeddings": false"#, false),
            (r#""tie_word_embeddings": true"#, true),
        ] {
            let json = format!(
                r#"{{"d_model": 16, "d_kv": 4, "d_ff": 24, "num_heads": 4, "num_layers": 1, "vocab_size": 384,
                "feed_forward_proj": "gated-gelu", {entries}}}"#
            );
            assert_eq!(ByT5Config::from_json(json.as_bytes()).unwrap().scales_logits(), expected, "{entries}");
        }
    }

    #[test]
    fn the_smallest_size_is_the_one_that_the_page_tells() {
        assert_eq!(ByT5Config::named("nano").unwrap().size(), ModelSize::NEW);
    }

    #[test]
    fn the_page_reads_the_same_size_from_the_file() {
        let shipped = std::fs::read(tuppum_testing::project("models/translator/config.json")).unwrap();
        let named = ["nano", "tiny", "mini", "small", "base", "large"].map(|name| ByT5Config::named(name).unwrap());
        for config in named.into_iter().chain([ByT5Config::from_json(&shipped).unwrap()]) {
            let json = serde_json::to_vec(&config).unwrap();
            assert_eq!(ModelSize::of_translator(&json), Some(config.size()));
        }
        assert_eq!(ModelSize::of_translator(&shipped), ByT5Config::named("mini").map(|mini| mini.size()));
    }

    #[test]
    fn impossible_entries_are_named() {
        let mini = ByT5Config::named("mini").unwrap();
        let check = |config: ByT5Config, said: &str| {
            let error = config.check().unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        };
        check(ByT5Config { num_heads: 0, ..mini.clone() }, "num_heads is 0");
        check(ByT5Config { num_decoder_layers: Some(1 << 30), ..mini.clone() }, "num_decoder_layers is");
        check(ByT5Config { num_layers: 257, ..mini.clone() }, "num_layers is 257");
        check(ByT5Config { vocab_size: 32128, ..mini.clone() }, "vocab_size is 32128; a model over bytes");
        check(ByT5Config { relative_attention_num_buckets: 2, ..mini.clone() }, "relative_attention_num_buckets is 2");
        check(ByT5Config { feed_forward_proj: "relu".into(), ..mini.clone() }, "feed_forward_proj is \"relu\"");
        check(ByT5Config { curvature: f64::NAN, ..mini }, "curvature is NaN");
        let error = ByT5Config::from_json(br#"{"layers": 16}"#).unwrap_err().to_string();
        assert!(error.contains("missing field"), "{error}");
        let error = ByT5Config::from_json(br#"{"model_type": "bert", "architectures": ["BertModel"]}"#)
            .unwrap_err()
            .to_string();
        assert!(error.contains("kind \"bert\" (BertModel); only ByT5"), "{error}");
    }
}
