//! A run on disk: a safetensors file with every number of model and optimiser, written under another name first and
//! then renamed.

use futures_lite::future::block_on;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use thiserror::Error;
use tuppum_geometry::adam;
use tuppum_hyperbolic::graph::GraphModel;
use tuppum_hyperbolic::graph_training::GraphTrainer;
use tuppum_hyperbolic::graph_training::adam::GraphMoments;
use tuppum_weights::FileSource;
use tuppum_weights::safetensors::{Dtype, Header, floats};
use tuppum_weights::storage::WriteSink;
use tuppum_weights::write::{Planned, Writer};
use tuppum_weights::{Source, SourceError, WeightsError};

/// Progress of a run, beside its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraphProgress {
    /// Number of epochs done.
    pub epoch: u32,
    /// Minutes spent training and measuring.
    pub minutes: f32,
    /// Best mean reciprocal rank on the validation triples so far, in percent.
    pub best: f32,
    /// Epoch after which the best rank was reached.
    pub best_epoch: u32,
}

/// Reason why a run could not be written or read.
#[derive(Debug, Error)]
pub enum GraphCheckpointError {
    /// The file could not be written.
    #[error("{} cannot be written: {error}", .path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// Problem of the file.
        error: WriteProblem,
    },
    /// The file could not be read, or is no safetensors file.
    #[error("{}: {error}", .path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Problem of the file.
        error: WeightsError,
    },
    /// The file holds infinite numbers, or none at all.
    #[error("{}: {part} holds numbers that are not finite; the file is damaged", .path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor.
        part: String,
    },
    /// The file holds a model, but no run.
    #[error("{} is no checkpoint: it does not say how far the run had come", .0.display())]
    NoProgress(PathBuf),
    /// The file is of a run on another graph, or of another size.
    #[error(
        "{} does not fit this graph and these settings: {problem}. Continue with the data and settings that the run \
         began with, or give another folder by --out.",
        .path.display()
    )]
    Unfit {
        /// The file.
        path: PathBuf,
        /// The tensor that does not fit.
        problem: PartProblem,
    },
}

/// Reason why a file could not be written.
#[derive(Debug, Error)]
pub enum WriteProblem {
    /// Error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Error of the sink.
    #[error(transparent)]
    Sink(#[from] SourceError),
    /// Error of the writer of tensors.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// Reason why a tensor does not fit a run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PartProblem {
    /// The tensor has another size.
    #[error("{name} has {found} numbers, not {expected}")]
    Size {
        /// Name of the tensor.
        name: String,
        /// Number of numbers found.
        found: usize,
        /// Number of numbers expected.
        expected: usize,
    },
    /// The tensor is not there.
    #[error("{0} is missing")]
    Missing(String),
}

/// Writes model, optimiser and progress.
///
/// # Errors
/// [`GraphCheckpointError`] names the file.
pub fn write(path: &Path, trainer: &mut GraphTrainer, progress: &GraphProgress) -> Result<(), GraphCheckpointError> {
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
/// [`GraphCheckpointError`] names the file.
pub fn write_model(path: &Path, model: &mut GraphModel) -> Result<(), GraphCheckpointError> {
    let mut parts = Vec::new();
    each_part(model, None, |name, values| parts.push((name, values.clone())));
    write_parts(path, &parts)
}

/// Reads a file of [`write`] into a new run.
///
/// # Errors
/// [`GraphCheckpointError`] names the file: cut off, altered, or of another graph or size.
pub fn read(path: &Path, trainer: &mut GraphTrainer) -> Result<GraphProgress, GraphCheckpointError> {
    let mut found = read_parts(path)?;
    let Some([epoch, steps, minutes, best, best_epoch]) =
        found.remove("run.progress").and_then(|values| <[f32; 5]>::try_from(values).ok())
    else {
        return Err(GraphCheckpointError::NoProgress(path.to_owned()));
    };
    fill(path, &mut found, &mut trainer.model, Some(&mut trainer.moments))?;
    (trainer.epoch, trainer.moments.steps) = (epoch as u32, steps as u32);
    Ok(GraphProgress { epoch: epoch as u32, minutes, best, best_epoch: best_epoch as u32 })
}

/// Reads the numbers of a model from what [`write`] or [`write_model`] wrote.
///
/// # Errors
/// As for [`read`].
pub fn read_model(path: &Path, model: &mut GraphModel) -> Result<(), GraphCheckpointError> {
    fill(path, &mut read_parts(path)?, model, None)
}

/// Calls `on_part` with every list of numbers of a run and its name.
fn each_part(
    model: &mut GraphModel,
    moments: Option<&mut GraphMoments>,
    mut on_part: impl FnMut(String, &mut Vec<f32>),
) {
    let GraphModel { points, transforms, shifts, head_biases, tail_biases, .. } = model;
    let parts = [points, transforms, shifts, head_biases, tail_biases];
    let names = ["points", "transforms", "shifts", "head_biases", "tail_biases"];
    for (name, values) in names.into_iter().zip(parts) {
        on_part(format!("model.{name}"), values);
    }
    if let Some(GraphMoments { points, transforms, shifts, heads, tails, .. }) = moments {
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
    moments: Option<&mut GraphMoments>,
) -> Result<(), GraphCheckpointError> {
    let mut wrong = None;
    each_part(model, moments, |name, values| match found.remove(&name) {
        Some(read) if read.len() == values.len() => *values = read,
        Some(read) => wrong = Some(PartProblem::Size { name, found: read.len(), expected: values.len() }),
        None => wrong = Some(PartProblem::Missing(name)),
    });
    if let Some(problem) = wrong {
        return Err(GraphCheckpointError::Unfit { path: path.to_owned(), problem });
    }
    model.complete();
    Ok(())
}

fn write_parts(path: &Path, parts: &[(String, Vec<f32>)]) -> Result<(), GraphCheckpointError> {
    let fail = |error: WriteProblem| GraphCheckpointError::Unwritten { path: path.to_owned(), error };
    let beside = path.with_extension("unfinished");
    let file = File::create(&beside).map_err(|error| fail(error.into()))?;
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
    .map_err(|error: WeightsError| fail(error.into()))?;
    let file = sink.finish().map_err(|error| fail(error.into()))?;
    let file = file.into_inner().map_err(|error| fail(error.into_error().into()))?;
    file.sync_all().map_err(|error| fail(error.into()))?;
    std::fs::rename(&beside, path).map_err(|error| fail(error.into()))
}

fn read_parts(path: &Path) -> Result<BTreeMap<String, Vec<f32>>, GraphCheckpointError> {
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
    .map_err(|error| GraphCheckpointError::Unread { path: path.to_owned(), error })?;
    match parts.iter().find(|(_, values)| values.iter().any(|value| !value.is_finite())) {
        Some((part, _)) => Err(GraphCheckpointError::NotFinite { path: path.to_owned(), part: part.clone() }),
        None => Ok(parts),
    }
}
