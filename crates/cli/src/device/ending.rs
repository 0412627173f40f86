//! The end of the program after a graphics card may have computed.
//!
//! A driver has its own threads. They may still compute while the exit handlers of its libraries free what they use: on
//! a busy machine some runs that had finished, or had reported their error, ended in a segmentation fault. Every
//! program that leaves by `exit` may end so (gfx-rs/wgpu#8365, #5084); this one leaves without those handlers.

use std::process::ExitCode;

/// Returns the status that `main` returns to the system; with drivers built in, it does not come back.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub fn ended(status: u8) -> ExitCode {
    use std::io::Write;
    // If the output is closed, the program ends all the same.
    let _ = std::io::stdout().flush();
    end(status)
}

/// Returns the status that `main` returns to the system.
#[cfg(not(any(feature = "wgpu", feature = "cuda")))]
pub fn ended(status: u8) -> ExitCode {
    status.into()
}

/// Ends the program at once; printed lines are already written.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub(super) fn end(status: u8) -> ! {
    // SAFETY: it only ends the process, from any thread and in any state. No destructor of this program matters after
    // it, since a file is renamed only when it is whole.
    unsafe { libc::_exit(status.into()) }
}
