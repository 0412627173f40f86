//! A run in one file: weights, moments, plan and curve as a safetensors file, with a checksum as its last tensor. A run that goes on
//! from it makes the same steps as one that was never cut.
//!
//! Weights and moments have the names and the order of Hugging Face's files, the moments behind `first.` and `second.`. Plan, curve
//! and size of the model are JSON, filled up with spaces to whole numbers of 32 bits. The caller sees to it that the file takes the
//! place of an older one at once or not at all. Of a run that trains additions only these are kept and what trains beside them: the
//! model that it began with has to be given again.

use super::additions::Additions;
use super::error::TrainError;
use super::export::numbers;
use super::optimiser::Moments;
use super::trainer::Trainer;
use crate::model::byt5::{ByT5, ByT5Builder, ByT5Config, Place};
use crate::model::translation::training::{Plan, Step, Validation};
use crate::weights::safetensors::{Dtype, Header, floats};
use crate::weights::sink::Sink;
use crate::weights::write::{Planned, Writer};
use crate::weights::{Checksum, Source, SourceError, WeightsError};
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Layout of the file; raised when an older program could not read it.
const FORMAT: u32 = 1;
const STATE: &str = "run.state";
const CHECKSUM: &str = "run.sha256";
/// Digits of a sha256, in bytes.
const DIGITS: usize = 64;
/// Prefixes of the moments.
const MOMENTS: [&str; 2] = ["first.", "second."];
/// Bytes that are read at once for the checksum.
const PIECE: u64 = 4 << 20;

/// All but the tensors.
#[derive(Serialize, Deserialize)]
struct State {
    format: u32,
    config: ByT5Config,
    plan: Plan,
    curve: Vec<Step>,
    validations: Vec<Validation>,
}

/// Hands bytes on and takes their checksum.
struct Summing<'s, S> {
    sink: &'s mut S,
    checksum: Checksum,
}

impl<S: Sink> Sink for Summing<'_, S> {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.checksum.add(bytes);
        self.sink.write(bytes).await
    }
}

/// Writes a run as it is between two steps.
///
/// # Errors
/// When the sink refuses, or a tensor cannot be read from the device.
pub async fn write(trainer: &Trainer, sink: &mut impl Sink) -> Result<(), TrainError> {
    let state = state(trainer)?;
    let model = trainer.model();
    let kept = |place: &Place| trainer.additions.is_none() || place.is_of_bias();
    let factors = || trainer.additions.iter().flat_map(Additions::factors);
    let mut plan = vec![whole_numbers(STATE, state.len())];
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
    let mut summing = Summing { sink, checksum: Checksum::default() };
    let mut writer = Writer::begin(&mut summing, with_checksum(plan), &BTreeMap::new()).await?;
    writer.put_bytes(STATE, &state).await?;
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
    let digits = writer.sink().checksum.clone().digits();
    writer.put_bytes(CHECKSUM, digits.as_bytes()).await?;
    Ok(writer.finish()?)
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
    let (header, _) = Header::read(name, source).await?;
    if header.tensor(STATE).is_none() {
        let problem = "it does not say how far a run had come; it is no checkpoint of a training";
        return Err(WeightsError::Folder { file: name.to_owned(), problem: problem.to_owned() }.into());
    }
    verify(name, &header, source).await?;
    let mut reader = Reader { name, header, source };
    let State { format, config, plan, curve, validations } = reader.state().await?;
    if format != FORMAT {
        let problem = format!("its format is {format}; this version reads {FORMAT}");
        return Err(WeightsError::Folder { file: name.to_owned(), problem }.into());
    }
    let model = match (plan.settings.additions, base) {
        (None, _) => reader.model(&config, device).await?,
        (Some(_), Some(base)) => reader.with_bias(base, &config, device).await?,
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
    reader.additions(&mut trainer, device).await?;
    if curve.len() as u32 > trainer.steps() {
        let problem = format!("it has {} steps of {}", curve.len(), trainer.steps());
        return Err(WeightsError::Folder { file: name.to_owned(), problem }.into());
    }
    (trainer.curve, trainer.validations) = (curve, validations);
    Ok(trainer)
}

/// The JSON, filled up to whole numbers of 32 bits.
fn state(trainer: &Trainer) -> Result<Vec<u8>, TrainError> {
    let mut config = trainer.model.config().clone();
    if let Some(geometry) = trainer.model.geometry() {
        (config.geometry_layers, config.curvature) = (geometry.layers(), geometry.curvature());
    }
    let state = State {
        format: FORMAT,
        config,
        plan: trainer.plan.clone(),
        curve: trainer.curve.clone(),
        validations: trainer.validations.clone(),
    };
    let mut json = serde_json::to_vec(&state)
        .map_err(|error| TrainError::Plan(format!("the state of the run cannot be written: {error}")))?;
    json.resize(json.len().next_multiple_of(4), b' ');
    Ok(json)
}

fn whole_numbers(name: &str, bytes: usize) -> Planned {
    Planned { name: name.to_owned(), dtype: Dtype::I32, shape: vec![bytes / 4] }
}

fn with_checksum(mut plan: Vec<Planned>) -> Vec<Planned> {
    plan.push(whole_numbers(CHECKSUM, DIGITS));
    plan
}

fn of_place(place: &Place, prefix: &str) -> Vec<Planned> {
    let own = |name: &str, shape: &[usize]| Planned {
        name: format!("{prefix}{name}"),
        dtype: Dtype::F32,
        shape: shape.to_vec(),
    };
    place.parts.iter().map(|part| own(&part.name, &part.shape)).collect()
}

async fn put<S: Sink>(
    writer: &mut Writer<'_, S>,
    place: &Place,
    prefix: &str,
    tensor: Tensor<2>,
) -> Result<(), TrainError> {
    let values = numbers(tensor).await?;
    for (part, own) in place.split(&values) {
        writer.put(&format!("{prefix}{}", part.name), &own).await?;
    }
    Ok(())
}

/// Whether the file is the one that was written.
async fn verify(name: &str, header: &Header, source: &mut impl Source) -> Result<(), TrainError> {
    let Some(last) = header.tensor(CHECKSUM).filter(|tensor| tensor.bytes == DIGITS) else {
        let problem = "it has no checksum; it is no checkpoint of a training";
        return Err(WeightsError::Folder { file: name.to_owned(), problem: problem.to_owned() }.into());
    };
    let (mut checksum, mut at) = (Checksum::default(), 0);
    while at < last.offset {
        let piece = PIECE.min(last.offset - at);
        checksum.add(&source.read(at, piece as usize).await?);
        at += piece;
    }
    let expected = String::from_utf8_lossy(&source.read(last.offset, DIGITS).await?).into_owned();
    let found = checksum.digits();
    if found == expected {
        Ok(())
    } else {
        Err(WeightsError::Altered { file: name.to_owned(), found, expected }.into())
    }
}

/// Reads tensor by tensor.
struct Reader<'s, S> {
    name: &'s str,
    header: Header,
    source: &'s mut S,
}

