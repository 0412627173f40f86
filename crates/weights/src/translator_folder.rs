//! Opens a translator's folder on disk: one of ours, or one as a hub has it.

use super::error::WeightsError;
use super::index::Index;
use super::manifest::Manifest;
use super::source::SourceError;
use super::source_file::FileSource;
use super::translator_files::{WeightsFile, is_index, layout, load_translator};
use burn::tensor::Device;
use std::path::Path;
use tuppum_nn::byt5::{ByT5, ByT5Config};
use tuppum_nn::yielding::Yield;

/// Opens a folder with a `config.json` and weights in one of the layouts of
/// [`LAYOUTS`](super::translator_files::LAYOUTS): safetensors or PyTorch, in one file or in several with their index.
/// If there is a `manifest.json`, every file that is read is checked against it.
///
/// # Errors
/// [`WeightsError`] names the file or tensor that is wrong.
pub async fn open_translator(
    folder: &Path,
    device: &Device,
    on_bytes: impl FnMut(u64, u64),
    yielder: &impl Yield,
) -> Result<ByT5, WeightsError> {
    let manifest = match folder.join("manifest.json").is_file() {
        true => Some(Manifest::from_json(&read(folder, "manifest.json")?)?),
        false => None,
    };
    let entry = |name: &str| manifest.as_ref().map(|manifest| manifest.file(name).cloned()).transpose();
    let short = |name: &str| {
        let bytes = read(folder, name)?;
        entry(name)?.map_or(Ok(()), |entry| entry.verify(&bytes))?;
        Ok::<_, WeightsError>(bytes)
    };
    let config = short("config.json")?;
    let config = ByT5Config::from_json(&config).map_err(|problem| WeightsError::folder("config.json", problem))?;
    let name = layout(|name| folder.join(name).is_file()).map_err(|error| in_folder(folder, error))?;
    let index = if is_index(name) { Some(Index::from_json(name, &short(name)?)?) } else { None };
    let names = index.as_ref().map_or_else(|| vec![name], |index| index.shards().into_iter().collect());
    let mut files = Vec::new();
    for name in names {
        let source = FileSource::open(&folder.join(name))?;
        files.push(WeightsFile { name: name.to_owned(), source, entry: entry(name)? });
    }
    load_translator(&config, &mut files, index.as_ref(), device, on_bytes, yielder).await
}

/// Adds the folder to the error of a missing file.
fn in_folder(folder: &Path, error: WeightsError) -> WeightsError {
    match error {
        WeightsError::Source(SourceError(problem)) => {
            WeightsError::Source(SourceError(format!("{}: {problem}", folder.display())))
        }
        other => other,
    }
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, WeightsError> {
    let path = folder.join(name);
    std::fs::read(&path).map_err(|error| WeightsError::Source(SourceError(format!("{}: {error}", path.display()))))
}
