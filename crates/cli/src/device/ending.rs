//! How the program ends where a graphics card may have computed for it.
//!
//! A driver has threads of its own, and they may be computing still while the exit handlers of its libraries take down
//! what they stand on: some runs whose work was done, or whose error was told, ended in a segmentation fault on a busy
//! machine. So may every program that leaves by `exit` (gfx-rs/wgpu#8365, #5084); this one leaves
//! without those handlers.

use std::process::ExitCode;

/// The status that `main` returns to the system; with drivers built in, it does not come back.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub fn ended(status: u8) -> ExitCode {
    use std::io::Write;
    // An output that is closed takes nothing more, and the program ends all the same.
    let _ = std::io::stdout().flush();
    end(status)
}

/// The status that `main` returns to the system.
#[cfg(not(any(feature = "wgpu", feature = "cuda")))]
pub fn ended(status: u8) -> ExitCode {
    status.into()
}

/// Ends the program at once; a line that was printed is written already.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub(super) fn end(status: u8) -> ! {
    // SAFETY: it only ends the process, from any thread and in any state; no destructor of this program matters after
    // it, for a file takes its place when it is whole.
    unsafe { libc::_exit(status.into()) }
}
