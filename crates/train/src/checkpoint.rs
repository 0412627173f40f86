//! A run in one file: weights, moments, plan and curve as a safetensors file whose last tensor is a checksum. A run
//! that continues from the file makes the same steps as one that was never interrupted.
//!
//! Weights and moments have the names and the order of the weights file, moments with the prefixes `first.` and
//! `second.`; adapters follow, then the tensors of Adafactor and Muon. Everything else is JSON, as described in
//! [`run_file`].

use crate::error::TrainError;
use crate::optimiser::{Optimiser, REMEMBERED};
use crate::run_file::{self, MOMENTS, Reader, Summing, numbers, of_place, put};
use crate::task::TrainingTask;
use crate::trainer::Trainer;
use crate::update_rules::{SquareMeans, TensorMoments};
use burn::tensor::{Device, Tensor};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tuppum_domain::training::OptimiserRule;
use tuppum_domain::translation::training::Step;
use tuppum_nn::parameters::ParameterSpec;
use tuppum_weights::Source;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::storage::Sink;
use tuppum_weights::write::{Planned, Writer};

/// Version of the file's layout; raised when an older program could not read it.
const FORMAT: u32 = 1;
/// Version of a run with another optimiser than AdamW: an older program that knows AdamW only must not continue it.
const FORMAT_OF_OTHERS: u32 = 2;

/// Task whose run can be written to a file and read back.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait CheckpointTask: TrainingTask<Validation: Serialize + DeserializeOwned> {
    /// Group of tensors that train together.
    type Group;
    /// Description of model and plan in the file.
    type Description: Serialize + DeserializeOwned;
    /// Model that a run may need beside its file to continue.
    type Base;

    /// Returns the description of model and plan, in the order of the file.
    fn description(&self) -> Self::Description;

    /// Returns all tensors of the model.
    fn tensors(&self) -> Vec<(ParameterSpec<Self::Group>, Tensor<2>)>;

    /// Returns `true` if the file stores this tensor of the model. All are stored unless the base provides them.
    fn is_stored(&self, place: &ParameterSpec<Self::Group>) -> bool {
        let _ = place;
        true
    }

    /// Returns the adapters, which train beside the tensors of the model, with their names.
    fn adapters(&self) -> Vec<(String, Tensor<2>)> {
        Vec::new()
    }

    /// Returns further tensors of the task to store; no tensor of the model and no moment may have their names.
    fn kept(&self) -> Vec<(String, Tensor<2>)> {
        Vec::new()
    }

    /// Reads the task with the weights of a file.
    ///
    /// # Errors
    /// Says which tensor is missing or misshapen, or what is wrong with the plan or the base.
    async fn read<S: Source>(
        reader: &mut Reader<'_, S>,
        description: Self::Description,
        base: Option<&Self::Base>,
        device: &Device,
    ) -> Result<Self, TrainError>;
}

/// State of a run without its tensors, for writing.
#[derive(Serialize)]
struct State<'t, D, V> {
    format: u32,
    #[serde(flatten)]
    description: D,
    curve: &'t [Step],
    validations: &'t [V],
}

/// Progress of a run, stored beside the description.
#[derive(Deserialize)]
struct Progress<V> {
    format: u32,
    curve: Vec<Step>,
    validations: Vec<V>,
}

/// Writes a run between two steps.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read from the device.
pub async fn write<T: CheckpointTask>(trainer: &Trainer<T>, sink: &mut impl Sink) -> Result<(), TrainError> {
    let Trainer { task, optimiser, curve, validations, .. } = trainer;
    let format = if task.optimiser_settings().rule == OptimiserRule::AdamW { FORMAT } else { FORMAT_OF_OTHERS };
    let state = run_file::json(&State { format, description: task.description(), curve, validations })?;
    let (tensors, adapters, moments) = (task.tensors(), task.adapters(), &optimiser.moments);
    let beside = [task.kept(), optimiser.remembered()].concat();
    let mut summing = Summing::new(sink);
    let plan = planned(task, &state, &tensors, &adapters, moments, &beside);
    let mut writer = Writer::begin(&mut summing, run_file::with_checksum(plan), &BTreeMap::new()).await?;
    writer.put_bytes(run_file::STATE, &state).await?;
    for (place, tensor) in tensors.iter().filter(|(place, _)| task.is_stored(place)) {
        put(&mut writer, place, "", tensor.clone()).await?;
    }
    for (place, _) in &tensors {
        if let Some(TensorMoments { first, second }) = moments.get(&place.name) {
            put(&mut writer, place, MOMENTS[0], first.clone()).await?;
            // A point has one second moment, which is written in every column.
            put(&mut writer, place, MOMENTS[1], second.clone().expand(first.shape())).await?;
        }
    }
    for (name, tensor) in &adapters {
        if let Some(TensorMoments { first, second }) = moments.get(name) {
            for (prefix, moment) in MOMENTS.iter().zip([first, second]) {
                writer.put(&format!("{prefix}{name}"), &numbers(moment.clone()).await?).await?;
            }
        }
        writer.put(name, &numbers(tensor.clone()).await?).await?;
    }
    for (name, tensor) in &beside {
        writer.put(name, &numbers(tensor.clone()).await?).await?;
    }
    run_file::finish(writer).await
}

