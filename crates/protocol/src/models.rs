//! Models in the browser's storage: their origin, offers of a hub, and the space they take.

use super::ModelRef;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tuppum_domain::training_memory::ModelSize;

/// Default address of the hub; it is contacted only when the user asks for it.
pub const DEFAULT_HUB: &str = "https://huggingface.co";
/// Default revision of a repository.
pub const DEFAULT_REVISION: &str = "main";

/// Model repository on a hub. Its files are at `{hub}/{id}/resolve/{revision}/{file}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Address of the hub.
    pub hub: String,
    /// Owner and name: `google/byt5-small`.
    pub id: String,
    /// Branch, tag or commit.
    pub revision: String,
}

/// Error in a repository as the user typed it, worded for the user.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RepositoryError {
    /// The hub is not an address.
    #[error("“{0}” is not the address of a hub; such an address begins with https://")]
    Hub(String),
    /// Owner and name do not have the form OWNER/NAME.
    #[error("A repository is named by its owner and its name, such as google/byt5-small.")]
    Id,
    /// The revision contains characters that no revision has.
    #[error("“{0}” is not the name of a branch, tag or commit.")]
    Revision(String),
}

impl Repository {
    /// Reads a repository as typed, without surrounding spaces and slashes; empty fields get their defaults.
    ///
    /// # Errors
    /// [`RepositoryError`] names the field that is wrong.
    pub fn typed(hub: &str, id: &str, revision: &str) -> Result<Self, RepositoryError> {
        let or = |typed: &str, default: &str| if typed.is_empty() { default.to_owned() } else { typed.to_owned() };
        let hub = or(hub.trim().trim_end_matches('/'), DEFAULT_HUB);
        let id = id.trim().trim_matches('/').to_owned();
        let revision = or(revision.trim(), DEFAULT_REVISION);
        let is_word = |part: &str| {
            let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !part.is_empty() && part.chars().all(letter) && !part.starts_with('.')
        };
        let address = hub.strip_prefix("https://").or_else(|| hub.strip_prefix("http://"));
        if !address.is_some_and(|rest| !rest.is_empty() && !rest.contains([' ', '?', '#', '@', '\\'])) {
            return Err(RepositoryError::Hub(hub));
        }
        if !(id.split('/').count() <= 2 && id.split('/').all(is_word)) {
            return Err(RepositoryError::Id);
        }
        if !revision.split('/').all(is_word) {
            return Err(RepositoryError::Revision(revision));
        }
        Ok(Self { hub, id, revision })
    }

    /// Returns the address of a file.
    pub fn file(&self, name: &str) -> String {
        format!("{}/{}/resolve/{}/{name}", self.hub, self.id, self.revision)
    }

    /// Returns the name under which the model is stored. It is the same for the same repository, whether complete or
    /// not.
    pub fn stored_name(&self) -> String {
        let mut name = self.id.replace('/', "--");
        if self.revision != DEFAULT_REVISION {
            name = format!("{name}--{}", self.revision);
        }
        if self.hub != DEFAULT_HUB {
            let address = self.hub.split_once("://").map_or(self.hub.as_str(), |(_, rest)| rest);
            name = format!("{name}--{address}");
        }
        plain_name(&name)
    }
}

/// Returns a name of letters, digits, `-`, `_` and `.` only, which every file system accepts.
pub fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches(['.', '-']).to_owned();
    if name.is_empty() { "model".to_owned() } else { name.chars().take(80).collect() }
}

/// Model that a hub offers, described before any weights are fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Repository of the model.
    pub repository: Repository,
    /// Number of parameters, from `config.json`.
    pub parameters: u64,
    /// Estimated memory in bytes. The model computes in 32 bits, whatever the precision of its files.
    pub memory: u64,
    /// Files of the model.
    pub files: Vec<OfferedFile>,
    /// Bytes of the model that are already stored.
    pub present: u64,
    /// Bytes that this site may still store, if the browser reports it.
    pub free: Option<u64>,
}

