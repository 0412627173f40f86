//! Where a run begins: a device that can be trusted, and a model on it.

use crate::device::{Trouble, gpu};
use crate::errors;
use crate::jobs::{Job, from_torso};
use crate::restorer_files::RestorerFiles;
use crate::translating::from_byt5;
use crate::translator_files::Opened;
use burn::tensor::Device;
use tuppum_geometry::stored;
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, ByT5Config, GOLDEN_TOLERANCE, Geometry, SourceRow, computed, self_test};
use tuppum_nn::torso::{self, Torso, TorsoError};
use tuppum_protocol::{DevicePreference, Failure, FailureKind, MOST_MEMORY, NEW_MODEL, Phase, restorer_memory};
use tuppum_tasks::restoration::training::Settings;
use tuppum_tasks::translation::training::Plan;
use tuppum_text::bytes;
use tuppum_text::tokens::Vocabulary;
use tuppum_train::translator::{fresh, memory};

/// Where the points of a new bias begin.
const POINTS: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/geometry/byte-points-hard.safetensors"));
/// Strength of a new bias.
const FIRST_ALPHA: f32 = 0.1;
/// What devices are compared with.
const SHORT_ROW: (&str, &str) = ("um-ma a-na", "Thus");

/// A device, and why it.
pub struct Chosen {
    /// For tensors.
    pub device: Device,
    /// What computes, in a sentence for the user.
    pub reason: String,
    /// Errors that no operation returns.
    pub trouble: Option<Trouble>,
}

/// The graphics device if it computes what the processor does, else the processor.
///
/// # Errors
/// WebGPU was demanded and cannot be used, or the job was stopped.
pub async fn device(job: &Job, preference: DevicePreference) -> Result<Chosen, Failure> {
    job.progress(Phase::Device, 0, 1);
    let candidate = match preference {
        DevicePreference::Cpu => Err("you chose it".to_owned()),
        DevicePreference::Best => gpu(false).await,
        DevicePreference::WebGpu => gpu(true).await,
    };
    let reason = match candidate {
        Ok(gpu) => match agrees(job, &gpu.device).await {
            Ok(difference) if difference <= GOLDEN_TOLERANCE && gpu.trouble.take().is_none() => {
                let reason = format!("WebGPU ({}), which agreed with the CPU on a small new model.", gpu.name);
                return Ok(Chosen { device: gpu.device, reason, trouble: Some(gpu.trouble) });
            }
            Ok(difference) => format!("WebGPU ({}) computed other numbers, by {difference:.1e}", gpu.name),
            Err(stopped) if stopped.kind == FailureKind::Cancelled => return Err(stopped),
            Err(failure) => format!("WebGPU ({}) failed in its test: {}", gpu.name, failure.message),
        },
        Err(problem) => problem,
    };
    job.progress(Phase::Device, 1, 1);
    match preference {
        DevicePreference::WebGpu => Err(errors::no_webgpu(&reason)),
        _ => Ok(Chosen { device: Device::flex(), reason: format!("The CPU, because {reason}."), trouble: None }),
    }
}

/// The largest relative difference between this device and the processor on a small new model.
async fn agrees(job: &Job, device: &Device) -> Result<f32, Failure> {
    let failed = |error| from_byt5(error, None);
    let golden = {
        let model = small(1, &Device::flex())?;
        let target = [vec![model.config().decoder_start_token_id], bytes::encode(SHORT_ROW.1)].concat();
        computed(&model, SourceRow::of_text(SHORT_ROW.0), target, &job.pace()).await.map_err(failed)?
    };
    let [states, logits] = self_test(&small(1, device)?, &golden, &job.pace()).await.map_err(failed)?;
    Ok(states.max(logits))
}

/// A new small model with a bias.
fn small(seed: u64, device: &Device) -> Result<ByT5, Failure> {
    let config = ByT5Config::named("nano").ok_or_else(|| errors::internal("no size is called nano"))?;
    let mut model = fresh::model(&config, seed, device).map_err(errors::internal)?;
    attach_bias(&mut model, config.num_layers)?;
    Ok(model)
}

/// Gives a model a new bias over bytes in its first encoder layers.
pub fn attach_bias(model: &mut ByT5, layers: usize) -> Result<(), Failure> {
    let rows = stored::points(POINTS, BALL_DIMENSIONS).map_err(errors::internal)?;
    let points = rows.into_iter().flatten().map(|number| number as f32).collect();
    let (curvature, device) = (model.config().curvature, model.device());
    let bias =
        Geometry::new(points, BALL_DIMENSIONS, FIRST_ALPHA, layers, curvature, &device).map_err(errors::internal)?;
    model.attach(bias);
    Ok(())
}

