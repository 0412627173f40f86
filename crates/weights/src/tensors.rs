//! The tensors of a file of either format, recognised by its first bytes.

use super::error::WeightsError;
use super::safetensors::{Header, TensorInfo};
use super::storage::Source;
use super::torch_file;

/// Tensors of a file, and the bytes before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensors {
    /// Tensors in the order of their data. In a PyTorch file several names may share one place.
    pub list: Vec<TensorInfo>,
    /// Bytes that were read to find the tensors, for a checksum computed on the way; empty for a PyTorch file, whose
    /// tensors do not fill it without gaps.
    pub first: Vec<u8>,
}

/// Finds the tensors of `file`, a safetensors or PyTorch file.
///
/// # Errors
/// As for [`Header::read`] and [`torch_file::read`].
pub async fn read(file: &str, source: &mut impl Source) -> Result<Tensors, WeightsError> {
    let first = source.read(0, source.length().min(16) as usize).await?;
    if torch_file::is_torch(&first) {
        let list = torch_file::read(file, source).await?;
        return Ok(Tensors { list, first: Vec::new() });
    }
    let (header, first) = Header::read(file, source).await?;
    Ok(Tensors { list: header.tensors, first })
}
