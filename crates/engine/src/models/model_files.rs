//! File names of models.

/// Configuration of the model.
pub const CONFIG: &str = "config.json";
/// Golden numbers to test a device with; Tuppum's own models have them.
pub const GOLDEN: &str = "golden.safetensors";
/// List of the other files, in a shipped model.
pub const MANIFEST: &str = "manifest.json";
/// Maximum bytes of a file that is read whole; no published one is longer.
pub const LONGEST_SHORT_FILE: usize = 8 << 20;
