//! A translator as files: safetensors under Hugging Face's names and its `config.json`, as transformers opens them.

use crate::error::TrainError;
use crate::run_file::{Summing, numbers};
use std::collections::BTreeMap;
use tuppum_nn::byt5::{ByT5, ByT5Config};
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::storage::Sink;
use tuppum_weights::write::{Planned, Writer};

/// Prefix of the tensors of the hyperbolic bias, which are written in 32 bits: 16 bits would round points to the rim of
/// the ball.
const EXACT: &str = "geometry.";

/// Returns the tensors that a model's file holds, in order.
fn planned(model: &ByT5, dtype: Dtype) -> Vec<Planned> {
    let exact = |name: &str| if name.starts_with(EXACT) { Dtype::F32 } else { dtype };
    let parts = model.tensors().into_iter().flat_map(|(place, _)| place.parts);
    parts.map(|spec| Planned { dtype: exact(&spec.name), name: spec.name, shape: spec.shape }).collect()
}

/// Writes the weights of a model in this precision; an attached hyperbolic bias is written in 32 bits.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read or holds a number that the precision cannot hold.
pub async fn weights(model: &ByT5, dtype: Dtype, sink: &mut impl Sink) -> Result<(), TrainError> {
    let notes = BTreeMap::from([("format".to_owned(), "pt".to_owned())]);
    let mut writer = Writer::begin(sink, planned(model, dtype), &notes).await?;
    for (place, tensor) in model.tensors() {
        let values = numbers(tensor).await?;
        for (spec, own) in place.split(&values) {
            writer.put(&spec.name, &own).await?;
        }
    }
    Ok(writer.finish()?)
}

/// Returns the sha256 of a model: of names, shapes and numbers of its tensors, and of the settings of its bias. It does
/// not depend on the kind of files that the model was read from.
///
/// # Errors
/// When a tensor cannot be read.
pub async fn checksum(model: &ByT5) -> Result<String, TrainError> {
    let nowhere = &mut ();
    let mut summing = Summing::new(nowhere);
    weights(model, Dtype::F32, &mut summing).await?;
    if let Some(geometry) = model.geometry() {
        // The settings are not visible in the tensors of a bias.
        let laid = format!("{:?} {} {}", model.config().geometry_level, geometry.layers(), geometry.curvature());
        summing.checksum.add(laid.as_bytes());
    }
    Ok(summing.checksum.digits())
}

/// Returns the `config.json` of a model, with the fields that transformers needs.
///
/// # Errors
/// When the sizes cannot be written as JSON, which is not known to happen.
pub fn config(model: &ByT5) -> Result<Vec<u8>, TrainError> {
    let unwritten = |error: serde_json::Error| TrainError::unwritten("config.json", &error);
    // A calibration is only valid for the weights that it was measured with.
    let mut config = ByT5Config { calibration: None, ..model.config().clone() };
    if let Some(geometry) = model.geometry() {
        (config.geometry_layers, config.curvature) = (geometry.layers(), geometry.curvature());
    }
    let mut json = serde_json::to_value(&config).map_err(unwritten)?;
    if let Some(entries) = json.as_object_mut() {
        let others = serde_json::json!({
            "architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "tokenizer_class": "ByT5Tokenizer",
            "is_encoder_decoder": true, "pad_token_id": 0, "eos_token_id": 1, "dropout_rate": 0.1,
            "num_decoder_layers": config.decoder_layers(),
        });
        entries.extend(others.as_object().cloned().unwrap_or_default());
    }
    let mut bytes = serde_json::to_vec_pretty(&json).map_err(unwritten)?;
    bytes.push(b'\n');
    Ok(bytes)
}
