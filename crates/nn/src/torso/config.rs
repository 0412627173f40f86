//! The size of a torso, as `config.json` of a model folder states it, and the tensors that follow from it.

use crate::error::{ConfigError, MOST_LAYERS};
use crate::tensors::TensorSpec;
use serde::{Deserialize, Serialize};
use tuppum_domain::training_memory::{Architecture, ModelSize};

/// The size of a torso.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorsoConfig {
    /// Number of blocks.
    pub layers: usize,
    /// Width of the residual stream.
    pub d_model: usize,
    /// Width of the feed-forward part.
    pub d_ff: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Width of a head; even, since rotary positions rotate one half against the other.
    pub head_dim: usize,
    /// Number of tokens.
    pub vocabulary: usize,
    /// Base of the rotary frequencies.
    pub rope_base: f64,
    /// Number of signs that the torso was trained to see at once.
    pub window: usize,
    /// Length of the longest row that the torso accepts.
    pub longest: usize,
    /// Divisor of the logits, fitted so that predicted probabilities match how often the torso is right (Guo et al.
    /// 2017, "On Calibration of Modern Neural Networks", section 4.2); 1 if it was not fitted. Training ignores it and
    /// passes it on.
    #[serde(default = "unfitted", skip_serializing_if = "is_unfitted")]
    pub temperature: f32,
}

fn unfitted() -> f32 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_unfitted(temperature: &f32) -> bool {
    *temperature == unfitted()
}

/// Temperatures accepted. Outside this range the file is damaged: all probabilities would be alike, or all 0 and 1.
const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.1..=10.0;

/// Largest size accepted, far above any such torso: a larger one means a damaged file.
const LARGEST_SIZE: usize = 1 << 20;

impl TorsoConfig {
    /// Reads the configuration from a `config.json`.
    ///
    /// # Errors
    /// [`ConfigError`] says what is wrong with it.
    pub fn from_json(json: &[u8]) -> Result<Self, ConfigError> {
        let json = serde_json::from_slice(json);
        let config: Self = json.map_err(|error| ConfigError::Json { whose: "torso", reason: error.to_string() })?;
        config.check()?;
        Ok(config)
    }

    /// Checks that a torso of this size can be built.
    ///
    /// # Errors
    /// [`ConfigError`] names the first impossible size.
    pub fn check(&self) -> Result<(), ConfigError> {
        let sizes = [
            ("layers", self.layers),
            ("d_model", self.d_model),
            ("d_ff", self.d_ff),
            ("heads", self.heads),
            ("head_dim", self.head_dim),
            ("vocabulary", self.vocabulary),
            ("window", self.window),
            ("longest", self.longest),
        ];
        if let Some(&(name, size)) = sizes.iter().find(|(_, size)| !(1..=LARGEST_SIZE).contains(size)) {
            return Err(ConfigError::Size { name, size, largest: LARGEST_SIZE });
        }
        if self.layers > MOST_LAYERS {
            return Err(ConfigError::Layers { name: "layers", layers: self.layers, most: MOST_LAYERS });
        }
        if !self.head_dim.is_multiple_of(2) {
            return Err(ConfigError::OddHead(self.head_dim));
        }
        if self.window > self.longest {
            return Err(ConfigError::Window { window: self.window, longest: self.longest });
        }
        if !(self.rope_base.is_finite() && self.rope_base > 1.0) {
            return Err(ConfigError::RopeBase(self.rope_base));
        }
        if !TEMPERATURES.contains(&self.temperature) {
            return Err(ConfigError::Temperature(self.temperature));
        }
        Ok(())
    }

    /// Returns the width of all heads together.
    pub fn inner(&self) -> usize {
        self.heads * self.head_dim
    }

    /// Returns the sizes from which the model's memory is estimated.
    pub fn size(&self) -> ModelSize {
        ModelSize {
            architecture: Architecture::Restorer,
            width: self.d_model,
            inner: self.inner(),
            feed_forward: self.d_ff,
            heads: self.heads,
            encoder_layers: self.layers,
            decoder_layers: 0,
            vocabulary: self.vocabulary,
            parameters: self.parameter_count(),
        }
    }

