//! Loads weights files into a ByT5, tensor by tensor, so that no file is ever in memory as a whole.
//!
//! The loader sees files only as lists of tensors and a [`Source`] for their bytes: one safetensors file, several with
//! an index, or another format that says where its tensors lie.

use super::error::WeightsError;
use super::manifest::Checksum;
use super::safetensors::{TensorInfo, floats};
use super::storage::Source;
use burn::tensor::Device;
use std::collections::{HashMap, HashSet};
use tuppum_nn::byt5::checkpoint_names::{ALPHA, LM_HEAD, POINTS, SHARED, SHARED_ALIASES, UNUSED};
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, ByT5Builder, ByT5Config, GeometryLevel};
use tuppum_nn::tensors::TensorSpec;
use tuppum_nn::yielding::Yield;

/// Loader of a ByT5 from one or more files. All their tensors are known before the first byte of data is read.
pub struct ByT5Loader {
    builder: ByT5Builder,
    /// Model's name of each tensor to read, by its name in the files.
    wanted: HashMap<String, String>,
    done: u64,
    total: u64,
}

impl ByT5Loader {
    /// Checks that the tensors of all files together are those of a ByT5 of this size: none missing, misshapen, unknown
    /// or duplicated. The embeddings may be repeated under their other names and are then read once.
    ///
    /// # Errors
    /// [`WeightsError::Tensor`] names the tensor that is wrong.
    pub fn new(config: &ByT5Config, files: &[&[TensorInfo]], device: &Device) -> Result<Self, WeightsError> {
        config.check().map_err(|problem| WeightsError::folder("config.json", problem))?;
        let mut names = HashSet::new();
        for tensor in files.iter().copied().flatten() {
            if !names.insert(tensor.name.as_str()) {
                return Err(WeightsError::tensor(&tensor.name, "is in two files"));
            }
        }
        let embeddings = [SHARED, SHARED_ALIASES[0], SHARED_ALIASES[1]];
        let embeddings = embeddings.into_iter().find(|name| names.contains(name)).unwrap_or(SHARED);
        let specs: HashMap<String, TensorSpec> =
            config.tensors().into_iter().map(|spec| (spec.name.clone(), spec)).collect();
        let (mut wanted, mut total) = (HashMap::new(), 0);
        for tensor in files.iter().copied().flatten() {
            let is_alias = SHARED_ALIASES.contains(&tensor.name.as_str());
            let own = if is_alias { SHARED } else { tensor.name.as_str() };
            check_shape(tensor, own, specs.get(own), config)?;
            if tensor.name != UNUSED && (own != SHARED || tensor.name == embeddings) {
                wanted.insert(tensor.name.clone(), own.to_string());
                total += tensor.bytes as u64;
            }
        }
        check_missing(&wanted, &specs, config)?;
        Ok(Self { builder: ByT5Builder::new(config.clone(), device.clone()), wanted, done: 0, total })
    }

    /// Reads one of the files. `on_bytes` receives the number of bytes read from all files and the bytes in all. Yields
    /// after each tensor. If `checksum` is given, the tensors must follow one another in the file without a gap, and
    /// all of them are read.
    ///
    /// # Errors
    /// The message of the storage; tensors with numbers that are not finite.
    pub async fn read(
        &mut self,
        tensors: &[TensorInfo],
        source: &mut impl Source,
        mut checksum: Option<&mut Checksum>,
        on_bytes: &mut impl FnMut(u64, u64),
        yielder: &impl Yield,
    ) -> Result<(), WeightsError> {
        for tensor in tensors {
            let wanted = self.wanted.get(&tensor.name);
            if wanted.is_none() && checksum.is_none() {
                continue;
            }
            let bytes = source.read(tensor.offset, tensor.bytes).await?;
            if let Some(checksum) = &mut checksum {
                checksum.add(&bytes);
            }
            let Some(own) = wanted else { continue };
            let values = floats(tensor, &bytes)?;
            drop(bytes);
            if values.iter().any(|value| !value.is_finite()) {
                return Err(WeightsError::tensor(&tensor.name, "holds numbers that are not finite"));
            }
            self.builder.put(own, values).map_err(|problem| WeightsError::tensor(&tensor.name, problem))?;
            self.done += tensor.bytes as u64;
            on_bytes(self.done, self.total);
            yielder.yield_now().await?;
        }
        Ok(())
    }

    /// Builds the model, once every file has been read.
    ///
    /// # Errors
    /// When a file was not read, or a point of the hyperbolic bias lies outside its ball.
    pub fn finish(self) -> Result<ByT5, WeightsError> {
        self.builder.build().map_err(|error| WeightsError::Header(error.to_string()))
    }
}

/// Checks that the tensor is known and has the right shape; `own` is the model's name for it.
fn check_shape(
    tensor: &TensorInfo,
    own: &str,
    spec: Option<&TensorSpec>,
    config: &ByT5Config,
) -> Result<(), WeightsError> {
    let TensorInfo { name, shape, .. } = tensor;
    let expected = match own {
        UNUSED => return Ok(()),
        ALPHA if shape.is_empty() || shape[..] == [1] => return Ok(()),
        ALPHA => Vec::new(),
        POINTS => {
            let points = match config.geometry_level {
                GeometryLevel::Byte => config.vocab_size,
                GeometryLevel::Sign => shape.first().copied().unwrap_or(1).max(1),
            };
            vec![points, BALL_DIMENSIONS]
        }
        _ => match spec {
            Some(spec) => spec.shape.clone(),
            None => return Err(WeightsError::tensor(name, "is unknown to a ByT5 of this size")),
        },
    };
    if *shape == expected {
        Ok(())
    } else {
        Err(WeightsError::tensor(name, format!("has shape {shape:?}; config.json asks for {expected:?}")))
    }
}

/// Checks that every tensor of the model is in some file.
fn check_missing(
    wanted: &HashMap<String, String>,
    specs: &HashMap<String, TensorSpec>,
    config: &ByT5Config,
) -> Result<(), WeightsError> {
    let come: HashSet<&str> = wanted.values().map(String::as_str).collect();
    let optional = |name: &str| name == LM_HEAD && config.tie_word_embeddings;
    let mut missing: Vec<&str> =
        specs.keys().map(String::as_str).filter(|name| !come.contains(name) && !optional(name)).collect();
    for (name, other) in [(ALPHA, POINTS), (POINTS, ALPHA)] {
        if come.contains(other) && !come.contains(name) {
            missing.push(name);
        }
    }
    missing.sort_unstable();
    match missing[..] {
        [] => Ok(()),
        [first] => Err(WeightsError::tensor(first, "is missing")),
        [first, ..] => Err(WeightsError::tensor(first, format!("is missing, as {} others are", missing.len() - 1))),
    }
}
