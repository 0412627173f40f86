//! Opening a model: on the graphics device if it computes the model correctly there, else on the processor.

use crate::errors::{self, ModelError, Rejected};
use crate::job::Job;
use crate::models::device::{DeviceErrors, Gpu, gpu};
use burn::tensor::Device;
use tuppum_protocol::{DeviceKind, DevicePreference, Failure, Phase};
use tuppum_train::TrainError;

/// Model that can be loaded onto a device and tested there.
pub trait Candidate {
    /// Loaded model.
    type Model;
    /// Reference numbers that the model should compute.
    type Golden: Clone;
    /// Largest relative difference at which a device is trusted.
    const TOLERANCE: f32;

    /// Loads the model onto a device.
    async fn load(&mut self, job: &Job, device: &Device) -> Result<Self::Model, Failure>;

    /// Returns the model's golden numbers, if it has any.
    fn golden(&self) -> Option<&Self::Golden>;

    /// Checks that the model fits into the processor's memory; otherwise returns the bytes that it needs.
    fn fits_processor(&self) -> Result<(), u64> {
        Ok(())
    }

    /// Computes reference numbers on the processor, to compare a graphics device with.
    async fn computed(&self, job: &Job, model: &Self::Model) -> Result<Self::Golden, ModelError>;

    /// Computes with the model on a device for the first time. Returns the largest relative difference from the golden
    /// numbers, if there are any.
    async fn test(
        &self,
        job: &Job,
        model: &Self::Model,
        golden: Option<&Self::Golden>,
    ) -> Result<Option<f32>, ModelError>;
}

/// Model on a device that was tested with it.
pub struct Trusted<M> {
    /// The model.
    pub model: M,
    /// Device that the model computes on.
    pub device: ComputeDevice,
    /// Largest relative difference from the reference numbers; `None` if there was nothing to compare with.
    pub difference: Option<f32>,
    /// Reason why the graphics device is not used, if so.
    pub rejected: Option<Rejected>,
}

/// Returns the graphics device, if the user's preference allows one.
pub async fn choose(job: &Job, preference: DevicePreference) -> Result<Gpu, Rejected> {
    job.progress(Phase::Device, 0, 1);
    let found = match preference {
        DevicePreference::Cpu => Err(Rejected::NotWanted),
        DevicePreference::Best => gpu(false).await.map_err(Rejected::None),
        DevicePreference::WebGpu => gpu(true).await.map_err(Rejected::None),
    };
    job.progress(Phase::Device, 1, 1);
    found
}

/// Opens a model on the graphics device if it computes the model correctly, else on the processor.
///
/// # Errors
/// The model's files are damaged, WebGPU was demanded and cannot be used, the processor has too little memory or
/// computes wrong numbers itself, or the job was cancelled.
pub async fn open<C: Candidate>(
    job: &Job,
    candidate: &mut C,
    gpu: Result<Gpu, Rejected>,
    preference: DevicePreference,
) -> Result<Trusted<C::Model>, Failure> {
    let rejected = match on_gpu(job, candidate, gpu, preference).await? {
        Ok(trusted) => return Ok(trusted),
        Err(rejected) => rejected,
    };
    if let Err(needed) = candidate.fits_processor() {
        return Err(errors::too_large(needed, &rejected.to_string()));
    }
    let model = candidate.load(job, &Device::flex()).await?;
    let golden = candidate.golden().cloned();
    let difference = candidate.test(job, &model, golden.as_ref()).await.map_err(ModelError::on_the_processor)?;
    if let Some(difference) = difference.filter(|difference| *difference > C::TOLERANCE) {
        return Err(errors::wrong_numbers(difference, C::TOLERANCE));
    }
    Ok(Trusted { model, device: ComputeDevice::Cpu, difference, rejected: Some(rejected) })
}