    /// Returns the number of trained parameters.
    pub fn parameter_count(&self) -> u64 {
        self.tensors().iter().map(|spec| spec.claimed()).sum()
    }

    /// Returns every tensor of the weights file.
    pub fn tensors(&self) -> Vec<TensorSpec> {
        let (d, inner) = (self.d_model, self.inner());
        let mut specs = vec![TensorSpec::new("torso.embed.weight", &[self.vocabulary, d])];
        for layer in 0..self.layers {
            let at = |part: &str| format!("torso.layers.{layer}.{part}.weight");
            specs.extend(["attn.q", "attn.k", "attn.v"].map(|part| TensorSpec::new(&at(part), &[inner, d])));
            specs.push(TensorSpec::new(&at("attn.o"), &[d, inner]));
            specs.push(TensorSpec::new(&at("norm1"), &[d]));
            specs.push(TensorSpec::new(&at("norm2"), &[d]));
            specs.push(TensorSpec::new(&at("ff.0"), &[self.d_ff, d]));
            specs.push(TensorSpec::new(&at("ff.2"), &[d, self.d_ff]));
        }
        specs.push(TensorSpec::new("torso.final_norm.weight", &[d]));
        for (part, outputs) in [("0", d), ("2", self.vocabulary)] {
            specs.push(TensorSpec::new(&format!("restoration_head.{part}.weight"), &[outputs, d]));
            specs.push(TensorSpec::new(&format!("restoration_head.{part}.bias"), &[outputs]));
        }
        specs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> TorsoConfig {
        TorsoConfig::from_json(include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../models/restorer/config.json"
        )))
        .unwrap()
    }

    #[test]
    fn parameter_counts_are_those_of_the_design() {
        assert_eq!(shipped().parameter_count(), 28_758_383);
        assert_eq!(TorsoConfig { vocabulary: 14_797, ..shipped() }.parameter_count(), 36_705_229);
    }

    #[test]
    fn the_page_reads_the_same_size_from_the_file() {
        for config in [shipped(), TorsoConfig { layers: 3, head_dim: 64, vocabulary: 14_797, ..shipped() }] {
            assert_eq!(ModelSize::of_restorer(&serde_json::to_vec(&config).unwrap()), Some(config.size()));
        }
    }

    #[test]
    fn impossible_sizes_are_named() {
        let check = |config: TorsoConfig, said: &str| {
            let error = config.check().unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        };
        check(TorsoConfig { layers: 0, ..shipped() }, "layers is 0");
        check(TorsoConfig { layers: MOST_LAYERS + 1, ..shipped() }, "layers is 257; no more than 256");
        check(TorsoConfig { vocabulary: usize::MAX, ..shipped() }, "vocabulary is");
        check(TorsoConfig { head_dim: 31, ..shipped() }, "head_dim is 31");
        check(TorsoConfig { window: 769, ..shipped() }, "window is 769");
        check(TorsoConfig { rope_base: f64::NAN, ..shipped() }, "rope_base is NaN");
        check(TorsoConfig { temperature: 0.0, ..shipped() }, "temperature is 0");
        check(TorsoConfig { temperature: f32::NAN, ..shipped() }, "temperature is NaN");
    }

    #[test]
    fn a_config_without_a_temperature_divides_by_one() {
        let plain = TorsoConfig { temperature: 1.0, ..shipped() };
        let written = serde_json::to_string(&plain).unwrap();
        assert!(!written.contains("temperature"), "{written}");
        assert_eq!(TorsoConfig::from_json(written.as_bytes()), Ok(plain));
    }

    #[test]
    fn a_config_of_another_kind_is_refused() {
        let error = TorsoConfig::from_json(br#"{"layers": 16}"#).unwrap_err().to_string();
        assert!(error.contains("missing field"), "{error}");
    }
}
