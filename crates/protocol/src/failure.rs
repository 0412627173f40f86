//! Why a request failed, worded for the user.

use serde::{Deserialize, Serialize};

/// Why a job stopped: plain data, worded for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which class of failure, each with its own way out on the page.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: String,
    /// Likely causes and what to do, one each.
    pub hints: Vec<String>,
    /// Technical details, folded away on the page.
    pub details: String,
}

/// Classes of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// The user stopped it.
    Cancelled,
    /// The weights could not be fetched.
    Network,
    /// The model was not found.
    Missing,
    /// The weights are truncated, altered or of another model.
    Weights,
    /// The browser refused to store.
    Storage,
    /// No device, too little memory on it, self-test failed where WebGPU was demanded.
    Device,
    /// The device went away or made errors in the middle of a job; the worker is rebuilt.
    DeviceLost,
    /// The question makes no sense: no gaps, a sign number outside the text.
    Question,
    /// A message between page and engine could not be handed over; both go on.
    Unposted,
    /// The engine itself broke; the worker is rebuilt.
    Internal,
}
