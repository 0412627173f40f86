//! Writes safetensors tensor by tensor: the header first, from names, types and shapes alone, then the numbers as they
//! arrive, so that a model is never in memory as a whole. Also splits a model into files of a maximum size.

use super::error::{EncodingError, WeightsError};
use super::index::{Index, IndexMetadata};
use super::safetensors::Dtype;
use super::storage::Sink;
use burn::tensor::{bf16, f16};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// Tensor that will be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Name of the tensor.
    pub name: String,
    /// Type in which the numbers are written.
    pub dtype: Dtype,
    /// Shape of the tensor.
    pub shape: Vec<usize>,
}

impl Planned {
    /// Returns the number of elements.
    pub fn numbers(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.numbers() as u64 * self.dtype.bytes() as u64
    }
}

/// File that is being written.
#[derive(Debug)]
pub struct Writer<'a, S> {
    sink: &'a mut S,
    left: std::vec::IntoIter<Planned>,
}

/// Entry of a tensor in the header.
#[derive(Serialize)]
struct Entry<'a> {
    dtype: &'a str,
    shape: &'a [usize],
    data_offsets: [u64; 2],
}

impl<'a, S: Sink> Writer<'a, S> {
    /// Writes the header of a file with these tensors, in this order, and these notes about it (`__metadata__`).
    ///
    /// # Errors
    /// [`WeightsError::Tensor`] names a tensor that is planned twice; [`WeightsError::Source`] when the sink refuses.
    pub async fn begin(
        sink: &'a mut S,
        tensors: Vec<Planned>,
        notes: &BTreeMap<String, String>,
    ) -> Result<Self, WeightsError> {
        let mut header = header(&tensors, notes)?;
        // The reference library of the format pads the header with spaces so that the numbers are aligned to 8 bytes.
        header.resize(header.len().next_multiple_of(8), b' ');
        sink.write(&(header.len() as u64).to_le_bytes()).await?;
        sink.write(&header).await?;
        Ok(Self { sink, left: tensors.into_iter() })
    }

    /// Writes the numbers of the next tensor, rounded to its type.
    ///
    /// # Errors
    /// [`WeightsError::Tensor`] when it is not the planned one, or has another number of elements;
    /// [`WeightsError::Encoding`] when its type cannot hold a number; [`WeightsError::Source`] when the sink refuses.
    pub async fn put(&mut self, name: &str, values: &[f32]) -> Result<(), WeightsError> {
        let planned = self.next(name)?;
        if values.len() != planned.numbers() {
            let problem =
                format!("has {} numbers; its shape {:?} asks for {}", values.len(), planned.shape, planned.numbers());
            return Err(WeightsError::tensor(name, problem));
        }
        let bytes = encoded(values, planned.dtype)
            .map_err(|problem| WeightsError::Encoding { name: name.to_owned(), problem })?;
        Ok(self.sink.write(&bytes).await?)
    }

    /// Writes the next tensor from bytes that are of its type already.
    ///
    /// # Errors
    /// As for [`Writer::put`].
    pub async fn put_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), WeightsError> {
        let planned = self.next(name)?;
        if bytes.len() as u64 != planned.bytes() {
            let problem =
                format!("has {} bytes; its shape {:?} asks for {}", bytes.len(), planned.shape, planned.bytes());
            return Err(WeightsError::tensor(name, problem));
        }
        Ok(self.sink.write(bytes).await?)
    }

    /// Returns the sink.
    pub fn sink(&self) -> &S {
        self.sink
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`WeightsError::Tensor`] names a tensor that was planned but not written.
    pub fn finish(mut self) -> Result<(), WeightsError> {
        match self.left.next() {
            Some(planned) => Err(WeightsError::tensor(&planned.name, "was planned but not written")),
            None => Ok(()),
        }
    }

    fn next(&mut self, name: &str) -> Result<Planned, WeightsError> {
        match self.left.next() {
            Some(planned) if planned.name == name => Ok(planned),
            Some(planned) => Err(WeightsError::tensor(name, format!("was written where {} was planned", planned.name))),
            None => Err(WeightsError::tensor(name, "was written but not planned")),
        }
    }
}

/// Returns the header as JSON.
fn header(tensors: &[Planned], notes: &BTreeMap<String, String>) -> Result<Vec<u8>, WeightsError> {
    let json = |value: serde_json::Result<String>| value.map_err(|error| WeightsError::Header(error.to_string()));
    let (mut entries, mut names, mut begin) = (Vec::new(), HashSet::new(), 0);
    if !notes.is_empty() {
        entries.push(format!("\"__metadata__\":{}", json(serde_json::to_string(notes))?));
    }
    for tensor in tensors {
        if !names.insert(&tensor.name) || tensor.name == "__metadata__" {
            return Err(WeightsError::tensor(&tensor.name, "is planned twice"));
        }
        let end = begin + tensor.bytes();
        let entry = Entry { dtype: tensor.dtype.name(), shape: &tensor.shape, data_offsets: [begin, end] };
        entries.push(format!(
            "{}:{}",
            json(serde_json::to_string(&tensor.name))?,
            json(serde_json::to_string(&entry))?
        ));
        begin = end;
    }
    Ok(format!("{{{}}}", entries.join(",")).into_bytes())
}

/// Converts numbers to a type, rounded to the nearest, ties to even; too small ones become 0.
///
/// # Errors
/// Says which number is not finite or too large for the type: an infinity in a model is never intended.
pub fn encoded(values: &[f32], dtype: Dtype) -> Result<Vec<u8>, EncodingError> {
    let is_lost = |value: &&f32| match dtype {
        Dtype::F16 => !f16::from_f32(**value).is_finite(),
        Dtype::Bf16 => !bf16::from_f32(**value).is_finite(),
        Dtype::F32 | Dtype::I32 => !value.is_finite(),
    };
    if let Some(value) = values.iter().find(is_lost) {
        return Err(EncodingError::Lost { value: *value, dtype: dtype.name() });
    }
    Ok(match dtype {
        Dtype::F32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Dtype::F16 => values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()).collect(),
        Dtype::Bf16 => values.iter().flat_map(|value| bf16::from_f32(*value).to_le_bytes()).collect(),
        Dtype::I32 => return Err(EncodingError::Fractions),
    })
}

/// Splits a model into files of at most `limit` bytes of numbers, in order; a tensor above the limit gets a file of its
/// own.
pub fn shards(tensors: Vec<Planned>, limit: u64) -> Vec<Vec<Planned>> {
    let (mut shards, mut size) = (vec![Vec::new()], 0_u64);
    for tensor in tensors {
        let bytes = tensor.bytes();
        if let Some(shard) = shards.last_mut().filter(|shard| shard.is_empty() || size.saturating_add(bytes) <= limit) {
            size += bytes;
            shard.push(tensor);
        } else {
            size = bytes;
            shards.push(vec![tensor]);
        }
    }
    shards
}

/// Returns the name of a file of a model as transformers names it; a single file is `model.safetensors`.
pub fn shard_name(number: usize, of: usize) -> String {
    if of == 1 { "model.safetensors".into() } else { format!("model-{:05}-of-{of:05}.safetensors", number + 1) }
}

/// Returns the index of a model in several files.
pub fn index(shards: &[Vec<Planned>]) -> Index {
    let all = || shards.iter().enumerate().flat_map(|(number, shard)| shard.iter().map(move |tensor| (number, tensor)));
    Index {
        metadata: IndexMetadata { total_size: Some(all().map(|(_, tensor)| tensor.bytes()).sum()) },
        weight_map: all().map(|(number, tensor)| (tensor.name.clone(), shard_name(number, shards.len()))).collect(),
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
