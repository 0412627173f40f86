//! Transformers as safetensors files, without their settings: the caller stores these.

use crate::transformer::{Transformer, TransformerSettings};
use burn::tensor::Device;
use std::collections::BTreeMap;
use tuppum_weights::Source;
use tuppum_weights::WeightsError;
use tuppum_weights::safetensors::{Dtype, Header, floats};
use tuppum_weights::storage::Sink;
use tuppum_weights::write::{Planned, Writer};

/// Writes a model in 32 bits, in which its points stay on the hyperboloid.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read or holds a number that is none.
pub async fn write_transformer(model: &Transformer, sink: &mut impl Sink) -> Result<(), WeightsError> {
    let tensors = model.tensors();
    let planned = tensors.iter().map(|(spec, _)| Planned {
        name: spec.name.clone(),
        dtype: Dtype::F32,
        shape: spec.shape.clone(),
    });
    let mut writer = Writer::begin(sink, planned.collect(), &BTreeMap::new()).await?;
    for (spec, tensor) in tensors {
        let unread =
            |error: String| WeightsError::tensor(&spec.name, format!("cannot be read from the device: {error}"));
        let data = tensor.into_data_async().await.map_err(|error| unread(format!("{error:?}")))?;
        let numbers = data.try_into_vec::<f32>().map_err(|error| unread(format!("{error:?}")))?;
        writer.put(&spec.name, &numbers).await?;
    }
    writer.finish()
}

/// Reads a model of these settings.
///
/// # Errors
/// The file is truncated, a tensor is missing, unknown or misshapen, or points lie off the hyperboloid; the message
/// names the tensor.
pub async fn read_transformer(
    settings: &TransformerSettings,
    source: &mut impl Source,
    device: &Device,
) -> Result<Transformer, WeightsError> {
    let (header, _) = Header::read("the model", source).await?;
    let mut numbers = BTreeMap::new();
    for tensor in &header.tensors {
        let values = floats(tensor, &source.read(tensor.offset, tensor.bytes).await?)?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(WeightsError::tensor(&tensor.name, "holds numbers that are not finite"));
        }
        numbers.insert(tensor.name.clone(), values);
    }
    Transformer::of_numbers(settings, numbers, device).map_err(|problem| WeightsError::folder("the model", problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transformer::Space;
    use tuppum_testing::now;
    use tuppum_weights::MemorySource;

    fn settings(space: Space) -> TransformerSettings {
        TransformerSettings {
            space,
            width: 8,
            heads: 2,
            feed_forward: 12,
            longest: 20,
            ..TransformerSettings::default()
        }
    }

    fn written(model: &Transformer) -> Vec<u8> {
        let mut bytes = Vec::new();
        now(write_transformer(model, &mut bytes)).unwrap();
        bytes
    }

    fn read(settings: &TransformerSettings, bytes: &[u8]) -> Result<Transformer, String> {
        let mut source = MemorySource::new(bytes);
        now(read_transformer(settings, &mut source, &Device::flex())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_model_comes_back_bit_by_bit() {
        for space in Space::ALL {
            let model = Transformer::new(&settings(space), 3, &Device::flex()).unwrap();
            let bytes = written(&model);
            let again = read(&settings(space), &bytes).unwrap();
            assert_eq!(written(&again), bytes, "{space}");
            let states = |model: &Transformer| now(model.states("a-na LUGAL")).unwrap();
            assert_eq!(states(&model), states(&again));
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let own = settings(Space::Lorentz);
        let bytes = written(&Transformer::new(&own, 3, &Device::flex()).unwrap());
        let refused = |settings: &TransformerSettings, said: &str| {
            let problem = read(settings, &bytes).unwrap_err();
            assert!(problem.contains(said), "{problem}");
        };
        refused(&TransformerSettings { longest: 21, ..own.clone() }, "positions has 160 numbers");
        refused(&TransformerSettings { encoder_layers: 4, ..own.clone() }, "is missing");
        refused(&TransformerSettings { encoder_layers: 2, ..own.clone() }, "is unknown");
        refused(&TransformerSettings { curvature: -2.0, ..own.clone() }, "does not lie on the hyperboloid");
        assert!(read(&own, &bytes[..bytes.len() / 2]).unwrap_err().contains("truncated"));
    }
}
