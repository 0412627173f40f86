//! The parts of a run's file, whatever model it trains: a state as JSON, then weights and moments under the names and
//! in the order of the weights file, moments with the prefixes `first.` and `second.`, and a checksum as the last
//! tensor.
//!
//! JSON is padded with spaces to a multiple of 32 bits. The caller must replace an older file by the new one
//! atomically.

use crate::error::TrainError;
use crate::optimiser::REMEMBERED;
use crate::update_rules::TensorMoments;
use burn::tensor::{Device, Tensor, TensorData};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::parameters::ParameterSpec;
use tuppum_weights::safetensors::{Dtype, Header, floats};
use tuppum_weights::storage::Sink;
use tuppum_weights::write::{Planned, Writer};
use tuppum_weights::{Checksum, Source, SourceError, WeightsError};

/// Name of the tensor that holds the state.
pub const STATE: &str = "run.state";
/// Prefixes of the moments.
pub const MOMENTS: [&str; 2] = ["first.", "second."];
const CHECKSUM: &str = "run.sha256";
/// Number of digits of a sha256, in bytes.
const DIGITS: usize = 64;
/// Number of bytes read at once for the checksum.
const PIECE_BYTES: u64 = 4 << 20;

/// Sink that passes bytes on and computes their checksum.
#[derive(Debug)]
pub struct Summing<'s, S> {
    sink: &'s mut S,
    /// Checksum of all bytes so far.
    pub checksum: Checksum,
}

impl<'s, S> Summing<'s, S> {
    /// Creates a sink that passes bytes on to `sink`.
    pub fn new(sink: &'s mut S) -> Self {
        Self { sink, checksum: Checksum::default() }
    }
}

impl<S: Sink> Sink for Summing<'_, S> {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.checksum.add(bytes);
        self.sink.write(bytes).await
    }
}

/// Returns the state as JSON, padded.
pub fn json(state: &impl Serialize) -> Result<Vec<u8>, TrainError> {
    let mut json = serde_json::to_vec(state).map_err(|error| TrainError::unwritten("the state of the run", &error))?;
    json.resize(json.len().next_multiple_of(4), b' ');
    Ok(json)
}

/// Returns the entry of the state among the tensors.
pub fn of_state(json: &[u8]) -> Planned {
    whole_numbers(STATE, json.len())
}

/// Returns the tensors followed by the checksum.
pub fn with_checksum(mut plan: Vec<Planned>) -> Vec<Planned> {
    plan.push(whole_numbers(CHECKSUM, DIGITS));
    plan
}

fn whole_numbers(name: &str, bytes: usize) -> Planned {
    Planned { name: name.to_owned(), dtype: Dtype::I32, shape: vec![bytes / 4] }
}

/// Returns the tensors of the file that make up one tensor of the model, or its moments.
pub fn of_place<G>(place: &ParameterSpec<G>, prefix: &str) -> Vec<Planned> {
    let own = |name: &str, shape: &[usize]| Planned {
        name: format!("{prefix}{name}"),
        dtype: Dtype::F32,
        shape: shape.to_vec(),
    };
    place.parts.iter().map(|part| own(&part.name, &part.shape)).collect()
}

/// Writes the tensors of the file that make up one tensor of the model, or its moments.
pub async fn put<G, S: Sink>(
    writer: &mut Writer<'_, S>,
    place: &ParameterSpec<G>,
    prefix: &str,
    tensor: Tensor<2>,
) -> Result<(), TrainError> {
    let values = numbers(tensor).await?;
    for (part, own) in place.split(&values) {
        writer.put(&format!("{prefix}{}", part.name), &own).await?;
    }
    Ok(())
}

/// Writes the checksum of everything written and ends the file.
pub async fn finish<S: Sink>(mut writer: Writer<'_, Summing<'_, S>>) -> Result<(), TrainError> {
    let digits = writer.sink().checksum.clone().digits();
    writer.put_bytes(CHECKSUM, digits.as_bytes()).await?;
    Ok(writer.finish()?)
}

/// Reads the numbers of a tensor.
pub async fn numbers(tensor: Tensor<2>) -> Result<Vec<f32>, TrainError> {
    let device = |error: String| TrainError::Model(ByT5Error::Device(error));
    let data = tensor.into_data_async().await.map_err(|error| device(format!("{error:?}")))?;
    data.try_into_vec::<f32>().map_err(|error| device(format!("{error:?}")))
}

/// Reader of a run, tensor by tensor.
#[derive(Debug)]
pub struct Reader<'s, S> {
    name: &'s str,
    header: Header,
    source: &'s mut S,
}

