//! Reasons why requests fail, worded for the user.

use serde::{Deserialize, Serialize};

/// Reason why a job failed: plain data, worded for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Class of the failure; the page offers a different remedy for each.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: String,
    /// Likely causes and remedies, one sentence each.
    pub hints: Vec<String>,
    /// Technical details, folded away on the page.
    pub details: String,
}

/// Classes of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// The user stopped the job.
    Cancelled,
    /// The weights could not be fetched.
    Network,
    /// The model was not found.
    Missing,
    /// The weights are truncated, altered or of another model.
    Weights,
    /// The browser refused to store.
    Storage,
    /// No usable device: none found, too little memory, or the self-test failed where WebGPU was demanded.
    Device,
    /// The device was lost or made errors during a job; the worker is restarted.
    DeviceLost,
    /// The question makes no sense: no gaps, a sign number outside the text.
    Question,
    /// A message between page and engine could not be sent; both continue.
    Unposted,
    /// The engine itself crashed; the worker is restarted.
    Internal,
}
