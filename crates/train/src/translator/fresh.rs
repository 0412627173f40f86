//! An untrained translator, to pretrain or to test with: weights drawn as T5 draws them (Mesh TensorFlow's
//! initialisation, as in Hugging Face's transformers).

use burn::tensor::Device;
use thiserror::Error;
use tuppum_nn::byt5::{ByT5, ByT5Builder, ByT5Config};
use tuppum_nn::error::{ConfigError, TensorError};
use tuppum_random::Random;

/// Reason why no such model can be created.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FreshError {
    /// The size is impossible.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A tensor does not fit the size.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// Creates a model of this size without hyperbolic bias; equal seeds draw equal models.
///
/// # Errors
/// When the size is impossible.
pub fn model(config: &ByT5Config, seed: u64, device: &Device) -> Result<ByT5, FreshError> {
    config.check()?;
    let mut builder = ByT5Builder::new(config.clone(), device.clone());
    let mut draws = Random::new(seed);
    for spec in config.tensors() {
        let values = match spread(&spec.name, config) {
            Some(spread) => (0..spec.elements()).map(|_| (normal(&mut draws) * spread) as f32).collect(),
            None => vec![1.0; spec.elements()],
        };
        builder.put(&spec.name, values)?;
    }
    Ok(builder.build()?)
}

/// Returns the standard deviation of a tensor's numbers; `None` for norms, which begin at 1.
fn spread(name: &str, config: &ByT5Config) -> Option<f64> {
    let (width, inner) = (config.d_model as f64, config.inner() as f64);
    let part = name.strip_suffix(".weight")?.rsplit('.').next()?;
    Some(match part {
        "q" => (width * config.d_kv as f64).powf(-0.5),
        "k" | "v" | "wi_0" | "wi_1" | "relative_attention_bias" | "lm_head" => width.powf(-0.5),
        "o" => inner.powf(-0.5),
        "wo" => (config.d_ff as f64).powf(-0.5),
        "shared" => 1.0,
        _ => return None,
    })
}

/// Draws a normally distributed number (Box and Muller 1958).
fn normal(draws: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - draws.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * draws.uniform()).cos()
}
