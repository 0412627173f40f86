//! Errors of the browser's storage.

use super::general::thrown;
use std::fmt::{Display, Formatter};
use wasm_bindgen::JsValue;

/// Error of the browser's storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The page is served neither over https nor from localhost.
    Insecure,
    /// The user chose to work without storing.
    NotWanted,
    /// The browser refuses; holds its message.
    Refused(String),
    /// The storage did not answer.
    Silent,
    /// The browser wrote fewer bytes than given, mostly for lack of space.
    Written {
        /// Bytes written.
        count: u64,
        /// Bytes asked for.
        length: u64,
    },
    /// The browser read fewer bytes than asked for.
    Read {
        /// Bytes read.
        count: u64,
        /// Bytes asked for.
        length: u64,
    },
    /// Bytes beyond the end of a file were asked for.
    PastEnd {
        /// Bytes asked for.
        length: u64,
        /// First byte asked for.
        start: u64,
        /// Length of the file.
        of: u64,
    },
    /// The data cannot be written as text.
    Unwritable(String),
    /// The name is taken: another tab is just starting a training run of that name.
    RunBegins(String),
}

impl Display for StorageError {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Insecure => {
                out.write_str("this browser keeps files only for pages served over https or from localhost")
            }
            Self::NotWanted => out.write_str("you chose to work without storing"),
            Self::Silent => out.write_str(
                "the browser's storage does not answer: its disk may be busy or failing, and restarting the browser \
                 often helps",
            ),
            Self::Refused(error) | Self::Unwritable(error) => out.write_str(error),
            Self::Written { count, length } => write!(out, "only {count} of {length} bytes were written"),
            Self::Read { count, length } => write!(out, "only {count} of {length} bytes were read"),
            Self::PastEnd { length, start, of } => write!(out, "{length} bytes wanted at {start}, but there are {of}"),
            Self::RunBegins(name) => write!(out, "another tab is just starting a run named {name}"),
        }
    }
}

impl From<JsValue> for StorageError {
    fn from(error: JsValue) -> Self {
        Self::Refused(thrown(&error))
    }
}

impl From<serde_json::Error> for StorageError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unwritable(error.to_string())
    }
}
