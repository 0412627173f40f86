//! The engine's own memory.

/// Memory beside the weights: the largest tensor while it is transposed, the program, a translation of some length.
/// Measured with ByT5-small: 47 MB.
pub const BESIDE_THE_WEIGHTS: u64 = 150_000_000;

/// Bytes of the engine's own memory. It never shrinks, so this is the most that it ever held.
pub fn memory() -> u64 {
    core::arch::wasm32::memory_size::<0>() as u64 * 65_536
}
