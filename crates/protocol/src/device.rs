//! Where models compute.

use serde::{Deserialize, Serialize};

/// Which device the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DevicePreference {
    /// WebGPU if it passes its test, else the CPU.
    #[default]
    Best,
    /// The CPU, without trying.
    Cpu,
    /// WebGPU or fail.
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

/// The device in use and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceReport {
    /// The device that computes.
    pub device: DeviceKind,
    /// Name of the adapter, when the browser tells.
    pub adapter: String,
    /// Why this one, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference from the golden numbers in the self-test.
    pub self_test: f32,
    /// Whether the model brings golden numbers; without them, a GPU is compared with the CPU, and the CPU with nothing.
    #[serde(default)]
    pub golden: bool,
    /// Whether the weights lie in the browser's storage, so that the next visit needs no network.
    pub stored: bool,
    /// Why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model.
    pub parameters: u64,
}

/// The translator in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TranslatorReport {
    /// The device that computes.
    pub device: DeviceKind,
    /// Why this one, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference from the golden numbers in the self-test, or from the CPU; none where there was
    /// neither.
    pub self_test: Option<f32>,
    /// Whether the weights lie in the browser's storage.
    pub stored: bool,
    /// Why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model with its bias.
    pub parameters: u64,
    /// Whether it has a hyperbolic bias.
    pub bias: bool,
    /// Whether it was tested against golden numbers of its own; without them, a GPU is compared with the CPU.
    #[serde(default)]
    pub golden: bool,
    /// Bytes of the engine's own memory after opening, which never shrinks: the most that it held. What a GPU holds is
    /// not counted.
    #[serde(default)]
    pub memory: u64,
    /// Whether it writes several passages in the same steps: on the CPU, unless its maps are so large that they are
    /// rounded.
    #[serde(default)]
    pub writes_together: bool,
}
