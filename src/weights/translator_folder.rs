//! A translator's folder on disk, opened as a whole: our own, or one as a hub has it.

use super::error::WeightsError;
use super::manifest::Manifest;
use super::safetensors::Header;
use super::source::SourceError;
use super::source_file::FileSource;
use super::translator::{ByT5Loader, load_byt5};
use crate::model::byt5::{ByT5, ByT5Config};
use crate::model::pace::Pace;
use burn::tensor::Device;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names under which weights in one file are looked for.
const WHOLE: [&str; 2] = ["translator.safetensors", "model.safetensors"];
/// Tells which shard holds which tensor.
const INDEX: &str = "model.safetensors.index.json";

/// Opens a folder with a `config.json` and weights in `translator.safetensors`, `model.safetensors` or the shards of a
/// `model.safetensors.index.json`. Where there is a `manifest.json`, `config.json` and weights in one file are checked
/// against it.
///
/// # Errors
/// [`WeightsError`] names the file or tensor that is wrong.
pub async fn open_translator(
    folder: &Path,
    device: &Device,
    mut on_bytes: impl FnMut(u64, u64),
    pace: &impl Pace,
) -> Result<ByT5, WeightsError> {
    let manifest = match folder.join("manifest.json").is_file() {
        true => Some(Manifest::from_json(&read(folder, "manifest.json")?)?),
        false => None,
    };
    let config = read(folder, "config.json")?;
    if let Some(manifest) = &manifest {
        manifest.file("config.json")?.verify(&config)?;
    }
    let config = ByT5Config::from_json(&config).map_err(|problem| WeightsError::folder("config.json", problem))?;
    if let Some(name) = WHOLE.iter().find(|name| folder.join(name).is_file()) {
        let entry = manifest.as_ref().map(|manifest| manifest.file(name)).transpose()?;
        let mut source = FileSource::open(&folder.join(name))?;
        return load_byt5(&config, &mut source, entry, device, on_bytes, pace).await;
    }
    let mut sources = Vec::new();
    for name in shards(folder)? {
        let mut source = FileSource::open(&folder.join(&name))?;
        let (header, _) = Header::read(&name, &mut source).await?;
        sources.push((header, source));
    }
    let headers: Vec<_> = sources.iter().map(|(header, _)| header.tensors.as_slice()).collect();
    let mut loader = ByT5Loader::new(&config, &headers, device)?;
    for (header, source) in &mut sources {
        loader.read(&header.tensors, source, None, &mut on_bytes, pace).await?;
    }
    loader.finish()
}

/// The files that the index names, each once.
fn shards(folder: &Path) -> Result<BTreeSet<String>, WeightsError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    if !folder.join(INDEX).is_file() {
        let expected = [WHOLE[0], WHOLE[1], INDEX].join(", ");
        let message = format!("{} has no weights; one of these is looked for: {expected}", folder.display());
        return Err(WeightsError::Source(SourceError(message)));
    }
    let refuse = |problem: String| WeightsError::folder(INDEX, problem);
    let index: Index = serde_json::from_slice(&read(folder, INDEX)?).map_err(|error| refuse(error.to_string()))?;
    let names: BTreeSet<String> = index.weight_map.into_values().collect();
    match names.iter().find(|name| name.contains(['/', '\\', ':', '\0']) || name.starts_with('.')) {
        Some(name) => Err(refuse(format!("it names {name:?}, which is no plain file name"))),
        None => Ok(names),
    }
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, WeightsError> {
    let path = folder.join(name);
    std::fs::read(&path).map_err(|error| WeightsError::Source(SourceError(format!("{}: {error}", path.display()))))
}
