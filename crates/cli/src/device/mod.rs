//! The device to compute on: the processor, or a graphics card that has been shown to compute the same.
//!
//! A command opens one device by [`DeviceArguments::open`] and passes it to the code that loads a model, which is tried
//! there first (`trust`). An error that a card reports outside any operation ends the program (`fatal`), so no number
//! computed after it is ever shown or stored.

mod failing;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod fatal;
#[cfg(feature = "wgpu")]
mod graphics;
mod speed;
mod trust;

pub use failing::{advise, ended, explained};
pub use trust::TrialModel;

use crate::failure::Result;
use burn::tensor::Device;
use clap::{Args, ValueEnum};

/// Device that the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The processor: every run ends the same, bit for bit.
    Cpu,
    /// A graphics card, by Vulkan, Metal or DirectX 12; where there is none, an error says why.
    Wgpu,
    /// The first NVIDIA card, by CUDA, in a program that was built for it.
    Cuda,
    /// A graphics card where there is one that computes what it should, else the processor.
    Auto,
}

/// The option `--device`, the same for every command that computes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct DeviceArguments {
    /// Device to compute on [default: cpu].
    #[arg(long, value_enum)]
    device: Option<DeviceChoice>,
}

/// An open device. A model that is loaded onto it is tried there first, by [`OpenDevice::trusted`].
#[derive(Clone, Debug)]
pub struct OpenDevice {
    tensors: Device,
    /// `true` if the processor may take the device's place.
    replaceable: bool,
}

/// Returns the number of threads that compute at the same time on the processor.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl DeviceArguments {
    /// Returns `true` if the processor computes for certain.
    pub fn is_processor(self) -> bool {
        matches!(self.device, None | Some(DeviceChoice::Cpu))
    }

    /// Returns the choice of a device by its name, as `--device` takes it.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn named(name: &str) -> Result<Self> {
        match DeviceChoice::from_str(name, true) {
            Ok(device) => Ok(Self { device: Some(device) }),
            Err(_) => Err(format!("there is no device {name:?}; say cpu, wgpu, cuda or auto").into()),
        }
    }

    /// Finds the device, and prints its name, memory and speed to the error output in one line; prints nothing if no
    /// device was asked for.
    ///
    /// # Errors
    /// The reason why the device is not available, and what to do.
    pub fn open(self) -> Result<OpenDevice> {
        let processor = OpenDevice { tensors: Device::flex(), replaceable: false };
        match self.device {
            None => Ok(processor),
            Some(DeviceChoice::Cpu) => processor.announced(&named_processor()),
            Some(DeviceChoice::Cuda) => cuda(),
            Some(DeviceChoice::Wgpu) => match graphics(true) {
                Ok((card, name)) => card.announced(&name),
                Err(reason) => Err(format!(
                    "--device wgpu cannot be had: {reason}. Leave it away to compute on the \
                     processor, with the same results, or say --device auto"
                )
                .into()),
            },
            Some(DeviceChoice::Auto) => match graphics(false) {
                Ok((card, name)) => OpenDevice { replaceable: true, ..card }.announced(&name),
                Err(reason) => processor.announced(&format!("{} ({reason})", named_processor())),
            },
        }
    }
}

impl OpenDevice {
    /// Returns the processor, which needs no trial.
    pub fn processor() -> Self {
        Self { tensors: Device::flex(), replaceable: false }
    }

    /// Prints the device that was found.
    fn announced(self, name: &str) -> Result<Self> {
        let speed = speed::measured(&self.tensors)?;
        eprintln!("computing on {name}, {speed}");
        Ok(self)
    }
}

fn named_processor() -> String {
    format!("the processor, {} threads", threads())
}

/// Returns a graphics card and its description, or the reason why there is none. `software` is `true` if an imitated
/// card will do.
#[cfg(feature = "wgpu")]
fn graphics(software: bool) -> Result<(OpenDevice, String), String> {
    graphics::open(software).map(|(tensors, name)| (OpenDevice { tensors, replaceable: false }, name))
}

#[cfg(not(feature = "wgpu"))]
fn graphics(_: bool) -> Result<(OpenDevice, String), String> {
    Err("this program was built without the feature wgpu; `cargo tuppum-gpu` is built with it".to_owned())
}

/// burn opens the card at its first operation, and panics if there is no driver: `fatal` makes that an error.
#[cfg(feature = "cuda")]
fn cuda() -> Result<OpenDevice> {
    fatal::watch("CUDA");
    OpenDevice { tensors: Device::cuda(0), replaceable: false }.announced("the first NVIDIA card, by CUDA")
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<OpenDevice> {
    Err("this program was built without CUDA; --device wgpu computes on NVIDIA's cards as well, or build it with \
         `--features cuda`"
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_the_processor_computes() {
        let open = DeviceArguments::default().open().unwrap();
        assert!(open.tensors == Device::flex() && !open.replaceable);
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn what_was_not_built_in_is_said() {
        let message = DeviceArguments { device: Some(DeviceChoice::Cuda) }.open().unwrap_err().to_string();
        assert!(message.contains("--features cuda"), "{message}");
    }
}
