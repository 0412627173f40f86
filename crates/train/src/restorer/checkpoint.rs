//! A run in one file: all weights, the moments of those that train, texts, vocabulary, settings and curve as a safetensors file, with a
//! checksum as its last tensor. A run that goes on from it makes the same steps as one that was never cut.

use super::Trainer;
use super::task::tokens;
use crate::error::TrainError;
use crate::run_file::{self, MOMENTS, Reader, Summing, of_place, put};
use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tuppum_nn::torso::{TorsoBuilder, TorsoConfig};
use tuppum_tasks::restoration::training::{Plan, RestorationValidation, Step};
use tuppum_text::tokens::Vocabulary;
use tuppum_weights::sink::Sink;
use tuppum_weights::write::Writer;
use tuppum_weights::{Source, WeightsError};

/// Layout of the file; raised when an older program could not read it.
const FORMAT: u32 = 1;

/// All but the tensors.
#[derive(Serialize, Deserialize)]
struct State {
    format: u32,
    config: TorsoConfig,
    vocabulary: Vec<String>,
    plan: Plan,
    curve: Vec<Step>,
    validations: Vec<RestorationValidation>,
}

/// Writes a run as it is between two steps.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read from the device.
pub async fn write(trainer: &Trainer, sink: &mut impl Sink) -> Result<(), TrainError> {
    let state = State {
        format: FORMAT,
        config: trainer.task.torso.config().clone(),
        vocabulary: tokens(&trainer.task.vocabulary),
        plan: trainer.task.plan.clone(),
        curve: trainer.curve.clone(),
        validations: trainer.validations.clone(),
    };
    let state = run_file::json(&state)?;
    let tensors = trainer.task.torso.tensors();
    let moments = &trainer.optimiser.moments;
    let mut plan = vec![run_file::of_state(&state)];
    plan.extend(tensors.iter().flat_map(|(place, _)| of_place(place, "")));
    for (place, _) in tensors.iter().filter(|(place, _)| moments.contains_key(&place.name)) {
        plan.extend(MOMENTS.iter().flat_map(|prefix| of_place(place, prefix)));
    }
    let mut summing = Summing::new(sink);
    let mut writer = Writer::begin(&mut summing, run_file::with_checksum(plan), &BTreeMap::new()).await?;
    writer.put_bytes(run_file::STATE, &state).await?;
    for (place, tensor) in &tensors {
        put(&mut writer, place, "", tensor.clone()).await?;
    }
    for (place, _) in &tensors {
        if let Some(own) = moments.get(&place.name) {
            put(&mut writer, place, MOMENTS[0], own.first.clone()).await?;
            put(&mut writer, place, MOMENTS[1], own.second.clone()).await?;
        }
    }
    run_file::finish(writer).await
}

/// Reads a run that [`write`] wrote. `name` is what errors call the file.
///
/// # Errors
/// [`WeightsError`] for a file that is cut off, altered, or of another kind; [`TrainError::Plan`] when its plan is none.
pub async fn read(name: &str, source: &mut impl Source, device: &Device) -> Result<Trainer, TrainError> {
    let device = &device.clone().without_autodiff();
    let mut reader = Reader::open(name, source).await?;
    let State { format, config, vocabulary, plan, curve, validations } = reader.state().await?;
    if format != FORMAT {
        return Err(reader.wrong(format!("its format is {format}; this version reads {FORMAT}")));
    }
    config.check().map_err(|problem| reader.wrong(problem))?;
    let vocabulary = Vocabulary::new(vocabulary).map_err(|problem| reader.wrong(problem))?;
    let mut builder = TorsoBuilder::new(config, device.clone());
    for name in reader.weights() {
        let values = reader.values(&name).await?.unwrap_or_default();
        builder.put(&name, values).map_err(WeightsError::Header)?;
    }
    let torso = builder.build().map_err(WeightsError::Header)?;
    let mut trainer = Trainer::new(&torso, &vocabulary, plan)?;
    for (place, _) in torso.tensors() {
        if let Some(moments) = reader.moments(&place, device).await? {
            trainer.optimiser.moments.insert(place.name, moments);
        }
    }
    if curve.len() as u32 > trainer.steps() {
        return Err(reader.wrong(format!("it has {} steps of {}", curve.len(), trainer.steps())));
    }
    (trainer.curve, trainer.validations) = (curve, validations);
    Ok(trainer)
}