impl<'s, S: Source> Reader<'s, S> {
    /// Reads the header and verifies the checksum. `name` is the file's name in errors.
    pub async fn open(name: &'s str, source: &'s mut S) -> Result<Self, TrainError> {
        let (header, _) = Header::read(name, source).await?;
        let own = Self { name, header, source };
        if own.header.tensor(STATE).is_none() {
            return Err(own.wrong("it does not say how far a run had come; it is no checkpoint of a training"));
        }
        own.verified().await
    }

    async fn verified(self) -> Result<Self, TrainError> {
        let Some(last) = self.header.tensor(CHECKSUM).filter(|tensor| tensor.bytes == DIGITS) else {
            return Err(self.wrong("it has no checksum; it is no checkpoint of a training"));
        };
        let (mut checksum, mut at) = (Checksum::default(), 0);
        while at < last.offset {
            let piece = PIECE_BYTES.min(last.offset - at);
            checksum.add(&self.source.read(at, piece as usize).await?);
            at += piece;
        }
        let expected = String::from_utf8_lossy(&self.source.read(last.offset, DIGITS).await?).into_owned();
        let found = checksum.digits();
        if found == expected {
            return Ok(self);
        }
        Err(WeightsError::Altered { file: self.name.to_owned(), found, expected }.into())
    }

    /// Creates the error that the file cannot be used.
    pub fn wrong(&self, problem: impl Display) -> TrainError {
        WeightsError::folder(self.name, problem).into()
    }

    /// Reads the state as JSON.
    pub async fn state(&mut self) -> Result<Vec<u8>, TrainError> {
        let Some(tensor) = self.header.tensor(STATE) else { return Err(self.wrong("it has no state")) };
        Ok(self.source.read(tensor.offset, tensor.bytes).await?)
    }

    /// Parses the JSON of a state, ignoring unknown fields.
    pub fn parsed<T: DeserializeOwned>(&self, state: &[u8]) -> Result<T, TrainError> {
        serde_json::from_slice(state).map_err(|error| self.wrong(format!("its state: {error}")))
    }

    /// Returns the names of all weights, without moments and other state.
    pub fn weights(&self) -> Vec<String> {
        let others = || MOMENTS.iter().chain(&REMEMBERED).chain(&["run."]);
        let is_weight = |name: &str| others().all(|prefix| !name.starts_with(prefix));
        let names = self.header.tensors.iter().map(|tensor| tensor.name.clone());
        names.filter(|name| is_weight(name)).collect()
    }

    /// Reads the moments of a tensor, if there are any.
    pub async fn moments<G>(
        &mut self,
        place: &ParameterSpec<G>,
        device: &Device,
    ) -> Result<Option<TensorMoments>, TrainError> {
        let (Some(first), Some(second)) =
            (self.joined(place, MOMENTS[0], device).await?, self.joined(place, MOMENTS[1], device).await?)
        else {
            return Ok(None);
        };
        Ok(Some(TensorMoments { first, second }))
    }

    /// Reads a tensor of the model, or its moments, if the file has all its parts.
    pub async fn joined<G>(
        &mut self,
        place: &ParameterSpec<G>,
        prefix: &str,
        device: &Device,
    ) -> Result<Option<Tensor<2>>, TrainError> {
        let mut all = Vec::new();
        for part in &place.parts {
            let name = format!("{prefix}{}", part.name);
            let Some(values) = self.values(&name).await? else { return Ok(None) };
            if values.len() != part.elements() {
                let problem = format!("has {} numbers instead of {:?}", values.len(), part.shape);
                return Err(WeightsError::Tensor { name, problem }.into());
            }
            all.extend(values);
        }
        Ok(Some(Tensor::from_data(TensorData::new(place.join(&all), place.shape()), device)))
    }

    /// Reads a tensor of this shape in row-major order, if the file has it.
    pub async fn shaped(
        &mut self,
        name: &str,
        shape: [usize; 2],
        device: &Device,
    ) -> Result<Option<Tensor<2>>, TrainError> {
        let values = self.values(name).await?.filter(|values| values.len() == shape[0] * shape[1]);
        Ok(values.map(|values| Tensor::from_data(TensorData::new(values, shape), device)))
    }

    /// Reads the numbers of a tensor, if the file has it.
    pub async fn values(&mut self, name: &str) -> Result<Option<Vec<f32>>, TrainError> {
        let Some(tensor) = self.header.tensor(name) else { return Ok(None) };
        let bytes = self.source.read(tensor.offset, tensor.bytes).await?;
        Ok(Some(floats(tensor, &bytes)?))
    }
}
