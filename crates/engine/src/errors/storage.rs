//! What can go wrong in the browser's storage.

use super::general::thrown;
use std::fmt::{Display, Formatter};
use wasm_bindgen::JsValue;

/// Why the browser's storage did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The page is served neither over https nor from localhost.
    Insecure,
    /// The user chose to work without storing.
    NotWanted,
    /// The browser refuses, in its words.
    Refused(String),
    /// It did not answer.
    Silent,
    /// Fewer bytes were taken than given, mostly for want of space.
    Written {
        /// How many were taken.
        count: u64,
        /// Of how many.
        length: u64,
    },
    /// Fewer bytes came back than were asked for.
    Read {
        /// How many came back.
        count: u64,
        /// Of how many.
        length: u64,
    },
    /// Bytes behind the end of a file were asked for.
    PastEnd {
        /// How many were asked for.
        length: u64,
        /// From where.
        start: u64,
        /// How many the file has.
        of: u64,
    },
    /// What is to be written has no textual form.
    Unwritable(String),
    /// Another tab begins a run of training under the same name.
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
