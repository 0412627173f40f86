//! A run on disk: a safetensors file with every number of model and optimiser, written under another name first.

use super::adam::Moments;
use super::trainer::Trainer;
use crate::graph::GraphModel;
use futures_lite::future::block_on;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use tuppum_geometry::adam;
use tuppum_weights::FileSource;
use tuppum_weights::safetensors::{Dtype, Header, floats};
use tuppum_weights::sink::WriteSink;
use tuppum_weights::write::{Planned, Writer};
use tuppum_weights::{Source, WeightsError};

/// How far a run has come, beside its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Epochs done.
    pub epoch: u32,
    /// Minutes spent training and measuring.
    pub minutes: f32,
    /// Best mean reciprocal rank on the validation triples so far, in percent.
    pub best: f32,
    /// The epoch after which it was reached.
    pub best_epoch: u32,
}

/// Writes model, optimiser and progress.
///
/// # Errors
/// A sentence that names the file.
pub fn write(path: &Path, trainer: &mut Trainer, progress: &Progress) -> Result<(), String> {
    // Whole numbers below 2²⁴ are exact in f32; a run has far fewer epochs and steps.
    let state = [
        progress.epoch as f32,
        trainer.moments.steps as f32,
        progress.minutes,
        progress.best,
        progress.best_epoch as f32,
    ];
    let mut parts: Vec<(String, Vec<f32>)> = vec![("run.progress".into(), state.to_vec())];
    each_part(&mut trainer.model, Some(&mut trainer.moments), |name, values| parts.push((name, values.clone())));
    write_parts(path, &parts)
}

/// Writes the model alone.
///
/// # Errors
/// A sentence that names the file.
pub fn write_model(path: &Path, model: &mut GraphModel) -> Result<(), String> {
    let mut parts = Vec::new();
    each_part(model, None, |name, values| parts.push((name, values.clone())));
    write_parts(path, &parts)
}

/// Reads what [`write`] wrote into a run that begins.
///
/// # Errors
/// A sentence that names the file: cut off, altered, or of another graph or size.
pub fn read(path: &Path, trainer: &mut Trainer) -> Result<Progress, String> {
    let mut found = read_parts(path)?;
    let Some([epoch, steps, minutes, best, best_epoch]) =
        found.remove("run.progress").and_then(|values| <[f32; 5]>::try_from(values).ok())
    else {
        return Err(format!("{} is no checkpoint: it does not say how far the run had come", path.display()));
    };
    fill(path, &mut found, &mut trainer.model, Some(&mut trainer.moments))?;
    (trainer.epoch, trainer.moments.steps) = (epoch as u32, steps as u32);
    Ok(Progress { epoch: epoch as u32, minutes, best, best_epoch: best_epoch as u32 })
}

/// Reads the numbers of a model from what [`write`] or [`write_model`] wrote.
///
/// # Errors
/// As for [`read`].
pub fn read_model(path: &Path, model: &mut GraphModel) -> Result<(), String> {
    fill(path, &mut read_parts(path)?, model, None)
}

/// Every list of numbers of a run, with its name.
fn each_part(model: &mut GraphModel, moments: Option<&mut Moments>, mut on_part: impl FnMut(String, &mut Vec<f32>)) {
    let GraphModel { points, transforms, shifts, head_biases, tail_biases, .. } = model;
    let parts = [points, transforms, shifts, head_biases, tail_biases];
    let names = ["points", "transforms", "shifts", "head_biases", "tail_biases"];
    for (name, values) in names.into_iter().zip(parts) {
        on_part(format!("model.{name}"), values);
    }
    if let Some(Moments { points, transforms, shifts, heads, tails, .. }) = moments {
        for (name, adam::Moments { first, second }) in names.into_iter().zip([points, transforms, shifts, heads, tails])
        {
            on_part(format!("first.{name}"), first);
            on_part(format!("second.{name}"), second);
        }
    }
}

fn fill(
    path: &Path,
    found: &mut BTreeMap<String, Vec<f32>>,
    model: &mut GraphModel,
    moments: Option<&mut Moments>,
) -> Result<(), String> {
    let mut wrong = None;
    each_part(model, moments, |name, values| match found.remove(&name) {
        Some(read) if read.len() == values.len() => *values = read,
        Some(read) => wrong = Some(format!("{name} has {} numbers, not {}", read.len(), values.len())),
        None => wrong = Some(format!("{name} is missing")),
    });
    if let Some(problem) = wrong {
        return Err(format!(
            "{} does not fit this graph and these settings: {problem}. Continue with the data and settings that the run began with, \
             or give another folder by --out.",
            path.display()
        ));
    }
    model.complete();
    Ok(())
}

fn write_parts(path: &Path, parts: &[(String, Vec<f32>)]) -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}", path.display());
    let beside = path.with_extension("unfinished");
    let file = File::create(&beside).map_err(|error| said(&error))?;
    let mut sink = WriteSink::new(beside.display().to_string(), BufWriter::new(file));
    block_on(async {
        let planned = parts.iter().map(|(name, values)| Planned {
            name: name.clone(),
            dtype: Dtype::F32,
            shape: vec![values.len()],
        });
        let mut writer = Writer::begin(&mut sink, planned.collect(), &BTreeMap::new()).await?;
        for (name, values) in parts {
            writer.put(name, values).await?;
        }
        writer.finish()
    })
    .map_err(|error: WeightsError| said(&error))?;
    let file = sink.finish().map_err(|error| said(&error))?.into_inner().map_err(|error| said(&error))?;
    file.sync_all().map_err(|error| said(&error))?;
    std::fs::rename(&beside, path).map_err(|error| said(&error))
}

fn read_parts(path: &Path) -> Result<BTreeMap<String, Vec<f32>>, String> {
    let name = path.display().to_string();
    let mut parts = BTreeMap::new();
    block_on(async {
        let mut source = FileSource::open(path)?;
        let (header, _) = Header::read(&name, &mut source).await?;
        for tensor in &header.tensors {
            let bytes = source.read(tensor.offset, tensor.bytes).await?;
            parts.insert(tensor.name.clone(), floats(tensor, &bytes)?);
        }
        Ok(())
    })
    .map_err(|error: WeightsError| format!("{name}: {error}"))?;
    match parts.iter().find(|(_, values)| values.iter().any(|value| !value.is_finite())) {
        Some((part, _)) => Err(format!("{name}: {part} holds numbers that are not finite; the file is damaged")),
        None => Ok(parts),
    }
}
