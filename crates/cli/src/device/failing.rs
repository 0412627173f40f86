//! Errors of a graphics card, with advice, and the end of the program after a card may have computed.
//!
//! burn returns some failures as the result of an operation, and these reach `main` as any error does; other failures
//! end the program (`fatal`).
//!
//! A driver has its own threads. They may still compute while the exit handlers of its libraries free what they use: on
//! a busy machine some runs that had finished, or had reported their error, ended in a segmentation fault. Every
//! program that leaves by `exit` may end so (gfx-rs/wgpu#8365, #5084); this one leaves without those handlers.

use std::process::ExitCode;
use std::sync::{Mutex, OnceLock};

/// Name of the open graphics card.
pub(super) static CARD: OnceLock<String> = OnceLock::new();
/// Advice on what would take less memory.
static ADVICE: Mutex<String> = Mutex::new(String::new());

/// Beginning of the errors of burn's operations, in the words of `tuppum_nn` and `tuppum_train`.
const FAILED: &str = "the computing device failed";
/// Advice that always applies.
pub(super) const INSTEAD: &str = "--device cpu computes the same.";

/// Stores advice on what would take less memory, for a card with too little: whole sentences.
pub fn advise(sentences: impl Into<String>) {
    if let Ok(mut advice) = ADVICE.lock() {
        *advice = sentences.into();
    }
}

/// Returns an error's text, with advice if a card was the reason.
pub fn explained(message: String) -> String {
    match CARD.get() {
        Some(card) if message.contains(FAILED) => {
            [&format!("{card}: {}", readable(&message)), &advice(), INSTEAD].join(" ")
        }
        _ => message,
    }
}

/// Shortens burn's error of many lines to one. Of all steps that were left out for want of memory, the refused
/// allocation is kept if there was one.
fn readable(message: &str) -> String {
    const NOISE: [&str; 4] = ["skipped ", "(", "Caused by:", "Asked at:"];
    let lines =
        message.lines().map(|line| line.trim().trim_start_matches("No backtrace available").trim_start_matches('.'));
    let told: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty() && !NOISE.iter().any(|start| line.starts_with(start)))
        .collect();
    let refused = told.iter().position(|line| line.contains("allocate buffer"));
    let Some(refused) = refused else { return told.join(": ") };
    let hints = told.get(refused + 1..).unwrap_or_default().join(" ");
    let problem = told[refused].replace("buffer of size:", "a tensor of so many bytes:");
    format!("{FAILED}: {problem}. {hints}").trim_end().to_owned()
}

/// Returns the newest advice.
pub(super) fn advice() -> String {
    ADVICE.lock().map(|advice| advice.clone()).unwrap_or_default()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_failures_the_refused_allocation_is_told() {
        let told = "the computing device failed: An error happened during execution\nCaused by:\n  Several failures at \
                    once\nCaused by:\n  skipped `UnaryFloat`: it needed memory\n  (8 older skip record(s) were \
                    dropped)\nCaused by:\n  can't allocate buffer of size: 305539200\nNo backtrace available\nAsked \
                    at:\nNo backtrace available. Take smaller batches.";
        let expected = "the computing device failed: can't allocate a tensor of so many bytes: 305539200. Take smaller \
                        batches.";
        assert_eq!(readable(told), expected);
        assert_eq!(readable("the computing device failed: lost"), "the computing device failed: lost");
    }

    #[test]
    fn without_a_card_an_error_stays_as_it_is() {
        let message = format!("{FAILED}: no");
        assert_eq!(explained(message.clone()), message);
    }
}
