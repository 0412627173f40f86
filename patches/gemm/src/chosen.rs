//! The choice of the kernel in the browser: the one compiled in, or the same with relaxed SIMD instructions.
//!
//! Relaxed instructions compute product and sum in one instruction, which halves the work on most processors. Whether a
//! browser knows them is found out by giving it the module; the caller then puts the module's function into the
//! engine's table of functions at [`slot`].

use crate::kernel::{Multiply, Task, multiply};
use core::sync::atomic::{AtomicBool, Ordering};

/// Module of the kernel with relaxed instructions. It imports a memory as `env.memory` and exports a function
/// `multiply`.
pub static RELAXED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/relaxed.wasm"));

static IS_REPLACED: AtomicBool = AtomicBool::new(false);

/// Placeholder whose entry in the table of functions is replaced by the other kernel; until then it calls the one
/// compiled in.
///
/// # Safety
/// As for [`multiply`].
unsafe extern "C" fn replaced(task: *const Task) {
    // SAFETY: guaranteed by the caller.
    unsafe { multiply(task) }
}

/// Returns the index in the table of functions for the function `multiply` of [`RELAXED`].
pub fn slot() -> u32 {
    let place: Multiply = replaced;
    place as usize as u32
}

/// Sets whether products are computed by the function at [`slot`].
pub fn use_slot(is_used: bool) {
    IS_REPLACED.store(is_used, Ordering::Relaxed);
}

/// Returns the kernel to use.
pub fn kernel() -> Multiply {
    if IS_REPLACED.load(Ordering::Relaxed) {
        // Hidden from the compiler, which would otherwise call the function that the entry held at compile time.
        return core::hint::black_box(replaced);
    }
    multiply
}
