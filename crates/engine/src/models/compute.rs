//! The device that a model computes on, and the meaning of an error there.

use crate::errors::{self, ModelError};
use crate::models::device::{DeviceErrors, Gpu};
use burn::tensor::Device;
use tuppum_protocol::{DeviceKind, Failure};
use tuppum_train::TrainError;

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
