//! The device that a model computes on.

use serde::{Deserialize, Serialize};

/// Device that the user asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DevicePreference {
    /// WebGPU if it passes its test, else the CPU.
    #[default]
    Best,
    /// The CPU, without trying.
    Cpu,
    /// WebGPU; opening the model fails where it cannot be used.
    WebGpu,
}

/// The device that computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceKind {
    /// A GPU, by WebGPU.
    WebGpu,
    /// The processor, by burn-flex with simd128.
    Cpu,
}

/// Report on the restorer: its device, the reason for it, and where its files are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceReport {
    /// The device that computes.
    pub device: DeviceKind,
    /// Name of the adapter, if the browser gives it.
    pub adapter: String,
    /// Reason for choosing this device, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference from the golden numbers in the self-test.
    pub self_test: f32,
    /// `true` if the model has golden numbers; without them, a GPU is compared with the CPU, and the CPU with nothing.
    #[serde(default)]
    pub golden: bool,
    /// `true` if the weights are in the browser's storage, so that the next visit needs no network.
    pub stored: bool,
    /// Reason why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model.
    pub parameters: u64,
}

/// Report on the translator: its device, the reason for it, and where its files are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TranslatorReport {
    /// The device that computes.
    pub device: DeviceKind,
    /// Reason for choosing this device, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference in the self-test, from the golden numbers or from the CPU; `None` if there was
    /// neither.
    pub self_test: Option<f32>,
    /// `true` if the weights are in the browser's storage.
    pub stored: bool,
    /// Reason why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model, its bias included.
    pub parameters: u64,
    /// `true` if the translator has a hyperbolic bias.
    pub bias: bool,
    /// `true` if the translator has golden numbers of its own; without them, a GPU is compared with the CPU.
    #[serde(default)]
    pub golden: bool,
    /// Bytes of the engine's own memory after opening. This memory never shrinks, so it is the peak. GPU memory is not
    /// counted.
    #[serde(default)]
    pub memory: u64,
    /// `true` if the translator writes several passages in the same steps: on the CPU, unless its maps are so large
    /// that they are rounded.
    #[serde(default)]
    pub writes_together: bool,
}
