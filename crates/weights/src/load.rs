//! Loads a weights file into a torso, tensor by tensor, so that the file is never in memory as a whole.

use super::error::WeightsError;
use super::manifest::{Checksum, FileEntry};
use super::safetensors::{Header, floats};
use super::storage::Source;
use burn::tensor::Device;
use std::fmt::Display;
use tuppum_nn::torso::{TensorSpec, Torso, TorsoBuilder, TorsoConfig, Yield};
use tuppum_text::tokens::Vocabulary;

/// Reads a torso of this size. The file is read once from front to back; if its entry of the manifest is given, its
/// checksum is computed on the way. `on_bytes` receives the bytes read so far and the bytes in all. Yields after each
/// tensor.
///
/// # Errors
/// Says which tensor is missing, unknown or misshapen, or that the file is truncated or altered.
pub async fn load_torso(
    config: &TorsoConfig,
    source: &mut impl Source,
    entry: Option<&FileEntry>,
    device: &Device,
    mut on_bytes: impl FnMut(u64, u64),
    yielder: &impl Yield,
) -> Result<Torso, WeightsError> {
    config.check().map_err(|problem| WeightsError::folder("config.json", problem))?;
    let total = source.length();
    let file = entry.map_or("the weights file", |entry| entry.name.as_str());
    if let Some(entry) = entry
        && entry.bytes != total
    {
        return Err(WeightsError::Length { file: file.to_string(), found: total, expected: entry.bytes });
    }
    let (header, first) = Header::read(file, source).await?;
    check_shapes(&header, &config.tensors())?;
    let mut checksum = entry.map(|_| Checksum::default());
    let mut count = |bytes: &[u8]| {
        if let Some(checksum) = &mut checksum {
            checksum.add(bytes);
        }
    };
    count(&first);
    let mut builder = TorsoBuilder::new(config.clone(), device.clone());
    for tensor in &header.tensors {
        let bytes = source.read(tensor.offset, tensor.bytes).await?;
        count(&bytes);
        let values = floats(tensor, &bytes)?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(WeightsError::tensor(&tensor.name, "holds numbers that are not finite"));
        }
        builder.put(&tensor.name, values).map_err(|problem| WeightsError::tensor(&tensor.name, problem))?;
        on_bytes(tensor.offset + tensor.bytes as u64, total);
        yielder.yield_now().await?;
    }
    if let (Some(checksum), Some(entry)) = (checksum, entry) {
        checksum.verify(entry)?;
    }
    builder.build().map_err(|error| WeightsError::Header(error.to_string()))
}

/// Checks that a file of weights has the tensors of a torso of this size, without reading their numbers.
///
/// # Errors
/// Says which tensor is missing, unknown or misshapen, or that the file is truncated.
pub async fn check_torso(config: &TorsoConfig, file: &str, source: &mut impl Source) -> Result<(), WeightsError> {
    config.check().map_err(|problem| WeightsError::folder("config.json", problem))?;
    let (header, _) = Header::read(file, source).await?;
    check_shapes(&header, &config.tensors())
}

/// Checks that the file has exactly the tensors that the torso needs.
fn check_shapes(header: &Header, specs: &[TensorSpec]) -> Result<(), WeightsError> {
    for spec in specs {
        let Some(tensor) = header.tensor(&spec.name) else {
            return Err(WeightsError::tensor(&spec.name, "is missing"));
        };
        if tensor.shape != spec.shape {
            let problem = format!("has shape {:?}; config.json asks for {:?}", tensor.shape, spec.shape);
            return Err(WeightsError::tensor(&spec.name, problem));
        }
    }
    let unknown = |name: &str| specs.iter().all(|spec| spec.name != name);
    match header.tensors.iter().find(|tensor| unknown(&tensor.name)) {
        Some(tensor) => Err(WeightsError::tensor(&tensor.name, "is unknown to a torso of this size")),
        None => Ok(()),
    }
}

/// Reads the vocabulary in a `vocab.json`, which must have as many tokens as the torso.
///
/// # Errors
/// [`WeightsError::Folder`] says what is wrong with it.
pub fn read_vocabulary(json: &[u8], config: &TorsoConfig) -> Result<Vocabulary, WeightsError> {
    let refuse = |problem: &dyn Display| WeightsError::folder("vocab.json", problem);
    let tokens: Vec<String> = serde_json::from_slice(json).map_err(|error| refuse(&error))?;
    if tokens.len() != config.vocabulary {
        let problem = format_args!("it has {} tokens; config.json asks for {}", tokens.len(), config.vocabulary);
        return Err(refuse(&problem));
    }
    Vocabulary::new(tokens).map_err(|error| refuse(&error))
}