/// Opens a model on the graphics device, or returns the reason not to use that device. A model without golden numbers
/// is first computed on the processor, if it fits there.
///
/// # Errors
/// The model's files are damaged, WebGPU was demanded and cannot be used, or the job was cancelled.
pub async fn on_gpu<C: Candidate>(
    job: &Job,
    candidate: &mut C,
    gpu: Result<Gpu, Rejected>,
    preference: DevicePreference,
) -> Result<Result<Trusted<C::Model>, Rejected>, Failure> {
    let rejected = match gpu {
        Ok(gpu) => match tested(job, candidate, gpu).await? {
            Ok(trusted) => return Ok(Ok(trusted)),
            Err(rejected) => rejected,
        },
        Err(rejected) => rejected,
    };
    match preference {
        DevicePreference::WebGpu => Err(errors::no_webgpu(&rejected.to_string())),
        DevicePreference::Best | DevicePreference::Cpu => Ok(Err(rejected)),
    }
}

async fn tested<C: Candidate>(
    job: &Job,
    candidate: &mut C,
    gpu: Gpu,
) -> Result<Result<Trusted<C::Model>, Rejected>, Failure> {
    let golden = match candidate.golden() {
        Some(golden) => Some(golden.clone()),
        None if candidate.fits_processor().is_ok() => {
            let model = candidate.load(job, &Device::flex()).await?;
            Some(candidate.computed(job, &model).await.map_err(ModelError::on_the_processor)?)
        }
        None => None,
    };
    let model = candidate.load(job, &gpu.device).await?;
    let outcome = candidate.test(job, &model, golden.as_ref()).await;
    let reported = gpu.errors.take();
    let name = gpu.name.clone();
    Ok(match (outcome, reported) {
        (Err(ModelError::Cancelled), _) => return Err(errors::cancelled()),
        (_, Some(error)) => Err(Rejected::Reported { gpu: name, error }),
        (Err(error), None) => Err(Rejected::Failed { gpu: name, error }),
        (Ok(Some(by)), None) if by > C::TOLERANCE => Err(Rejected::Differs { gpu: name, by, tolerance: C::TOLERANCE }),
        (Ok(difference), None) => Ok(Trusted { model, device: ComputeDevice::Gpu(gpu), difference, rejected: None }),
    })
}

/// Processor or graphics device.
#[derive(Clone)]
pub enum ComputeDevice {
    /// The processor.
    Cpu,
    /// The graphics device.
    Gpu(Gpu),
}

impl ComputeDevice {
    /// Returns burn's device for tensors.
    pub fn tensors(&self) -> Device {
        match self {
            Self::Cpu => Device::flex(),
            Self::Gpu(gpu) => gpu.device.clone(),
        }
    }

    /// Returns the kind of the device, for the page.
    pub fn kind(&self) -> DeviceKind {
        match self {
            Self::Cpu => DeviceKind::Cpu,
            Self::Gpu(_) => DeviceKind::WebGpu,
        }
    }

    fn errors(&self) -> Option<&DeviceErrors> {
        match self {
            Self::Cpu => None,
            Self::Gpu(gpu) => Some(&gpu.errors),
        }
    }

    /// Checks that the device has reported no error since the last check.
    ///
    /// # Errors
    /// The graphics device has reported an error that no operation returned.
    pub fn check(&self) -> Result<(), Failure> {
        match self.errors().and_then(DeviceErrors::take) {
            Some(error) => Err(errors::device_lost(error)),
            None => Ok(()),
        }
    }

    /// Words an error of a model for the user. A graphics device that fails is lost.
    pub fn failure(&self, error: impl Into<ModelError>) -> Failure {
        match (error.into(), self.errors()) {
            (ModelError::Device(problem), Some(reported)) => {
                errors::device_lost(format!("{problem} {}", reported.take().unwrap_or_default()))
            }
            (error, _) => error.on_the_processor(),
        }
    }

    /// Words an error of training for the user. An error reported by the device takes precedence: a buffer for which it
    /// had no memory leads to a loss that is not a number.
    pub fn training_failure(&self, error: TrainError) -> Failure {
        if let Err(lost) = self.check() {
            return lost;
        }
        errors::training(error, |error| self.failure(error))
    }
}
