//! Opens a restorer's folder on disk.

use super::error::WeightsError;
use super::load::{load_torso, read_vocabulary};
use super::manifest::Manifest;
use super::source_file::FileSource;
use burn::tensor::Device;
use std::path::Path;
use tuppum_nn::torso::{Torso, TorsoConfig, Yield};
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

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, WeightsError> {
    let path = folder.join(name);
    std::fs::read(&path)
        .map_err(|error| WeightsError::Source(super::SourceError(format!("{}: {error}", path.display()))))
}
