//! Which kernel multiplies in the browser: the one compiled in, or the same with relaxed instructions.
//!
//! These take product and sum in one instruction, which on most processors halves the work. Whether a browser knows
//! them shows when it is given the module; whoever does that puts the module's function into the engine's table of
//! functions in the place of [`slot`].

use crate::kernel::{Multiply, Task, multiply};
use core::sync::atomic::{AtomicBool, Ordering};

/// The kernel with relaxed instructions: a module that wants a memory as `env.memory` and has a function `multiply`.
pub static RELAXED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/relaxed.wasm"));

static IS_REPLACED: AtomicBool = AtomicBool::new(false);

/// Its place in the table of functions is the other kernel's; until then it is the one compiled in.
unsafe extern "C" fn replaced(task: *const Task) {
    // SAFETY: what the caller promises.
    unsafe { multiply(task) }
}

/// Place in the table of functions for the function `multiply` of [`RELAXED`].
pub fn slot() -> u32 {
    let place: Multiply = replaced;
    place as usize as u32
}

/// Products are computed by what lies in the [`slot`] from now on, or no longer.
pub fn use_slot(is_used: bool) {
    IS_REPLACED.store(is_used, Ordering::Relaxed);
}

/// The kernel to use.
pub fn kernel() -> Multiply {
    if IS_REPLACED.load(Ordering::Relaxed) {
        // Kept from the compiler, which would call what the place held when it was compiled.
        return core::hint::black_box(replaced);
    }
    multiply
}