impl Offer {
    /// Returns the size of all files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// File that a hub offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the file.
    pub bytes: u64,
    /// Checksum of the file (sha256), if the hub states it.
    pub sha256: Option<String>,
}

/// Everything that the browser stores for this site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageUsage {
    /// Models that the user fetched, imported or trained, by name.
    pub stored: Vec<StoredModel>,
    /// Models shipped with the page.
    pub shipped: Vec<ShippedModel>,
    /// Bytes that this site stores, if the browser reports it.
    pub used: Option<u64>,
    /// Bytes that this site may store in all, if the browser reports it.
    pub quota: Option<u64>,
    /// `true` if the browser has promised not to delete anything by itself; `None` if it does not say.
    pub persistent: Option<bool>,
    /// Reason why nothing can be stored, if so.
    pub refusal: Option<String>,
    /// Bytes of the engine's own memory. It never shrinks, so this is the peak.
    pub memory: u64,
}

/// Shipped model that is in the browser's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedModel {
    /// Last part of the model's folder, such as `restorer`.
    pub name: String,
    /// Size of the model's files in bytes.
    pub bytes: u64,
}

/// Model that the user fetched, imported or trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredModel {
    /// Name of the model, as in [`ModelRef::Stored`].
    pub name: String,
    /// Task that the model is used for.
    #[serde(default)]
    pub task: super::Task,
    /// Origin of the model.
    pub origin: Origin,
    /// Time of storing, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters, from `config.json`.
    pub parameters: u64,
    /// Size of the model; `None` until `config.json` has arrived.
    #[serde(default)]
    pub size: Option<ModelSize>,
    /// Files of the model.
    pub files: Vec<StoredFile>,
}

/// Origin of a stored model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Fetched from a hub.
    Hub(Repository),
    /// Imported from files on this device.
    Files,
    /// Trained in this browser, from this base.
    Trained(ModelRef),
    /// Copy of this model with another hyperbolic bias, or without one.
    Copied(ModelRef),
    /// Unknown: the model's record cannot be read.
    Unknown,
}

/// File of a stored model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Name of the file.
    pub name: String,
    /// Length of the whole file.
    pub bytes: u64,
    /// Bytes that have arrived.
    pub present: u64,
    /// Checksum of the file (sha256), once it is complete and verified.
    pub sha256: Option<String>,
}

impl StoredModel {
    /// Returns the size of all complete files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Returns how many bytes have arrived.
    pub fn present(&self) -> u64 {
        self.files.iter().map(|file| file.present).sum()
    }

    /// Returns `true` if every file is complete and verified by its checksum.
    pub fn is_complete(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| file.sha256.is_some() && file.present == file.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_as_people_type_them() {
        let typed = Repository::typed(" ", " google/byt5-small/ ", "").unwrap();
        assert_eq!(typed.file("config.json"), "https://huggingface.co/google/byt5-small/resolve/main/config.json");
        assert_eq!(typed.stored_name(), "google--byt5-small");
        let local = Repository::typed("http://127.0.0.1:99/hub/", "a/b", "v1.0").unwrap();
        assert_eq!(local.file("x"), "http://127.0.0.1:99/hub/a/b/resolve/v1.0/x");
        assert_eq!(local.stored_name(), "a--b--v1.0--127.0.0.1-99-hub");
        for (hub, id, revision) in [
            ("", "", ""),
            ("", "a/b/c", ""),
            ("", "a/../b", ""),
            ("", "a b/c", ""),
            ("ftp://x", "a/b", ""),
            ("", "a/b", "x?y"),
        ] {
            assert!(Repository::typed(hub, id, revision).is_err(), "{hub} {id} {revision}");
        }
    }

    #[test]
    fn names_that_every_file_system_takes() {
        for (name, plain) in [("My model (2)", "My-model--2"), ("../..", "model"), ("šumma", "umma")] {
            assert_eq!(plain_name(name), plain);
        }
    }
}