/// Returns the tensors of the file in order, without the checksum.
fn planned<T: CheckpointTask>(
    task: &T,
    state: &[u8],
    tensors: &[(ParameterSpec<T::Group>, Tensor<2>)],
    adapters: &[(String, Tensor<2>)],
    moments: &BTreeMap<String, TensorMoments>,
    beside: &[(String, Tensor<2>)],
) -> Vec<Planned> {
    let mut plan = vec![run_file::of_state(state)];
    let stored = tensors.iter().filter(|(place, _)| task.is_stored(place));
    plan.extend(stored.flat_map(|(place, _)| of_place(place, "")));
    for (place, _) in tensors.iter().filter(|(place, _)| moments.contains_key(&place.name)) {
        plan.extend(MOMENTS.iter().flat_map(|prefix| of_place(place, prefix)));
    }
    let of = |prefix: &str, name: &str, tensor: &Tensor<2>| Planned {
        name: format!("{prefix}{name}"),
        dtype: Dtype::F32,
        shape: tensor.dims().to_vec(),
    };
    for (name, tensor) in adapters {
        if moments.contains_key(name) {
            plan.extend(MOMENTS.map(|prefix| of(prefix, name, tensor)));
        }
        plan.push(of("", name, tensor));
    }
    plan.extend(beside.iter().map(|(name, tensor)| of("", name, tensor)));
    plan
}

/// Reads a run that [`write`] wrote. `name` is the file's name in errors; `base` is the model that the run began with,
/// which some tasks need.
///
/// # Errors
/// [`TrainError::Weights`] for a file that is truncated, altered, or of another kind; [`TrainError::Plan`] when its
/// plan is impossible, or `base` does not fit it.
pub async fn read<T: CheckpointTask>(
    name: &str,
    source: &mut impl Source,
    device: &Device,
    base: Option<&T::Base>,
) -> Result<Trainer<T>, TrainError> {
    let device = &device.clone().without_autodiff();
    let mut reader = Reader::open(name, source).await?;
    let state = reader.state().await?;
    let Progress { format, curve, validations } = reader.parsed(&state)?;
    if ![FORMAT, FORMAT_OF_OTHERS].contains(&format) {
        return Err(reader.wrong(format!("its format is {format}; this version reads {FORMAT} and {FORMAT_OF_OTHERS}")));
    }
    let description = reader.parsed(&state)?;
    let mut trainer = Trainer::begin(T::read(&mut reader, description, base, device).await?);
    for (place, _) in trainer.task.tensors() {
        remember(&mut reader, &place.name, place.shape(), device, &mut trainer.optimiser).await?;
        if let Some(moments) = reader.moments(&place, device).await? {
            trainer.optimiser.moments.insert(place.name, moments);
        }
    }
    for (name, tensor) in trainer.task.adapters() {
        remember(&mut reader, &name, tensor.dims(), device, &mut trainer.optimiser).await?;
        if let Some(moments) = adapter_moments(&mut reader, &name, tensor.dims(), device).await? {
            trainer.optimiser.moments.insert(name, moments);
        }
    }
    if curve.len() as u32 > trainer.steps() {
        return Err(reader.wrong(format!("it has {} steps of {}", curve.len(), trainer.steps())));
    }
    (trainer.curve, trainer.validations) = (curve, validations);
    Ok(trainer)
}

/// Reads the tensors that [`Optimiser::remembered`] returned for this tensor, if the file has them.
async fn remember<S: Source>(
    reader: &mut Reader<'_, S>,
    name: &str,
    shape: [usize; 2],
    device: &Device,
    optimiser: &mut Optimiser,
) -> Result<(), TrainError> {
    let [rows, columns, momentum] = REMEMBERED.map(|prefix| format!("{prefix}{name}"));
    let rows = reader.shaped(&rows, [shape[0], 1], device).await?;
    if let (Some(rows), Some(columns)) = (rows, reader.shaped(&columns, [1, shape[1]], device).await?) {
        optimiser.means.insert(name.to_owned(), SquareMeans { rows, columns });
    }
    if let Some(momentum) = reader.shaped(&momentum, shape, device).await? {
        optimiser.momenta.insert(name.to_owned(), momentum);
    }
    Ok(())
}

/// Reads the moments of an adapter, if the file has them.
async fn adapter_moments<S: Source>(
    reader: &mut Reader<'_, S>,
    name: &str,
    shape: [usize; 2],
    device: &Device,
) -> Result<Option<TensorMoments>, TrainError> {
    let [first, second] = MOMENTS.map(|prefix| format!("{prefix}{name}"));
    let (first, second) = (reader.shaped(&first, shape, device).await?, reader.shaped(&second, shape, device).await?);
    Ok(first.zip(second).map(|(first, second)| TensorMoments { first, second }))
}
