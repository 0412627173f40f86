//! The engine's own memory.

use tuppum_nn::byt5::ByT5Config;

/// Bytes needed beside the weights: the largest tensor while it is transposed, the program, a translation of some
/// length. Measured with ByT5-small: 47 MB.
const BESIDE_THE_WEIGHTS: u64 = 150_000_000;

/// Estimates the bytes that a translator of this size needs on the CPU: its weights, those of them that are held a
/// second time while it writes, and the rest.
pub fn needed(size: &ByT5Config) -> u64 {
    size.parameter_count() * 4 + size.bytes_to_write() + BESIDE_THE_WEIGHTS
}

/// Returns the bytes of the engine's own memory. It never shrinks, so this is the peak.
pub fn memory() -> u64 {
    core::arch::wasm32::memory_size::<0>() as u64 * 65_536
}
