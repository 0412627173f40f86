//! The start of a training run: a tested device, the base model on it, and the hyperbolic bias that it gets. A copy of
//! a stored model gets or loses its bias in the same way.

use super::trained_model::{TrainedModel, store};
use crate::errors::{self, ModelError, Rejected};
use crate::job::Job;
use crate::models::opening::{self, Candidate, ComputeDevice, Trusted};
use crate::models::restorer::RestorerFiles;
use crate::models::translator_files::{TranslatorFiles, difference, short_row_numbers};
use crate::records::checkpoint::NeededBase;
use crate::storage::fetch;
use crate::storage::folder::beside_the_page;
use burn::tensor::Device;
use tuppum_domain::restoration::training::RestorerTrainingSettings;
use tuppum_domain::translation::bias::BiasSettings;
use tuppum_domain::translation::learns::Learns;
use tuppum_domain::translation::training::TranslatorTrainingPlan;
use tuppum_nn::byt5::{ByT5, ByT5Config, GOLDEN_TOLERANCE, Golden};
use tuppum_nn::torso::Torso;
use tuppum_protocol::{BiasOrder, DevicePreference, Failure, ModelRef, NewModel, Origin, TrainingMemory};
use tuppum_text::tokens::Vocabulary;
use tuppum_train::translator::{bias, fresh};

/// Chosen device, and the reason for it.
pub struct ChosenDevice {
    /// Device that computes.
    pub device: ComputeDevice,
    /// Reason for the choice, in a sentence for the user.
    pub reason: String,
}

impl ChosenDevice {
    fn processor(rejected: &Rejected) -> Self {
        Self { device: ComputeDevice::Cpu, reason: format!("The CPU, because {rejected}.") }
    }
}

/// Returns the graphics device if it computes the same as the processor, else the processor.
///
/// # Errors
/// WebGPU was demanded and cannot be used, or the job was cancelled.
pub async fn device(job: &Job, preference: DevicePreference) -> Result<ChosenDevice, Failure> {
    let gpu = opening::choose(job, preference).await;
    let name = gpu.as_ref().map(|gpu| gpu.name.clone()).unwrap_or_default();
    Ok(match opening::on_gpu(job, &mut SmallModel, gpu, preference).await? {
        Ok(Trusted { device, .. }) => {
            ChosenDevice { device, reason: format!("WebGPU ({name}), which agreed with the CPU on a small new model.") }
        }
        Err(rejected) => ChosenDevice::processor(&rejected),
    })
}

/// Small new model, to test devices with.
struct SmallModel;

impl Candidate for SmallModel {
    type Model = ByT5;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    async fn load(&mut self, _: &Job, device: &Device) -> Result<ByT5, Failure> {
        small(1, device)
    }

    fn golden(&self) -> Option<&Golden> {
        None
    }

    async fn computed(&self, job: &Job, model: &ByT5) -> Result<Golden, ModelError> {
        short_row_numbers(job, model).await
    }

    async fn test(&self, job: &Job, model: &ByT5, golden: Option<&Golden>) -> Result<Option<f32>, ModelError> {
        let Some(golden) = golden else { return Ok(None) };
        difference(job, model, golden).await.map(Some)
    }
}

/// Returns a new small model with a bias.
fn small(seed: u64, device: &Device) -> Result<ByT5, Failure> {
    let config = ByT5Config::named("nano").ok_or_else(|| errors::internal("no size is called nano"))?;
    let mut model = fresh::model(&config, seed, device).map_err(errors::internal)?;
    attach_usual_bias(&mut model, config.num_layers)?;
    Ok(model)
}

/// Opens the model that a run starts from, without the bias that its plan attaches. Also returns the checksum of its
/// weights; a new model has none.
///
/// # Errors
/// The model cannot be opened, or training it does not fit into the engine's memory.
pub async fn open(
    job: &Job,
    base: &ModelRef,
    plan: &TranslatorTrainingPlan,
    chosen: &ChosenDevice,
) -> Result<(ByT5, Option<String>), Failure> {
    if let ModelRef::New(NewModel::Small) = base {
        return match plan.settings.learns() {
            Learns::Whole => Ok((small(plan.settings.seed, &chosen.device.tensors())?, None)),
            Learns::Adapters | Learns::Bias => Err(errors::question(
                "A new model knows nothing yet that LoRA adapters or a bias could build on: train it as a whole.",
            )),
        };
    }
    let mut files = TranslatorFiles::open(job, base, true).await?;
    let memory = TrainingMemory::of_translator(files.config.size(), plan);
    if matches!(chosen.device, ComputeDevice::Cpu) && !memory.fits() {
        return Err(errors::training_too_large(memory.bytes(), plan.settings.optimiser.rule, &chosen.reason));
    }
    Ok((files.load(job, &chosen.device.tensors()).await?, files.checksum()))
}

