//! The files that hold a translator's weights, whatever the layout: finding them, and loading all of them into one
//! model.

use super::error::WeightsError;
use super::index::Index;
use super::manifest::{Checksum, FileEntry};
use super::storage::{Source, SourceError};
use super::tensors::{self, Tensors};
use super::translator::ByT5Loader;
use burn::tensor::Device;
use tuppum_nn::byt5::{ByT5, ByT5Config};
use tuppum_nn::yielding::Yield;

/// Names of files of weights and of indices, in order of preference.
pub const LAYOUTS: [&str; 5] = [
    "translator.safetensors",
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
];

/// Number of bytes read at once where a file is read only for its checksum.
const PIECE_BYTES: u64 = 4 << 20;

/// Returns `true` if a file of this name is an index of several files.
pub fn is_index(name: &str) -> bool {
    name.ends_with(".index.json")
}

/// Returns the first of [`LAYOUTS`] that exists.
///
/// # Errors
/// Lists the names that were tried.
pub fn layout(is_there: impl Fn(&str) -> bool) -> Result<&'static str, WeightsError> {
    LAYOUTS.into_iter().find(|name| is_there(name)).ok_or_else(|| {
        let message = format!("there are no weights; one of these is looked for: {}", LAYOUTS.join(", "));
        WeightsError::Source(SourceError(message))
    })
}

/// File of weights.
#[derive(Clone, Debug)]
pub struct WeightsFile<S> {
    /// Name of the file.
    pub name: String,
    /// Bytes of the file.
    pub source: S,
    /// Length and checksum of the file, if known.
    pub entry: Option<FileEntry>,
}

/// Reads a ByT5 of this size from all its files, tensor by tensor. Every file is read once from front to back. A known
/// checksum is computed on the way, or, for a PyTorch file, whose tensors leave gaps, in a pass of its own beforehand.
///
/// # Errors
/// Says which tensor is missing, unknown or misshapen, or which file is truncated or altered.
pub async fn load_translator<S: Source>(
    config: &ByT5Config,
    files: &mut [WeightsFile<S>],
    index: Option<&Index>,
    device: &Device,
    mut on_bytes: impl FnMut(u64, u64),
    yielder: &impl Yield,
) -> Result<ByT5, WeightsError> {
    let tables = tables(files, index).await?;
    let mut loader = loader(config, &tables, device)?;
    for (table, file) in tables.iter().zip(files) {
        let WeightsFile { source, entry, .. } = file;
        let Some(entry) = entry else {
            loader.read(&table.list, source, None, &mut on_bytes, yielder).await?;
            continue;
        };
        if table.first.is_empty() {
            checksum(source, yielder).await?.verify(entry)?;
            loader.read(&table.list, source, None, &mut on_bytes, yielder).await?;
        } else {
            let mut checksum = Checksum::default();
            checksum.add(&table.first);
            loader.read(&table.list, source, Some(&mut checksum), &mut on_bytes, yielder).await?;
            checksum.verify(entry)?;
        }
    }
    loader.finish()
}

/// Reads a ByT5 of this size from one file. If its entry of the manifest is given, the checksum is compared.
///
/// # Errors
/// Says which tensor is missing, unknown or misshapen, or that the file is truncated or altered.
pub async fn load_byt5(
    config: &ByT5Config,
    source: &mut impl Source,
    entry: Option<&FileEntry>,
    device: &Device,
    on_bytes: impl FnMut(u64, u64),
    yielder: &impl Yield,
) -> Result<ByT5, WeightsError> {
    let name = entry.map_or_else(|| "the weights file".to_owned(), |entry| entry.name.clone());
    let mut files = [WeightsFile { name, source, entry: entry.cloned() }];
    load_translator(config, &mut files, None, device, on_bytes, yielder).await
}

/// Checks that these files hold a ByT5 of this size, without reading its numbers.
///
/// # Errors
/// As for [`load_translator`].
pub async fn check_translator<S: Source>(
    config: &ByT5Config,
    files: &mut [WeightsFile<S>],
    index: Option<&Index>,
) -> Result<(), WeightsError> {
    let tables = tables(files, index).await?;
    loader(config, &tables, &Device::flex()).map(drop)
}

/// Returns the tensors of every file.
async fn tables<S: Source>(files: &mut [WeightsFile<S>], index: Option<&Index>) -> Result<Vec<Tensors>, WeightsError> {
    let mut tables = Vec::with_capacity(files.len());
    for WeightsFile { name, source, entry } in files {
        let found = source.length();
        if let Some(entry) = entry.as_ref().filter(|entry| entry.bytes != found) {
            return Err(WeightsError::Length { file: name.clone(), found, expected: entry.bytes });
        }
        let table = tensors::read(name, source).await?;
        if let Some(index) = index {
            index.check(name, &table.list)?;
        }
        tables.push(table);
    }
    Ok(tables)
}

fn loader(config: &ByT5Config, tables: &[Tensors], device: &Device) -> Result<ByT5Loader, WeightsError> {
    let lists: Vec<_> = tables.iter().map(|table| table.list.as_slice()).collect();
    ByT5Loader::new(config, &lists, device)
}

/// Computes the checksum of a whole file, read piece by piece.
async fn checksum(source: &mut impl Source, yielder: &impl Yield) -> Result<Checksum, WeightsError> {
    let (mut checksum, length, mut at) = (Checksum::default(), source.length(), 0);
    while at < length {
        let piece = PIECE_BYTES.min(length - at);
        checksum.add(&source.read(at, piece as usize).await?);
        at += piece;
        yielder.yield_now().await?;
    }
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safetensors_come_before_files_of_pytorch() {
        let check = |names: &[&str], expected: Option<&str>| {
            assert_eq!(layout(|name| names.contains(&name)).ok(), expected, "{names:?}");
        };
        check(&["pytorch_model.bin", "model.safetensors"], Some("model.safetensors"));
        check(&["pytorch_model.bin", "model.safetensors.index.json"], Some("model.safetensors.index.json"));
        check(&["tf_model.h5"], None);
        assert!(is_index("pytorch_model.bin.index.json") && !is_index("pytorch_model.bin"));
    }
}
