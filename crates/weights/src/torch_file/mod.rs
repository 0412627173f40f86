//! `pytorch_model.bin`: finds the tensors of a file that `torch.save` wrote, without running what is in it.
//!
//! The file is a zip archive of stored (uncompressed) entries: `NAME/data.pkl`, a pickle that describes the tensors,
//! and `NAME/data/0`, `NAME/data/1` … with their numbers. A pickle is a program, and Python's reader runs it; this
//! reader knows a few harmless instructions and three names ([`pickle`]) and refuses everything else. The result is a
//! list of [`TensorInfo`] as for a safetensors file, so the numbers stay in the file until they are needed.
//!
//! Based on the sources of PyTorch: `torch/serialization.py`, `caffe2/serialize/inline_container.cc`.

mod pickle;
mod tensors;
mod zip;

use super::error::WeightsError;
use super::safetensors::{LONGEST_HEADER, TensorInfo};
use super::storage::Source;
use zip::Entry;

/// First bytes of a zip archive.
const ZIP: &[u8] = b"PK\x03\x04";
/// First bytes of files from before PyTorch 1.6: a pickle of the number 0x1950a86a20f9469cfc6c.
const LEGACY: &[u8] = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

/// Returns `true` if a file that begins with these bytes is a PyTorch file, of the present or of the old format.
pub fn is_torch(first: &[u8]) -> bool {
    first.starts_with(ZIP) || first.starts_with(LEGACY)
}

/// Returns the tensors of the file in the order of their data. Names that share their numbers (`shared.weight` and
/// `encoder.embed_tokens.weight`) are all listed, with the same offset.
///
/// # Errors
/// [`WeightsError::Torch`] says what is malformed, refused or unknown; [`WeightsError::Tensor`] names the tensor.
pub async fn read(file: &str, source: &mut impl Source) -> Result<Vec<TensorInfo>, WeightsError> {
    let first = source.read(0, source.length().min(LEGACY.len() as u64) as usize).await?;
    if first.starts_with(LEGACY) {
        return Err(WeightsError::torch(format!(
            "{file} is of the format before PyTorch 1.6, one pickle without an archive"
        )));
    }
    if !first.starts_with(ZIP) {
        return Err(WeightsError::torch(format!("{file} is no archive of PyTorch")));
    }
    let entries = zip::entries(file, source).await?;
    let (folder, pickle) = described(&entries)?;
    if let Some(order) = entries.iter().find(|entry| entry.name == format!("{folder}byteorder")) {
        let order = source.read(order.offset, order.bytes.min(8) as usize).await?;
        if order != b"little" {
            let order = String::from_utf8_lossy(&order);
            return Err(WeightsError::torch(format!(
                "its numbers are in {order}-endian order; only little-endian is read"
            )));
        }
    }
    if pickle.bytes > LONGEST_HEADER {
        return Err(WeightsError::torch(format!("its data.pkl claims {} bytes", pickle.bytes)));
    }
    let pickle = pickle::read(&source.read(pickle.offset, pickle.bytes as usize).await?)?;
    tensors::list(&pickle, &folder, &entries)
}

/// Returns the folder inside the archive, with its `/`, and the entry of the pickle.
fn described(entries: &[Entry]) -> Result<(String, &Entry), WeightsError> {
    let mut found = entries.iter().filter_map(|entry| {
        let folder = entry.name.strip_suffix("data.pkl")?;
        (folder.is_empty() || folder.ends_with('/')).then(|| (folder.to_string(), entry))
    });
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(WeightsError::torch("the archive has no data.pkl, so PyTorch did not write it")),
        (Some(_), Some(_)) => Err(WeightsError::torch("the archive has two data.pkl")),
    }
}

#[cfg(test)]
#[path = "torch_file_tests.rs"]
mod tests;
