//! What a model computes on, and what an error means there.

use super::device::{DeviceErrors, Gpu};
use super::errors::{self, ModelError};
use burn::tensor::Device;
use tuppum_protocol::{DeviceKind, Failure};
use tuppum_train::TrainError;

/// The processor or the graphics device.
#[derive(Clone)]
pub enum ComputeDevice {
    /// The processor.
    Cpu,
    /// The graphics device.
    Gpu(Gpu),
}

impl ComputeDevice {
    /// The device for tensors.
    pub fn tensors(&self) -> Device {
        match self {
            Self::Cpu => Device::flex(),
            Self::Gpu(gpu) => gpu.device.clone(),
        }
    }

    /// Kind of the device, for the page.
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

    /// Whether all went well since the last time.
    ///
    /// # Errors
    /// The graphics device has reported an error that no operation returned.
    pub fn check(&self) -> Result<(), Failure> {
        match self.errors().and_then(DeviceErrors::take) {
            Some(error) => Err(errors::device_lost(error)),
            None => Ok(()),
        }
    }

    /// What an error of a model means to the user. A graphics device that fails is lost.
    pub fn failure(&self, error: impl Into<ModelError>) -> Failure {
        match (error.into(), self.errors()) {
            (ModelError::Device(problem), Some(reported)) => {
                errors::device_lost(format!("{problem} {}", reported.take().unwrap_or_default()))
            }
            (error, _) => error.on_the_processor(),
        }
    }

    /// What an error of training means to the user. What the device has reported explains the rest: a buffer for which
    /// it had no memory makes a loss that is no number.
    pub fn training_failure(&self, error: TrainError) -> Failure {
        if let Err(lost) = self.check() {
            return lost;
        }
        errors::training(error, |error| self.failure(error))
    }
}
