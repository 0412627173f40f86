//! The tensors of a file of either format, told apart by its first bytes.

use super::error::WeightsError;
use super::safetensors::{Header, TensorInfo};
use super::source::Source;
use super::torch_file;

/// The tensors of a file and what stands before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensors {
    /// All tensors, in the order of their data. In a file of PyTorch several names may share one place.
    pub list: Vec<TensorInfo>,
    /// The bytes that were read to find them, for a checksum that is taken on the way; empty for a file of PyTorch,
    /// whose tensors do not fill it without gaps.
    pub first: Vec<u8>,
}

/// Finds the tensors of `file`, a safetensors file or one of PyTorch.
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
