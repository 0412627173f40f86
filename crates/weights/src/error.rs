//! Errors of a model folder: what happened, the likely cause, what to do.

use super::storage::SourceError;
use std::fmt;
use thiserror::Error;
use tuppum_nn::torso::Cancelled;

/// Reason why numbers cannot be written in a type.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum EncodingError {
    /// A number is not finite, or too large for the type.
    #[error("holds {value:e}, which {dtype} cannot hold")]
    Lost {
        /// Number that cannot be written.
        value: f32,
        /// Name of the type.
        dtype: &'static str,
    },
    /// The type is for whole numbers only.
    #[error("holds fractions, which I32 cannot hold")]
    Fractions,
}

/// Error of opening a model.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightsError {
    /// The bytes could not be read.
    Source(SourceError),
    /// A file has fewer or more bytes than expected.
    Length {
        /// Name of the file.
        file: String,
        /// Number of bytes found.
        found: u64,
        /// Number of bytes expected.
        expected: u64,
    },
    /// A file has the right length but other contents than the manifest says.
    Altered {
        /// Name of the file.
        file: String,
        /// Checksum of the file (sha256).
        found: String,
        /// Checksum in the manifest (sha256).
        expected: String,
    },
    /// The file is not a safetensors file, or it is malformed.
    Header(String),
    /// The file is not a PyTorch file that can be read, or it is malformed.
    Torch(String),
    /// A tensor is missing, unknown, misshapen or of a type that is not accepted.
    Tensor {
        /// Name of the tensor.
        name: String,
        /// Description of the problem.
        problem: String,
    },
    /// The numbers of a tensor cannot be written in the type that was asked for.
    Encoding {
        /// Name of the tensor.
        name: String,
        /// Reason why its numbers cannot be written.
        problem: EncodingError,
    },
    /// `config.json`, `vocab.json`, `manifest.json` or `golden.safetensors` is invalid.
    Folder {
        /// Name of the file.
        file: String,
        /// Description of the problem.
        problem: String,
    },
    /// The job was cancelled.
    Stopped,
}

impl WeightsError {
    /// Creates the error of a tensor.
    pub fn tensor(name: &str, problem: impl fmt::Display) -> Self {
        Self::Tensor { name: name.to_string(), problem: problem.to_string() }
    }

    /// Creates the error of a PyTorch file that says what is malformed, refused or unknown.
    pub(super) fn torch(problem: impl Into<String>) -> Self {
        Self::Torch(problem.into())
    }

    /// Creates the error of a file of the folder.
    pub fn folder(file: &str, problem: impl fmt::Display) -> Self {
        Self::Folder { file: file.to_string(), problem: problem.to_string() }
    }

    /// Returns likely cause and what to do, one sentence each.
    pub fn hints(&self) -> Vec<String> {
        let hints: &[&str] = match self {
            Self::Source(_) => &["The file is missing or the storage refused it.", "Fetch the model again."],
            Self::Length { found, expected, .. } if found < expected => {
                &["The download broke off or the disk is full.", "Delete the file and fetch it again."]
            }
            Self::Length { .. } | Self::Altered { .. } => &[
                "The file was changed, or belongs to another version of the model.",
                "Fetch the whole folder again, so that its files belong together.",
            ],
            Self::Header(_) => &[
                "The file is damaged or is no safetensors file; a server may have sent an error page in its place.",
                "Delete the file and fetch it again.",
            ],
            Self::Torch(_) => &[
                "The file is damaged, or was written in another way than torch.save(model.state_dict(), …) does today.",
                "Where Python and PyTorch are, this writes what can be read: w = torch.load('pytorch_model.bin', \
                 weights_only=True); safetensors.torch.save_file({k: v.clone() for k, v in w.items()}, \
                 'model.safetensors').",
            ],
            Self::Tensor { .. } | Self::Encoding { .. } => &[
                "The weights are those of another model than config.json describes.",
                "Use config.json and the weights of the same folder.",
            ],
            Self::Folder { .. } => &["The file was edited or damaged.", "Fetch the whole folder again."],
            Self::Stopped => &[],
        };
        hints.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for WeightsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => write!(out, "the weights could not be read: {error}"),
            Self::Length { file, found, expected } if found < expected => {
                write!(out, "{file} is truncated: it has {found} bytes of {expected}")
            }
            Self::Length { file, found, expected } => {
                write!(out, "{file} is too long: it has {found} bytes instead of {expected}")
            }
            Self::Altered { file, found, expected } => {
                write!(out, "{file} was altered: its sha256 is {found} instead of {expected}")
            }
            Self::Header(problem) => write!(out, "this is no valid safetensors file: {problem}"),
            Self::Torch(problem) => write!(out, "this file of PyTorch cannot be read: {problem}"),
            Self::Tensor { name, problem } => write!(out, "the weights do not fit: tensor {name} {problem}"),
            Self::Encoding { name, problem } => write!(out, "the weights do not fit: tensor {name} {problem}"),
            Self::Folder { file, problem } => write!(out, "{file} cannot be used: {problem}"),
            Self::Stopped => write!(out, "loading was cancelled"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl From<SourceError> for WeightsError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<Cancelled> for WeightsError {
    fn from(_: Cancelled) -> Self {
        Self::Stopped
    }
}
