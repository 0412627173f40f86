//! Failures of files, the network and the device.

use std::fmt::Display;
use tuppum_protocol::{Failure, FailureKind};

pub(super) fn failure(kind: FailureKind, message: impl Into<String>, hints: &[&str], details: impl Display) -> Failure {
    Failure {
        kind,
        message: message.into(),
        hints: hints.iter().map(|hint| (*hint).to_owned()).collect(),
        details: details.to_string(),
    }
}

/// Failure: the user cancelled the job.
pub fn cancelled() -> Failure {
    failure(FailureKind::Cancelled, "Stopped at your request.", &[], "")
}

/// Failure: the server did not answer, or the connection broke.
pub fn unreachable(url: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Network,
        format!("{} could not be fetched.", named(url)),
        &[
            "Check that this device is online, then try again: what has arrived so far is kept if the browser allows \
             it.",
            "After one complete visit the model is stored in the browser and no network is needed.",
        ],
        format!("{url}: {details}"),
    )
}

/// Failure: the server answered with an error.
pub fn refused(url: &str, status: u16) -> Failure {
    let kind = if matches!(status, 404 | 410) { FailureKind::Missing } else { FailureKind::Network };
    failure(
        kind,
        format!("The server has no {} (answer {status}).", last_part(url)),
        &["Reload the page; if that does not help, the site was published without its model."],
        format!("{url}: HTTP {status}"),
    )
}

/// Failure: a file of the model does not match its manifest, even when fetched again.
pub fn altered(file: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("The model's file {file} arrived damaged: it is not the file that its manifest describes."),
        &[
            "Try again: a connection that breaks or a proxy that rewrites files can cause this.",
            "If this continues, the site was published with files that do not belong together; tell its maintainer.",
        ],
        details,
    )
}

/// Failure: a file of the model cannot be read.
pub fn unreadable(file: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("The model's file {file} cannot be read as a model of this program."),
        &[
            "Reload the page, so that the program and the model are of the same version.",
            "If this continues, the site was published with files that do not belong together; tell its maintainer.",
        ],
        details,
    )
}

/// Failure: the browser's storage refused after it had agreed to store.
pub fn storage(file: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Storage,
        format!("The browser could not store {file}."),
        &[
            "Make room on the device or allow this site to store data, then try again.",
            "A private window often stores nothing.",
        ],
        details,
    )
}

/// Failure: the model is not open; `reason` is the failure of opening it.
pub fn not_open(reason: Option<&Failure>) -> Failure {
    let (message, details) = match reason {
        Some(reason) => (format!("The model is not loaded: {}", reason.message), reason.details.clone()),
        None => ("The model is not loaded yet.".to_owned(), String::new()),
    };
    failure(
        FailureKind::Weights,
        message,
        &["Press “Start the model again” in the window of the device, at the top of the page; then ask again."],
        details,
    )
}

/// Failure: the corpora are not open.
pub fn no_corpora() -> Failure {
    failure(
        FailureKind::Missing,
        "The corpora are not open.",
        &["Ask again: the page then opens them.", "If that fails, look for them on the page “Models”."],
        "",
    )
}

/// Failure: WebGPU was demanded and cannot be used.
pub fn no_webgpu(reason: impl Display) -> Failure {
    failure(
        FailureKind::Device,
        format!("WebGPU cannot be used: {reason}"),
        &["Choose the CPU: it gives the same answers, only more slowly."],
        reason,
    )
}

/// Failure: even the processor computes wrong numbers with this model.
pub fn wrong_numbers(difference: f32, tolerance: f32) -> Failure {
    failure(
        FailureKind::Weights,
        format!(
            "The model’s numbers are wrong: they differ from the expected ones by {difference:.1e}, more than \
             {tolerance:.0e}."
        ),
        &["The model's files do not belong together, or this browser makes errors in its arithmetic; try another \
            browser and tell the maintainer."],
        "self-test on the processor against golden.safetensors",
    )
}

/// Failure: the device was lost or made errors during a job.
pub fn device_lost(details: impl Display) -> Failure {
    failure(
        FailureKind::DeviceLost,
        "The graphics device stopped working in the middle of the job.",
        &[
            "The engine restarts by itself; then ask again.",
            "If it happens again, choose the CPU: it gives the same answers, only more slowly.",
        ],
        details,
    )
}

/// Failure: files of a new model were asked for.
pub fn no_files() -> Failure {
    question("A new model has no files yet: it can only be trained.")
}

/// Failure: the question cannot be answered as asked.
pub fn question(message: impl Display) -> Failure {
    failure(FailureKind::Question, message.to_string(), &[], "")
}

/// Failure: an answer could not be sent to the page.
pub fn not_posted(error: impl Display) -> Failure {
    failure(
        FailureKind::Unposted,
        "The engine’s answer could not be handed to the page; your text is untouched.",
        &[
            "Ask again: the browser may have been short of memory for a moment.",
            "If it happens again, ask for less at a time, or close other tabs.",
        ],
        error,
    )
}

/// Failure: the engine itself crashed.
pub fn internal(details: impl Display) -> Failure {
    failure(
        FailureKind::Internal,
        "The engine crashed; your text is untouched.",
        &["Ask again.", "If it crashes again at the same point, please report it with the details."],
        details,
    )
}

/// Names a file with its folder, which is that of its model: “manifest.json of restorer”.
fn named(url: &str) -> String {
    let mut parts = url.split(['?', '#']).next().unwrap_or(url).rsplit('/').filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some(file), Some(folder)) if !folder.ends_with(':') => format!("{file} of “{folder}”"),
        _ => last_part(url).to_owned(),
    }
}

fn last_part(url: &str) -> &str {
    url.rsplit('/').find(|part| !part.is_empty()).unwrap_or(url)
}
