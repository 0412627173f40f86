//! The files of models by name.

/// The size of the model.
pub const CONFIG: &str = "config.json";
/// Golden numbers to test a device with, which our own models bring.
pub const GOLDEN: &str = "golden.safetensors";
/// The list of the others, of a model that comes with the page.
pub const MANIFEST: &str = "manifest.json";
/// The longest file that is read whole; no published one is longer.
pub const LONGEST_SHORT_FILE: usize = 8 << 20;