/// The model that a run begins with, and the checksum of its weights; a new one has none.
///
/// # Errors
/// It cannot be brought, or training it does not fit into the engine's memory.
pub async fn open(job: &Job, base: &str, plan: &Plan, chosen: &Chosen) -> Result<(ByT5, Option<String>), Failure> {
    if base == NEW_MODEL {
        return match plan.settings.additions {
            None => Ok((small(plan.settings.seed, &chosen.device)?, None)),
            Some(_) => Err(errors::question(
                "A new model knows nothing yet that additions could build on: train it as a whole.",
            )),
        };
    }
    let files = Opened::open(job, base, true).await?;
    let needed = memory::estimate(&files.config, plan);
    if chosen.trouble.is_none() && needed > MOST_MEMORY {
        return Err(errors::training_too_large(needed));
    }
    Ok((files.load(job, &chosen.device).await?, files.checksum()))
}

/// Checksum of the weights that a run would begin with; a new model has none.
///
/// # Errors
/// The model cannot be brought.
pub async fn checksum(job: &Job, base: &str) -> Result<Option<String>, Failure> {
    match base {
        NEW_MODEL => Ok(None),
        base => Ok(Opened::open(job, base, true).await?.checksum()),
    }
}

/// The restorer that a run begins with, its tokens, and the checksum of its weights. A graphics device that does not compute what it should is left for the processor.
///
/// # Errors
/// It cannot be brought, training it does not fit into the engine's memory, or WebGPU was demanded and computes other numbers.
pub async fn open_restorer(
    job: &Job,
    base: &str,
    settings: &Settings,
    chosen: &mut Chosen,
    preference: DevicePreference,
) -> Result<(Torso, Vocabulary, Option<String>), Failure> {
    let mut files = RestorerFiles::open(job, base, true).await?;
    let (vocabulary, checksum) = (files.vocabulary()?, files.checksum());
    if chosen.trouble.is_some() {
        let torso = files.load(job, &chosen.device).await?;
        match off_by(job, &mut files, &torso).await? {
            difference if difference <= torso::GOLDEN_TOLERANCE => return Ok((torso, vocabulary, checksum)),
            difference => {
                let reason = format!("WebGPU computed other numbers with this restorer, by {difference:.1e}");
                if preference == DevicePreference::WebGpu {
                    return Err(errors::no_webgpu(&reason));
                }
                let reason = format!("The CPU, because {reason}.");
                *chosen = Chosen { device: Device::flex(), reason, trouble: None };
            }
        }
    }
    let layers = files.config.layers as u64;
    let trained = settings.layers.map_or(layers, |own| own as u64);
    let needed = restorer_memory(files.config.parameter_count(), layers, trained, settings);
    if needed > MOST_MEMORY {
        return Err(errors::restorer_training_too_large(needed));
    }
    Ok((files.load(job, &chosen.device).await?, vocabulary, checksum))
}

/// By how much a restorer differs from its golden numbers, or where it brings none from what the processor computes.
async fn off_by(job: &Job, files: &mut RestorerFiles, torso: &Torso) -> Result<f32, Failure> {
    let failed = |error| from_torso(error, None);
    let golden = match files.golden.clone() {
        Some(golden) => golden,
        None => torso::computed(&files.load(job, &Device::flex()).await?, &job.pace()).await.map_err(failed)?,
    };
    match torso::self_test(torso, &golden, &job.pace()).await {
        Err(TorsoError::Stopped) => Err(errors::cancelled()),
        // A device that fails in its test is as good as one that computes something else.
        found => Ok(found.unwrap_or(f32::INFINITY)),
    }
}

/// The model that a run of this name began with, for one that goes on with it.
///
/// # Errors
/// It cannot be brought: it was deleted, perhaps, or another model has its name now.
pub async fn load(job: &Job, run: &str, needed: &Needed, device: &Device) -> Result<ByT5, Failure> {
    let files = Opened::open(job, &needed.base, true).await?;
    needed.check(run, files.checksum().as_deref())?;
    files.load(job, device).await
}

/// What a run began with.
pub struct Needed {
    /// Its name.
    pub base: String,
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
