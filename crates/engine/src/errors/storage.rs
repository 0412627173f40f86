//! Errors of the browser's storage, and failures of the models in it and of fetching them.

use super::general::failure;
use std::fmt::{Display, Formatter};
use tuppum_protocol::{Failure, FailureKind, Repository};
use tuppum_weights::WeightsError;
use tuppum_weights::hub::Listed;

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

impl From<serde_json::Error> for StorageError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unwritable(error.to_string())
    }
}

/// Formats a number of bytes for the user.
fn size(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Failure: `config.json` is not that of a ByT5.
pub fn no_translator(whose: &str, problem: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("The model of {whose} cannot translate here: {problem}."),
        &[
            "A ByT5 is needed: a T5 of version 1.1 over bytes, such as google/byt5-small or a model trained from it.",
            "Look at the model's config.json: it says \"model_type\": \"t5\", \"vocab_size\": 384 and \
             \"feed_forward_proj\": \"gated-gelu\".",
        ],
        "config.json",
    )
}

/// Failure: a repository has no weights that can be read.
pub fn no_weights(id: &str, listed: &[Listed], error: &WeightsError) -> Failure {
    let names: Vec<&str> = listed.iter().map(|file| file.name.as_str()).collect();
    failure(
        FailureKind::Weights,
        format!("{id} has no weights that can be read here."),
        &[
            "Weights for PyTorch are needed, as safetensors or pytorch_model.bin; those of TensorFlow and JAX cannot \
             be read.",
            "Its owner, or anyone with Python, can write them: \
             AutoModelForSeq2SeqLM.from_pretrained(…).save_pretrained(…).",
        ],
        format!("{error}; it has {}", names.join(", ")),
    )
}

/// Failure: the hub cannot be reached. A failure of another kind is returned unchanged.
pub fn hub_unreachable(hub: &str, cause: Failure) -> Failure {
    if cause.kind != FailureKind::Network {
        return cause;
    }
    let hints = [
        "Check that this device is online, and that the address of the hub is right.",
        "A firewall may block the hub; then fetch the files elsewhere and drop them here.",
    ];
    failure(FailureKind::Network, format!("{hub} could not be reached."), &hints, cause.details)
}

/// Failure: the hub lacks a file that is needed, or refuses it.
pub fn not_on_hub(repository: &Repository, file: &str, status: u16) -> Failure {
    let Repository { hub, id, revision } = repository;
    let reason = match status {
        401 | 403 => {
            "The hub does not offer it to everyone: it may be private, require an agreement, or not exist at all."
        }
        404 => "Check the owner, name and revision; write them as in the address of its page on the hub.",
        429 => "The hub has been asked too often; wait a few minutes.",
        _ => "The hub may be busy; try again later.",
    };
    failure(
        FailureKind::Network,
        format!("The hub has no {file} of {id} at {revision} (answer {status})."),
        &[reason, "A model that you may use can also be fetched elsewhere and its files dropped here."],
        format!("{hub}: HTTP {status}"),
    )
}

/// Failure: a fetched file has another checksum than the hub promised.
pub fn altered_on_the_way(file: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("{file} arrived damaged: its checksum is not the one that the hub gives. It was deleted."),
        &[
            "Continue to fetch it again; a connection that breaks or a proxy that rewrites files can cause this.",
            "If this continues, fetch the file elsewhere, compare its sha256, and drop it here.",
        ],
        details,
    )
}

/// Failure: the file on the hub has changed since the download started.
pub fn changed_on_hub(file: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Network,
        format!("{file} has changed on the hub since it was first fetched, so the part that was here was deleted."),
        &[
            "Continue to fetch the new file from its beginning.",
            "If you give a commit as the revision, the file never changes.",
        ],
        details,
    )
}

/// Failure: the browser stores nothing.
pub fn nothing_stored(refusal: &StorageError) -> Failure {
    failure(
        FailureKind::Storage,
        "This browser does not let the page keep a model.",
        &[
            "A private window often stores nothing: open the page in an ordinary one.",
            "Allow this site to store data in the browser's settings.",
            "The page must be served over https or from localhost.",
        ],
        refusal,
    )
}

/// Failure: the browser has too little space.
pub fn storage_full(needed: u64, left: u64) -> Failure {
    failure(
        FailureKind::Storage,
        format!(
            "There is too little room: {} are needed, and the browser lets this site store only {} more. Nothing was \
             stored.",
            size(needed),
            size(left)
        ),
        &[
            "Delete a model that you no longer need, on the page “Models”.",
            "Make room on the device: browsers allow a site only part of the free space.",
            "The same model in 16 bits is half as large: tuppum convert FOLDER NEW-FOLDER writes it.",
        ],
        format!("{needed} bytes needed, {left} left"),
    )
}

/// Failure: the model needs more memory than a tab has on the processor.
pub fn too_large(needed: u64, reason: impl Display) -> Failure {
    failure(
        FailureKind::Device,
        format!(
            "The model needs about {} of memory, more than the 4.29 GB that a tab can use on the CPU.",
            size(needed)
        ),
        &[
            "A browser with WebGPU and a graphics device with enough memory can use it.",
            "Choose a smaller model: ByT5-small and ByT5-base fit.",
            "tuppum translate on the command line has no such limit.",
        ],
        reason,
    )
}

/// Failure: a stored model could not be deleted.
pub fn not_deleted(name: &str, refusal: impl Display) -> Failure {
    failure(
        FailureKind::Storage,
        format!("{name} could not be deleted."),
        &["Another tab may be using it: close the other tabs of this page and try again."],
        refusal,
    )
}

/// Failure: the requested model is not stored.
pub fn model_gone(name: &str, refusal: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("The model {name} is not in this browser any more."),
        &["Choose another model, or import it again, on the page “Models”."],
        refusal,
    )
}

/// Failure: the requested model is not complete.
pub fn incomplete(name: &str, present: u64, total: u64, from_hub: bool) -> Failure {
    let hint = match from_hub {
        true => "Continue fetching it on the page “Models”; what is here is kept.",
        false => "Delete it on the page “Models” and drop its files again.",
    };
    failure(
        FailureKind::Weights,
        format!("The model {name} is not complete: {} of {} are here.", size(present), size(total)),
        &[hint],
        format!("{present} of {total} bytes"),
    )
}

/// Failure: a file is missing among those that the user dropped.
pub fn file_missing(wanted: &str, names: &[&str]) -> Failure {
    failure(
        FailureKind::Weights,
        format!("{wanted} is missing among the files; a model needs it."),
        &[
            "Drop all files of the model together: config.json, and model.safetensors, pytorch_model.bin, or the \
             pieces with their index; of a restorer config.json, vocab.json and restorer.safetensors.",
            "For weights of another name or kind, tuppum convert FILE NEW-FOLDER writes files that can be read here.",
        ],
        format!("dropped: {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }),
    )
}

/// Failure: a dropped file cannot be read.
pub fn file_gone(name: &str, details: impl Display) -> Failure {
    failure(
        FailureKind::Weights,
        format!("{name} could not be read from your device."),
        &[
            "It may have been moved or changed in the meantime; choose it again.",
            "A folder cannot be dropped; open it and drop the files in it.",
        ],
        details,
    )
}
