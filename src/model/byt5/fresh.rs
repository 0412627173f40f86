//! A ByT5 that has learnt nothing: its weights drawn as Hugging Face's T5 draws them, so that training begins well.

use super::builder::ByT5Builder;
use super::config::ByT5Config;
use super::model::ByT5;
use super::names::{ALPHA, POINTS};
use crate::geometry::random::Random;
use burn::tensor::Device;

/// Strength of a new bias.
const FIRST_ALPHA: f32 = 0.1;

impl ByT5Config {
    /// The smallest size that learns some pairs by heart in minutes on a processor: width 64, three layers and two.
    pub fn smallest() -> Self {
        let other = Self::named("tiny").unwrap_or_else(|| unreachable!("the name is one of those known"));
        let (num_layers, num_decoder_layers) = (3, Some(2));
        Self {
            d_model: 64,
            d_kv: 16,
            d_ff: 256,
            num_heads: 4,
            num_layers,
            num_decoder_layers,
            geometry_layers: 3,
            ..other
        }
    }
}

impl ByT5 {
    /// A new model of this size: normal draws of standard deviation d⁻¹ᐟ² for what reads a stream of width d, (d k)⁻¹ᐟ² for
    /// queries of heads of width k, 1 for embeddings; norms are 1. With `points`, the hyperbolic bias begins there.
    ///
    /// # Errors
    /// A sentence when the size is impossible or the points are no rows of its dimensions.
    pub fn fresh(config: &ByT5Config, points: Option<Vec<f32>>, seed: u64, device: &Device) -> Result<Self, String> {
        config.check()?;
        let mut random = Random::new(seed);
        let mut builder = ByT5Builder::new(config.clone(), device.clone());
        for spec in config.tensors() {
            let values = match deviation(config, &spec.name) {
                Some(deviation) => (0..spec.elements()).map(|_| (random.normal() * deviation) as f32).collect(),
                None => vec![1.0; spec.elements()],
            };
            builder.put(&spec.name, values)?;
        }
        if let Some(points) = points {
            builder.put(POINTS, points)?;
            builder.put(ALPHA, vec![FIRST_ALPHA])?;
        }
        builder.build()
    }
}

/// The standard deviation of a tensor's draws; none for norms.
fn deviation(config: &ByT5Config, name: &str) -> Option<f64> {
    let [d, k, inner, ff] = [config.d_model, config.d_kv, config.inner(), config.d_ff].map(|size| size as f64);
    let part = name.strip_suffix(".weight").unwrap_or(name).rsplit('.').next().unwrap_or_default();
    match part {
        "shared" => Some(1.0),
        "q" => Some((d * k).powf(-0.5)),
        "o" => Some(inner.powf(-0.5)),
        "wo" => Some(ff.powf(-0.5)),
        "layer_norm" | "final_layer_norm" => None,
        _ => Some(d.powf(-0.5)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_model_is_built_and_has_the_size_that_the_page_tells() {
        let config = ByT5Config::smallest();
        assert_eq!(config.parameter_count(), crate::model::translation::training::NEW_PARAMETERS);
        let model = ByT5::fresh(&config, Some(vec![0.0; 384 * 32]), 1, &Device::flex()).unwrap();
        assert_eq!(model.geometry().map(|geometry| geometry.count()), Some(384));
        let names: Vec<Option<f64>> =
            ["shared.weight", "encoder.block.0.layer.0.SelfAttention.q.weight", "encoder.final_layer_norm.weight"]
                .map(|name| deviation(&config, name))
                .to_vec();
        assert_eq!(names, [Some(1.0), Some(1.0 / 32.0), None]);
    }
}
