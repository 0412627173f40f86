//! A run in one file: weights, moments, plan and curve as a safetensors file, with a checksum as its last tensor. A run that goes on
//! from it makes the same steps as one that was never cut.
//!
//! Weights and moments have the names and the order of Hugging Face's files, the moments behind `first.` and `second.`. Plan, curve
//! and size of the model are JSON, filled up with spaces to whole numbers of 32 bits. The caller sees to it that the file takes the
//! place of an older one at once or not at all. Of a run that trains additions only these are kept and what trains beside them: the
//! model that it began with has to be given again.

use super::Trainer;
use super::adapters::LoraAdapters;
use crate::error::TrainError;
use crate::optimiser::Moments;
use crate::run_file::{self, MOMENTS, Reader, Summing, numbers, of_place, put};
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tuppum_nn::byt5::{ByT5, ByT5Builder, ByT5Config, Place};
use tuppum_tasks::translation::training::{Plan, Step, Validation};
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::sink::Sink;
use tuppum_weights::write::{Planned, Writer};
use tuppum_weights::{Source, WeightsError};

/// Layout of the file; raised when an older program could not read it.
const FORMAT: u32 = 1;

/// All but the tensors.
#[derive(Serialize, Deserialize)]
struct State {
    format: u32,
    config: ByT5Config,
    plan: Plan,
    curve: Vec<Step>,
    validations: Vec<Validation>,
}

/// Writes a run as it is between two steps.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read from the device.
pub async fn write(trainer: &Trainer, sink: &mut impl Sink) -> Result<(), TrainError> {
    let state = state(trainer)?;
    let model = trainer.model();
    let kept = |place: &Place| trainer.task.adapters.is_none() || place.is_of_bias();
    let factors = || trainer.task.adapters.iter().flat_map(LoraAdapters::factors);
    let mut plan = vec![run_file::of_state(&state)];
    let own = model.tensors().into_iter().filter(|(place, _)| kept(place));
    plan.extend(own.flat_map(|(place, _)| of_place(&place, "")));
    for (place, _) in model.tensors() {
        if trainer.optimiser.moments.contains_key(&place.name) {
            plan.extend(MOMENTS.iter().flat_map(|prefix| of_place(&place, prefix)));
        }
    }
    let numbers_of =
        |name: String, tensor: &Tensor<2>| Planned { name, dtype: Dtype::F32, shape: tensor.dims().to_vec() };
    for (name, tensor) in factors() {
        if trainer.optimiser.moments.contains_key(&name) {
            plan.extend(MOMENTS.iter().map(|prefix| numbers_of(format!("{prefix}{name}"), tensor)));
        }
        plan.push(numbers_of(name, tensor));
    }
    let mut summing = Summing::new(sink);
    let mut writer = Writer::begin(&mut summing, run_file::with_checksum(plan), &BTreeMap::new()).await?;
    writer.put_bytes(run_file::STATE, &state).await?;
    for (place, tensor) in model.tensors().into_iter().filter(|(place, _)| kept(place)) {
        put(&mut writer, &place, "", tensor).await?;
    }
    for (place, _) in model.tensors() {
        if let Some(Moments { first, second }) = trainer.optimiser.moments.get(&place.name) {
            put(&mut writer, &place, MOMENTS[0], first.clone()).await?;
            put(&mut writer, &place, MOMENTS[1], second.clone()).await?;
        }
    }
    for (name, tensor) in factors() {
        if let Some(Moments { first, second }) = trainer.optimiser.moments.get(&name) {
            for (prefix, moment) in MOMENTS.iter().zip([first, second]) {
                writer.put(&format!("{prefix}{name}"), &numbers(moment.clone()).await?).await?;
            }
        }
        writer.put(&name, &numbers(tensor.clone()).await?).await?;
    }
    run_file::finish(writer).await
}

