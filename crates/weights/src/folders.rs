//! Opens the folders of models on disk: a restorer's, and a translator's, ours or as a hub has it.

use super::error::WeightsError;
use super::index::Index;
use super::load::{load_torso, read_vocabulary};
use super::manifest::Manifest;
use super::storage::{FileSource, SourceError};
use super::translator_files::{WeightsFile, is_index, layout, load_translator};
use burn::tensor::Device;
use std::path::Path;
use tuppum_nn::byt5::{ByT5, ByT5Config};
use tuppum_nn::torso::{Torso, TorsoConfig};
use tuppum_nn::yielding::Yield;
use tuppum_text::tokens::Vocabulary;

const MANIFEST: &str = "manifest.json";

/// Restorer: a torso and its tokens.
#[derive(Debug)]
pub struct Model {
    /// Network that computes the logits.
    pub torso: Torso,
    /// Tokens that the logits belong to.
    pub vocabulary: Vocabulary,
}

/// Opens a model folder and checks every file against its manifest, if there is one: a run saved by the page has none.
///
/// # Errors
/// [`WeightsError`] names the file or tensor that is wrong.
pub async fn open_folder(
    folder: &Path,
    device: &Device,
    on_bytes: impl FnMut(u64, u64),
    yielder: &impl Yield,
) -> Result<Model, WeightsError> {
    let manifest = match folder.join(MANIFEST).try_exists() {
        Ok(false) => None,
        _ => Some(Manifest::from_json(&read(folder, MANIFEST)?)?),
    };
    let entry = |name: &str| manifest.as_ref().map(|manifest| manifest.file(name)).transpose();
    let checked = |name: &str| {
        let bytes = read(folder, name)?;
        entry(name)?.map_or(Ok(()), |entry| entry.verify(&bytes))?;
        Ok::<_, WeightsError>(bytes)
    };
    let config = TorsoConfig::from_json(&checked("config.json")?)
        .map_err(|problem| WeightsError::folder("config.json", problem))?;
    let vocabulary = read_vocabulary(&checked("vocab.json")?, &config)?;
    let weights = "restorer.safetensors";
    let mut source = FileSource::open(&folder.join(weights))?;
    let torso = load_torso(&config, &mut source, entry(weights)?, device, on_bytes, yielder).await?;
    Ok(Model { torso, vocabulary })
}

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
    let manifest = match folder.join(MANIFEST).is_file() {
        true => Some(Manifest::from_json(&read(folder, MANIFEST)?)?),
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
