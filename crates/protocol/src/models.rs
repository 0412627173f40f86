//! Models in the browser's storage: where they come from, what a hub offers, how much room they take.

use super::ModelRef;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tuppum_tasks::training_memory::ModelSize;

/// The address of the hub unless the user names another; asked only on the user's word.
pub const DEFAULT_HUB: &str = "https://huggingface.co";
/// The state of a repository unless the user names another.
pub const DEFAULT_REVISION: &str = "main";

/// A model on a hub, whose files are at `{hub}/{id}/resolve/{revision}/{file}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The hub's address.
    pub hub: String,
    /// Owner and name: `google/byt5-small`.
    pub id: String,
    /// Branch, tag or commit.
    pub revision: String,
}

/// What is wrong with a repository as typed, for the user.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RepositoryError {
    /// The hub is no address.
    #[error("“{0}” is not the address of a hub; such an address begins with https://")]
    Hub(String),
    /// Owner and name are not as hubs have them.
    #[error("A repository is named by its owner and its name, such as google/byt5-small.")]
    Id,
    /// The revision has letters that no revision has.
    #[error("“{0}” is not the name of a branch, tag or commit.")]
    Revision(String),
}

impl Repository {
    /// The repository as typed, without spaces around and slashes at the ends; empty fields take their defaults.
    ///
    /// # Errors
    /// [`RepositoryError`] says which field cannot be what it should be.
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

    /// The address of a file.
    pub fn file(&self, name: &str) -> String {
        format!("{}/{}/resolve/{}/{name}", self.hub, self.id, self.revision)
    }

    /// The name under which the model is stored: the same for the same repository, whatever its state of completion.
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

/// A name with only letters, digits, `-`, `_` and `.`, such as every file system takes.
pub fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches(['.', '-']).to_owned();
    if name.is_empty() { "model".to_owned() } else { name.chars().take(80).collect() }
}

/// What a hub has, before a byte of its weights is fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Repository of the model.
    pub repository: Repository,
    /// Number of parameters, from `config.json`.
    pub parameters: u64,
    /// Bytes that the model needs in memory, estimated: it computes in 32 bits, whatever the file has.
    pub memory: u64,
    /// Files of the model.
    pub files: Vec<OfferedFile>,
    /// Bytes of it that are stored already.
    pub present: u64,
    /// Bytes that the browser still lets this site store, when it tells.
    pub free: Option<u64>,
}

impl Offer {
    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// A file that a hub has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the file.
    pub bytes: u64,
    /// Checksum of the file (sha256), when the hub states it.
    pub sha256: Option<String>,
}

/// What the browser stores for this site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageUsage {
    /// Models that the user fetched, imported or trained, by name.
    pub stored: Vec<StoredModel>,
    /// Models that come with the page.
    pub shipped: Vec<ShippedModel>,
    /// Bytes that this site stores, when the browser tells.
    pub used: Option<u64>,
    /// Bytes that it may store, when the browser tells.
    pub quota: Option<u64>,
    /// Whether the browser has promised to throw nothing away by itself.
    pub persistent: Option<bool>,
    /// Why nothing can be stored, if so.
    pub refusal: Option<String>,
    /// Bytes of the engine's own memory, which never shrinks: the most that it ever held.
    pub memory: u64,
}

/// A model that comes with the page, as far as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedModel {
    /// The last part of its folder: `restorer`.
    pub name: String,
    /// Bytes of its files.
    pub bytes: u64,
}

/// A model that the user fetched, imported or trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredModel {
    /// Under which it is opened, as [`ModelRef::Stored`].
    pub name: String,
    /// What it is used for.
    #[serde(default)]
    pub task: super::Task,
    /// Where it comes from.
    pub origin: Origin,
    /// When it was stored, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters, from its `config.json`.
    pub parameters: u64,
    /// How large it is, once its `config.json` is here.
    #[serde(default)]
    pub size: Option<ModelSize>,
    /// Files of the model.
    pub files: Vec<StoredFile>,
}

/// Where a stored model comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// From a hub.
    Hub(Repository),
    /// From files on this device.
    Files,
    /// Trained here, from this base.
    Trained(ModelRef),
    /// A copy of this model with another hyperbolic bias, or without one.
    Copied(ModelRef),
    /// What was noted about it cannot be read any more.
    Unknown,
}

/// A file of a stored model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Name of the file.
    pub name: String,
    /// Length of the whole file.
    pub bytes: u64,
    /// Bytes that are here.
    pub present: u64,
    /// Its sha256, once it is whole and was compared.
    pub sha256: Option<String>,
}

impl StoredModel {
    /// Bytes of all files when they are whole.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Bytes that are here.
    pub fn present(&self) -> u64 {
        self.files.iter().map(|file| file.present).sum()
    }

    /// Whether every file is whole and compared with its checksum.
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