/// Reads a run that [`write`] wrote. `name` is what errors call the file; `base` is the model that the run began with, which only
/// a run of additions asks for.
///
/// # Errors
/// [`WeightsError`] for a file that is cut off, altered, or of another kind; [`TrainError::Plan`] when its plan is none, or a run
/// of additions is given no base or one of another size.
pub async fn read(
    name: &str,
    source: &mut impl Source,
    device: &Device,
    base: Option<&ByT5>,
) -> Result<Trainer, TrainError> {
    let device = &device.clone().without_autodiff();
    let mut reader = Reader::open(name, source).await?;
    let State { format, config, plan, curve, validations } = reader.state().await?;
    if format != FORMAT {
        return Err(reader.wrong(format!("its format is {format}; this version reads {FORMAT}")));
    }
    let model = match (plan.settings.additions, base) {
        (None, _) => whole(&mut reader, &config, device).await?,
        (Some(_), Some(base)) => with_bias(&mut reader, base, &config, device).await?,
        (Some(_), None) => {
            let problem = "the run trains additions to a model; that model has to be given to go on with it";
            return Err(TrainError::Plan(problem.to_owned()));
        }
    };
    let mut trainer = Trainer::new(&model, plan)?;
    for (place, _) in model.tensors() {
        if let Some(moments) = reader.moments(&place, device).await? {
            trainer.optimiser.moments.insert(place.name, moments);
        }
    }
    additions(&mut reader, &mut trainer, device).await?;
    if curve.len() as u32 > trainer.steps() {
        return Err(reader.wrong(format!("it has {} steps of {}", curve.len(), trainer.steps())));
    }
    (trainer.curve, trainer.validations) = (curve, validations);
    Ok(trainer)
}

/// The JSON, filled up to whole numbers of 32 bits.
fn state(trainer: &Trainer) -> Result<Vec<u8>, TrainError> {
    let mut config = trainer.task.model.config().clone();
    if let Some(geometry) = trainer.task.model.geometry() {
        (config.geometry_layers, config.curvature) = (geometry.layers(), geometry.curvature());
    }
    let state = State {
        format: FORMAT,
        config,
        plan: trainer.task.plan.clone(),
        curve: trainer.curve.clone(),
        validations: trainer.validations.clone(),
    };
    run_file::json(&state)
}

/// The model that the run trains.
async fn whole<S: Source>(
    reader: &mut Reader<'_, S>,
    config: &ByT5Config,
    device: &Device,
) -> Result<ByT5, TrainError> {
    config.check().map_err(|problem| reader.wrong(problem))?;
    let mut builder = ByT5Builder::new(config.clone(), device.clone());
    for name in reader.weights() {
        let values = reader.values(&name).await?.unwrap_or_default();
        builder.put(&name, values).map_err(WeightsError::Header)?;
    }
    Ok(builder.build().map_err(WeightsError::Header)?)
}

/// The model that the run began with, with the bias as the run has it.
async fn with_bias<S: Source>(
    reader: &mut Reader<'_, S>,
    base: &ByT5,
    config: &ByT5Config,
    device: &Device,
) -> Result<ByT5, TrainError> {
    let size = |config: &ByT5Config| ByT5Config { geometry_layers: 0, curvature: 1.0, ..config.clone() };
    if size(base.config()) != size(config) {
        let problem = "the model that was given is not of the size of the one that the run began with";
        return Err(TrainError::Plan(problem.to_owned()));
    }
    let mut model = base.clone();
    if let Some(geometry) = model.detach() {
        model.attach(geometry.with_layers(config.geometry_layers));
    }
    for (place, mut value) in model.parameters_mut().into_iter().filter(|(place, _)| place.is_of_bias()) {
        if let Some(kept) = reader.joined(&place, "", device).await? {
            value.set(kept, None);
        }
    }
    Ok(model)
}

/// Reads the additions of a run and their moments, where it has some.
async fn additions<S: Source>(
    reader: &mut Reader<'_, S>,
    trainer: &mut Trainer,
    device: &Device,
) -> Result<(), TrainError> {
    let Some(additions) = &mut trainer.task.adapters else { return Ok(()) };
    let shapes: Vec<(String, [usize; 2])> = additions.factors().map(|(name, own)| (name, own.dims())).collect();
    for (name, shape) in shapes {
        let values = reader.values(&name).await?.unwrap_or_default();
        additions.put(&name, values, device)?;
        let [first, second] = MOMENTS.map(|prefix| format!("{prefix}{name}"));
        if let (Some(first), Some(second)) = (reader.values(&first).await?, reader.values(&second).await?)
            && [&first, &second].iter().all(|values| values.len() == shape[0] * shape[1])
        {
            let [first, second] =
                [first, second].map(|values| Tensor::from_data(TensorData::new(values, shape), device));
            trainer.optimiser.moments.insert(name, Moments { first, second });
        }
    }
    trainer.task.settle();
    Ok(())
}