/// Returns the checksum of the weights that a run would start from; a new model has none.
///
/// # Errors
/// The model cannot be opened.
pub async fn checksum(job: &Job, base: &ModelRef) -> Result<Option<String>, Failure> {
    match base {
        ModelRef::New(_) => Ok(None),
        ModelRef::Shipped(_) | ModelRef::Stored(_) => Ok(TranslatorFiles::open(job, base, true).await?.checksum()),
    }
}

/// Opens the restorer that a run starts from. Also returns its vocabulary and the checksum of its weights. If the
/// graphics device computes wrong numbers, the processor is chosen instead.
///
/// # Errors
/// The restorer cannot be opened, training it does not fit into the engine's memory, or WebGPU was demanded and
/// computes wrong numbers.
pub async fn open_restorer(
    job: &Job,
    base: &ModelRef,
    settings: &RestorerTrainingSettings,
    chosen: &mut ChosenDevice,
    preference: DevicePreference,
) -> Result<(Torso, Vocabulary, Option<String>), Failure> {
    let mut files = RestorerFiles::open(job, base, true).await?;
    let (vocabulary, checksum) = (files.vocabulary()?, files.checksum());
    if let ComputeDevice::Gpu(gpu) = &chosen.device {
        match opening::on_gpu(job, &mut files, Ok(gpu.clone()), preference).await? {
            Ok(trusted) => return Ok((trusted.model, vocabulary, checksum)),
            Err(rejected) => *chosen = ChosenDevice::processor(&rejected),
        }
    }
    let memory = TrainingMemory::of_restorer(files.config.size(), settings);
    if !memory.fits() {
        return Err(errors::restorer_training_too_large(memory.bytes(), settings.optimiser.rule));
    }
    Ok((files.load(job, &chosen.device.tensors()).await?, vocabulary, checksum))
}

/// Opens the model that a run of this name started from, in order to continue the run.
///
/// # Errors
/// The model cannot be opened: it may have been deleted, or another model has its name now.
pub async fn load(job: &Job, run: &str, needed: &NeededBase, device: &Device) -> Result<ByT5, Failure> {
    let mut files = TranslatorFiles::open(job, &needed.base, true).await?;
    needed.check(run, files.checksum().as_deref())?;
    files.load(job, device).await
}

/// Maximum bytes of a file of points: twice those of one over signs. A longer file is not one of points.
const MAX_POINTS_BYTES: usize = 1 << 20;

/// Attaches a new bias over bytes in the first encoder layers, as a new model has it.
pub fn attach_usual_bias(model: &mut ByT5, layers: usize) -> Result<(), Failure> {
    let usual = BiasSettings { layers, curvature: model.config().curvature, ..BiasSettings::default() };
    let points = bias::held(usual.points).ok_or_else(|| errors::internal("the usual points are not held"))?;
    bias::attach(model, &usual, points).map_err(errors::internal)
}

/// Attaches the bias that the user described, replacing the model's own.
///
/// # Errors
/// The bias does not fit the model, or its points cannot be fetched.
pub async fn attach_bias(job: &Job, model: &mut ByT5, described: &BiasSettings) -> Result<(), Failure> {
    let attached = match bias::held(described.points) {
        Some(points) => bias::attach(model, described, points),
        None => {
            let file = format!("assets/{}", described.points.file());
            bias::attach(model, described, &fetch::small(&beside_the_page(&file), MAX_POINTS_BYTES, &job.token).await?)
        }
    };
    attached.map_err(errors::question)
}

/// Stores a copy of a translator with another bias, or without one; all other numbers stay the same.
///
/// # Errors
/// The model cannot be opened or is too large for the CPU, the bias does not fit it, or the browser has no room.
pub async fn store_copy(job: &Job, order: BiasOrder) -> Result<(), Failure> {
    let BiasOrder { model, name, bias } = order;
    if let Some(described) = &bias {
        described.check().map_err(errors::question)?;
    }
    let mut files = TranslatorFiles::open(job, &model, true).await?;
    let too_large = |needed| errors::too_large(needed, "a copy with another bias is made on the CPU");
    files.fits_processor().map_err(too_large)?;
    let mut copy = files.load(job, &Device::flex()).await?;
    match &bias {
        Some(described) => attach_bias(job, &mut copy, described).await?,
        None if copy.detach().is_none() => {
            return Err(errors::question("This model has no hyperbolic bias that could be taken off."));
        }
        None => {}
    }
    store(job, &name, Origin::Copied(model), &TrainedModel::Translator(Box::new(copy))).await
}
