//! Reasons why the graphics device is not used: each is the second half of a sentence that begins with “because”.

use super::model::ModelError;
use std::fmt::{Display, Formatter};

/// Reason why there is no graphics device to compute on: the second half of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum NoGpu {
    /// The browser does not offer WebGPU to this page.
    NotOffered,
    /// The browser refuses; holds its message.
    Refused(String),
    /// The browser has WebGPU but finds no device.
    NotFound,
    /// The browser does not answer.
    Silent,
    /// The engine's part for graphics devices could not be fetched.
    NotFetched(String),
    /// The device could not be opened.
    NotOpened(String),
    /// The device lacks timestamp queries, without which burn would panic at its first operation.
    NoTimestampQueries,
    /// The device is too small.
    TooSmall {
        /// Name of WebGPU's limit that is too low.
        limit: &'static str,
        /// Value that the adapter has.
        has: f64,
        /// Value that burn needs.
        least: f64,
    },
    /// The device is emulated on the processor, and only a real one is wanted.
    Imitated,
}

impl Display for NoGpu {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotOffered => out.write_str("this browser offers no WebGPU here"),
            Self::Refused(error) => write!(out, "the browser refuses a graphics device ({error})"),
            Self::NotFound => out.write_str("the browser finds no graphics device for WebGPU"),
            Self::Silent => out.write_str("the browser was asked for a graphics device and does not answer"),
            Self::NotFetched(error) => {
                write!(out, "the engine’s part for graphics devices could not be fetched ({error})")
            }
            Self::NotOpened(error) => write!(out, "its graphics device could not be opened ({error})"),
            Self::NoTimestampQueries => {
                out.write_str("the graphics device offers no timestamp queries, which the engine needs")
            }
            Self::TooSmall { limit, has, least } => {
                write!(out, "the graphics device is too small ({limit} is {has}, at least {least} is needed)")
            }
            Self::Imitated => {
                out.write_str("the browser only imitates a graphics device, more slowly than the CPU computes")
            }
        }
    }
}

/// Reason why the graphics device is not used: the second half of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejected {
    /// The user chose the processor.
    NotWanted,
    /// There is no graphics device.
    None(NoGpu),
    /// The device reported an error that no operation returned.
    Reported {
        /// Name of the device.
        gpu: String,
        /// Error that the device reported.
        error: String,
    },
    /// The model failed on the device.
    Failed {
        /// Name of the device.
        gpu: String,
        /// The error.
        error: ModelError,
    },
    /// The device computes other numbers than the reference.
    Differs {
        /// Name of the device.
        gpu: String,
        /// The largest relative difference.
        by: f32,
        /// Largest difference at which a device is trusted.
        tolerance: f32,
    },
}

impl Display for Rejected {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotWanted => out.write_str("you chose it"),
            Self::None(reason) => reason.fmt(out),
            Self::Reported { gpu, error } => write!(out, "WebGPU ({gpu}) reported an error in its self-test: {error}"),
            Self::Failed { gpu, error } => write!(out, "WebGPU ({gpu}) failed in its self-test: {error}"),
            Self::Differs { gpu, by, tolerance } => write!(
                out,
                "WebGPU ({gpu}) failed its self-test: its numbers differ by {by:.1e}, more than {tolerance:.0e}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_ends_a_sentence() {
        let gpu = || "Mesa".to_owned();
        let cases = [
            (Rejected::NotWanted, "you chose it"),
            (Rejected::None(NoGpu::NotOffered), "offers no WebGPU"),
            (Rejected::None(NoGpu::Refused("SecurityError".into())), "(SecurityError)"),
            (Rejected::None(NoGpu::NotFound), "finds no graphics device"),
            (Rejected::None(NoGpu::Silent), "does not answer"),
            (Rejected::None(NoGpu::NotFetched("404".into())), "could not be fetched (404)"),
            (Rejected::None(NoGpu::NotOpened("busy".into())), "could not be opened (busy)"),
            (Rejected::None(NoGpu::NoTimestampQueries), "timestamp queries"),
            (
                Rejected::None(NoGpu::TooSmall { limit: "maxBufferSize", has: 1.0, least: 2.0 }),
                "(maxBufferSize is 1, at least 2 is needed)",
            ),
            (Rejected::None(NoGpu::Imitated), "only imitates"),
            (
                Rejected::Reported { gpu: gpu(), error: "lost".into() },
                "WebGPU (Mesa) reported an error in its self-test: lost",
            ),
            (Rejected::Failed { gpu: gpu(), error: ModelError::Device("lost".into()) }, "failed in its self-test"),
            (Rejected::Differs { gpu: gpu(), by: 0.5, tolerance: 0.001 }, "differ by 5.0e-1, more than 1e-3"),
        ];
        for (reason, expected) in cases {
            let text = reason.to_string();
            assert!(text.contains(expected), "{text}");
            assert!(
                !text.ends_with('.') && (text.starts_with(char::is_lowercase) || text.starts_with("WebGPU")),
                "{text}"
            );
        }
    }
}