impl<S: Source> Reader<'_, S> {
    async fn state(&mut self) -> Result<State, TrainError> {
        let wrong = |problem: String| WeightsError::Folder { file: self.name.to_owned(), problem };
        let tensor = self.header.tensor(STATE).ok_or_else(|| wrong("it has no state".to_owned()))?;
        let json = self.source.read(tensor.offset, tensor.bytes).await?;
        Ok(serde_json::from_slice(&json).map_err(|error| wrong(format!("its state: {error}")))?)
    }

    async fn model(&mut self, config: &ByT5Config, device: &Device) -> Result<ByT5, TrainError> {
        config.check().map_err(|problem| WeightsError::Folder { file: self.name.to_owned(), problem })?;
        let mut builder = ByT5Builder::new(config.clone(), device.clone());
        let is_weight =
            |name: &str| !name.starts_with("run.") && MOMENTS.iter().all(|prefix| !name.starts_with(prefix));
        let names: Vec<String> = self.header.tensors.iter().map(|tensor| tensor.name.clone()).collect();
        for name in names.into_iter().filter(|name| is_weight(name)) {
            let values = self.values(&name).await?.unwrap_or_default();
            builder.put(&name, values).map_err(WeightsError::Header)?;
        }
        Ok(builder.build().map_err(WeightsError::Header)?)
    }

    /// The model that the run began with, with the bias as the run has it.
    async fn with_bias(&mut self, base: &ByT5, config: &ByT5Config, device: &Device) -> Result<ByT5, TrainError> {
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
            if let Some(kept) = self.joined(&place, "", device).await? {
                value.set(kept, None);
            }
        }
        Ok(model)
    }

    /// The additions of a run and their moments, where it has some.
    async fn additions(&mut self, trainer: &mut Trainer, device: &Device) -> Result<(), TrainError> {
        let Some(additions) = &mut trainer.additions else { return Ok(()) };
        let shapes: Vec<(String, [usize; 2])> = additions.factors().map(|(name, own)| (name, own.dims())).collect();
        for (name, shape) in shapes {
            let values = self.values(&name).await?.unwrap_or_default();
            additions.put(&name, values, device)?;
            let [first, second] = MOMENTS.map(|prefix| format!("{prefix}{name}"));
            if let (Some(first), Some(second)) = (self.values(&first).await?, self.values(&second).await?)
                && [&first, &second].iter().all(|values| values.len() == shape[0] * shape[1])
            {
                let [first, second] =
                    [first, second].map(|values| Tensor::from_data(TensorData::new(values, shape), device));
                trainer.optimiser.moments.insert(name, Moments { first, second });
            }
        }
        trainer.settle();
        Ok(())
    }

    /// The moments of a tensor, where it has some.
    async fn moments(&mut self, place: &Place, device: &Device) -> Result<Option<Moments>, TrainError> {
        let (Some(first), Some(second)) =
            (self.joined(place, MOMENTS[0], device).await?, self.joined(place, MOMENTS[1], device).await?)
        else {
            return Ok(None);
        };
        Ok(Some(Moments { first, second }))
    }

    async fn joined(&mut self, place: &Place, prefix: &str, device: &Device) -> Result<Option<Tensor<2>>, TrainError> {
        let mut all = Vec::new();
        for part in &place.parts {
            let name = format!("{prefix}{}", part.name);
            let Some(values) = self.values(&name).await? else { return Ok(None) };
            if values.len() != part.elements() {
                let problem = format!("has {} numbers instead of {:?}", values.len(), part.shape);
                return Err(WeightsError::Tensor { name, problem }.into());
            }
            all.extend(values);
        }
        Ok(Some(Tensor::from_data(TensorData::new(place.join(&all), place.shape()), device)))
    }

    async fn values(&mut self, name: &str) -> Result<Option<Vec<f32>>, TrainError> {
        let Some(tensor) = self.header.tensor(name) else { return Ok(None) };
        let bytes = self.source.read(tensor.offset, tensor.bytes).await?;
        Ok(Some(floats(tensor, &bytes)?))
    }
}
