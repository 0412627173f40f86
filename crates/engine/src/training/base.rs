//! Where a run begins: a device that can be trusted, and a model on it.

use super::bias;
use crate::compute::ComputeDevice;
use crate::errors::{self, ModelError};
use crate::job::Job;
use crate::opening::{self, Candidate, Rejected, Trusted};
use crate::restorer_files::RestorerFiles;
use crate::translator_files::{SHORT_ROW, TranslatorFiles};
use burn::tensor::Device;
use tuppum_nn::byt5::{ByT5, ByT5Config, GOLDEN_TOLERANCE, Golden, SourceRow, computed, self_test};
use tuppum_nn::torso::Torso;
use tuppum_protocol::{DevicePreference, Failure, ModelRef, NewModel, TrainingMemory};
use tuppum_tasks::restoration::training::RestorerTrainingSettings;
use tuppum_tasks::translation::learns::Learns;
use tuppum_tasks::translation::training::TranslatorTrainingPlan;
use tuppum_text::bytes;
use tuppum_text::tokens::Vocabulary;
use tuppum_train::translator::fresh;

/// A device, and why it.
pub struct Chosen {
    /// Device that computes.
    pub device: ComputeDevice,
    /// Why this device was chosen, in a sentence for the user.
    pub reason: String,
}

impl Chosen {
    fn processor(rejected: &Rejected) -> Self {
        Self { device: ComputeDevice::Cpu, reason: format!("The CPU, because {rejected}.") }
    }
}

/// The graphics device if it computes what the processor does, else the processor.
///
/// # Errors
/// WebGPU was demanded and cannot be used, or the job was cancelled.
pub async fn device(job: &Job, preference: DevicePreference) -> Result<Chosen, Failure> {
    let gpu = opening::choose(job, preference).await;
    let name = gpu.as_ref().map(|gpu| gpu.name.clone()).unwrap_or_default();
    Ok(match opening::on_gpu(job, &mut SmallModel, gpu, preference).await? {
        Ok(Trusted { device, .. }) => {
            Chosen { device, reason: format!("WebGPU ({name}), which agreed with the CPU on a small new model.") }
        }
        Err(rejected) => Chosen::processor(&rejected),
    })
}

/// A small new model, to try devices with.
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
        let target = [vec![model.config().decoder_start_token_id], bytes::encode(SHORT_ROW.1)].concat();
        Ok(computed(model, SourceRow::of_text(SHORT_ROW.0), target, &job.yielder()).await?)
    }

    async fn test(&self, job: &Job, model: &ByT5, golden: Option<&Golden>) -> Result<Option<f32>, ModelError> {
        let Some(golden) = golden else { return Ok(None) };
        let [states, logits] = self_test(model, golden, &job.yielder()).await?;
        Ok(Some(states.max(logits)))
    }
}

/// A new small model with a bias.
fn small(seed: u64, device: &Device) -> Result<ByT5, Failure> {
    let config = ByT5Config::named("nano").ok_or_else(|| errors::internal("no size is called nano"))?;
    let mut model = fresh::model(&config, seed, device).map_err(errors::internal)?;
    bias::attach_usual(&mut model, config.num_layers)?;
    Ok(model)
}

/// The model that a run begins with, without the bias that its plan attaches, and the checksum of its weights; a new
/// one has none.
///
/// # Errors
/// It cannot be opened, or training it does not fit into the engine's memory.
pub async fn open(
    job: &Job,
    base: &ModelRef,
    plan: &TranslatorTrainingPlan,
    chosen: &Chosen,
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

/// Checksum of the weights that a run would begin with; a new model has none.
///
/// # Errors
/// The model cannot be opened.
pub async fn checksum(job: &Job, base: &ModelRef) -> Result<Option<String>, Failure> {
    match base {
        ModelRef::New(_) => Ok(None),
        ModelRef::Shipped(_) | ModelRef::Stored(_) => Ok(TranslatorFiles::open(job, base, true).await?.checksum()),
    }
}

/// The restorer that a run begins with, its tokens, and the checksum of its weights. A graphics device that does not
/// compute what it should is left for the processor.
///
/// # Errors
/// It cannot be opened, training it does not fit into the engine's memory, or WebGPU was demanded and computes other
/// numbers.
pub async fn open_restorer(
    job: &Job,
    base: &ModelRef,
    settings: &RestorerTrainingSettings,
    chosen: &mut Chosen,
    preference: DevicePreference,
) -> Result<(Torso, Vocabulary, Option<String>), Failure> {
    let mut files = RestorerFiles::open(job, base, true).await?;
    let (vocabulary, checksum) = (files.vocabulary()?, files.checksum());
    if let ComputeDevice::Gpu(gpu) = &chosen.device {
        match opening::on_gpu(job, &mut files, Ok(gpu.clone()), preference).await? {
            Ok(trusted) => return Ok((trusted.model, vocabulary, checksum)),
            Err(rejected) => *chosen = Chosen::processor(&rejected),
        }
    }
    let memory = TrainingMemory::of_restorer(files.config.size(), settings);
    if !memory.fits() {
        return Err(errors::restorer_training_too_large(memory.bytes(), settings.optimiser.rule));
    }
    Ok((files.load(job, &chosen.device.tensors()).await?, vocabulary, checksum))
}

/// The model that a run of this name began with, for one that goes on with it.
///
/// # Errors
/// It cannot be opened: it was deleted, perhaps, or another model has its name now.
pub async fn load(job: &Job, run: &str, needed: &Needed, device: &Device) -> Result<ByT5, Failure> {
    let mut files = TranslatorFiles::open(job, &needed.base, true).await?;
    needed.check(run, files.checksum().as_deref())?;
    files.load(job, device).await
}

/// The base that a run began with.
pub struct Needed {
    /// The model.
    pub base: ModelRef,
    /// Checksum of its weights; none of a new model, and of runs of an early version.
    pub checksum: Option<String>,
}

impl Needed {
    /// Whether a model of this checksum is the one.
    ///
    /// # Errors
    /// It is another.
    pub fn check(&self, run: &str, checksum: Option<&str>) -> Result<(), Failure> {
        match (self.checksum.as_deref(), checksum) {
            (Some(then), Some(now)) if then != now => Err(errors::base_changed(run, &self.base)),
            _ => Ok(()),
        }
    }
}
