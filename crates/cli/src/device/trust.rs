//! A trial of a model on a device before it is used: it must compute what the reference or the processor computed.

use super::OpenDevice;
use crate::failure::Result;
use burn::tensor::Device;

/// A model that can be loaded onto any device and tried there.
pub trait TrialModel {
    /// Type of the loaded model.
    type Model;
    /// Type of the numbers that the model should compute.
    type Golden;
    /// The largest relative difference at which a device is trusted.
    const TOLERANCE: f32;

    /// Loads the model.
    ///
    /// # Errors
    /// What is wrong with it.
    fn load(&self, device: &Device) -> Result<Self::Model>;

    /// Returns the numbers that come with the model, if any.
    ///
    /// # Errors
    /// What is wrong with their file.
    fn golden(&self) -> Result<Option<Self::Golden>> {
        Ok(None)
    }

    /// Computes the numbers that other devices are compared with.
    ///
    /// # Errors
    /// Error of the device.
    fn computed(&self, model: &Self::Model) -> Result<Self::Golden>;

    /// Returns the model's largest relative difference from the golden numbers.
    ///
    /// # Errors
    /// Error of the device.
    fn difference(&self, model: &Self::Model, golden: &Self::Golden) -> Result<f32>;
}

impl OpenDevice {
    /// Loads a model onto this device and tries it there; if that fails and the processor may take its place, loads it
    /// onto the processor.
    ///
    /// # Errors
    /// What is wrong with the model; how the device differs from what it should compute.
    pub fn trusted<C: TrialModel>(&self, trial: &C) -> Result<C::Model> {
        match self.on_card(trial)? {
            Some(model) => Ok(model),
            None => trial.load(&Device::flex()),
        }
    }

    /// Tries a model on this device without keeping it; returns the device to compute on.
    ///
    /// # Errors
    /// As for [`OpenDevice::trusted`].
    pub fn tried_with<C: TrialModel>(&self, trial: &C) -> Result<Device> {
        Ok(self.on_card(trial)?.map_or_else(Device::flex, |_| self.tensors.clone()))
    }

    /// Returns the model on the card; `None` if the processor is to compute.
    fn on_card<C: TrialModel>(&self, trial: &C) -> Result<Option<C::Model>> {
        if self.tensors == Device::flex() {
            return Ok(None);
        }
        match tried(trial, &self.tensors) {
            Ok((model, difference)) => {
                eprintln!("self-test passed: differs by {difference:.0e}, {:.0e} are allowed", C::TOLERANCE);
                Ok(Some(model))
            }
            Err(reason) if self.replaceable => {
                eprintln!("computing on the processor instead: {reason}");
                Ok(None)
            }
            Err(reason) => Err(reason),
        }
    }
}

/// Returns the model on a device, and its difference from the golden numbers there.
fn tried<C: TrialModel>(trial: &C, device: &Device) -> Result<(C::Model, f32)> {
    let golden = match trial.golden()? {
        Some(golden) => golden,
        None => trial.computed(&trial.load(&Device::flex())?)?,
    };
    let model = trial.load(device)?;
    let difference = trial.difference(&model, &golden)?;
    if difference <= C::TOLERANCE {
        return Ok((model, difference));
    }
    Err(format!(
        "the device failed its self-test: its numbers differ by {difference:.1e}, more than {:.0e}",
        C::TOLERANCE
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that computes the number it is asked to, of which the right one is 1.
    struct Number(f32);

    impl TrialModel for Number {
        type Model = f32;
        type Golden = f32;
        const TOLERANCE: f32 = 1e-3;

        fn load(&self, _: &Device) -> Result<f32> {
            Ok(self.0)
        }

        fn golden(&self) -> Result<Option<f32>> {
            Ok(Some(1.0))
        }

        fn computed(&self, model: &f32) -> Result<f32> {
            Ok(*model)
        }

        fn difference(&self, model: &f32, golden: &f32) -> Result<f32> {
            Ok((model - golden).abs())
        }
    }

    #[test]
    fn other_numbers_are_not_trusted() {
        assert!(tried(&Number(1.0005), &Device::flex()).is_ok());
        let refused = tried(&Number(1.1), &Device::flex()).unwrap_err().to_string();
        assert!(refused.contains("failed its self-test") && refused.contains("1.0e-1"), "{refused}");
    }
}
