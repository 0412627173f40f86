//! A restorer as files: those of the shipped model's folder, which `tuppum restore` opens. `golden.safetensors` and the
//! card are left out: the first is for devices other than the CPU, the second is written by people.

use super::task::tokens;
use crate::error::TrainError;
use crate::run_file::{Summing, numbers};
use serde::Serialize;
use std::collections::BTreeMap;
use tuppum_nn::torso::Torso;
use tuppum_text::tokens::Vocabulary;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::storage::Sink;
use tuppum_weights::write::{Planned, Writer};
use tuppum_weights::{Checksum, FileEntry, Manifest};

pub const WEIGHTS: &str = "restorer.safetensors";

/// Writes the weights in this precision and returns their entry in the manifest.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read or holds a number that the precision cannot hold.
pub async fn weights(torso: &Torso, dtype: Dtype, sink: &mut impl Sink) -> Result<FileEntry, TrainError> {
    let mut summing = Summing::new(sink);
    let planned = torso.config().tensors().into_iter();
    let planned = planned.map(|spec| Planned { name: spec.name, dtype, shape: spec.shape }).collect();
    let mut writer = Writer::begin(&mut summing, planned, &BTreeMap::new()).await?;
    for (place, tensor) in torso.tensors() {
        let values = numbers(tensor).await?;
        for (spec, own) in place.split(&values) {
            writer.put(&spec.name, &own).await?;
        }
    }
    writer.finish()?;
    Ok(summing.checksum.entry(WEIGHTS))
}

/// Returns the sha256 of a model: of names, shapes and numbers of its tensors, and of its tokens.
///
/// # Errors
/// When a tensor cannot be read.
pub async fn checksum(torso: &Torso, vocabulary: &Vocabulary) -> Result<String, TrainError> {
    let mut checksum = Checksum::default();
    checksum.add(weights(torso, Dtype::F32, &mut ()).await?.sha256.as_bytes());
    checksum.add(&json(&tokens(vocabulary))?);
    Ok(checksum.digits())
}

/// Returns the small files of the folder with their names: size, vocabulary, and last the manifest, which also lists
/// the weights.
///
/// # Errors
/// When a file cannot be written as JSON, which is not known to happen.
pub fn small_files(
    torso: &Torso,
    vocabulary: &Vocabulary,
    weights: FileEntry,
) -> Result<Vec<(&'static str, Vec<u8>)>, TrainError> {
    let mut files = vec![("config.json", json(torso.config())?), ("vocab.json", json(&tokens(vocabulary))?)];
    let mut entries: Vec<FileEntry> = Vec::new();
    for (name, bytes) in &files {
        let mut checksum = Checksum::default();
        checksum.add(bytes);
        entries.push(checksum.entry(name));
    }
    entries.push(weights);
    files.push(("manifest.json", json(&Manifest::of_restorer(entries))?));
    Ok(files)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, TrainError> {
    let unwritten = |error: serde_json::Error| TrainError::unwritten("a file of the model", &error);
    let mut bytes = serde_json::to_vec_pretty(value).map_err(unwritten)?;
    bytes.push(b'\n');
    Ok(bytes)
}
