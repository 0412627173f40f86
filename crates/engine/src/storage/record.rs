//! The record of a stored model, next to its files.
//!
//! A model from a hub has a record of its incoming files until these are complete and verified. If the model is stored
//! already, the new files lie next to those in use, which are replaced only then.

use crate::errors::StorageError;
use crate::models::model_files::CONFIG;
use crate::storage::store::{Content, ModelStore, StoreArea};
use serde::{Deserialize, Serialize};
use tuppum_protocol::{ModelSize, Origin, StoredFile, StoredModel, Task};
use tuppum_weights::FileEntry;

/// File name of the record of a complete model.
pub const RECORD: &str = "record.json";
/// File name of the record of a model, or a new version of it, that is being fetched.
pub const COMING: &str = "coming.json";
/// Suffix of a file while another one of the same name is still in use.
const NEXT: &str = ".next";

/// Record of a stored model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Task that the model is used for.
    #[serde(default, rename = "craft")]
    pub task: Task,
    /// Origin of the model.
    pub origin: Origin,
    /// Time of storing, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters.
    pub parameters: u64,
    /// Files of the model, including missing ones.
    pub files: Vec<RecordedFile>,
}

/// Record of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the complete file.
    pub bytes: u64,
    /// Checksum (sha256) that the server promised.
    pub promised: Option<String>,
    /// Tag by which the server tells versions of the file apart.
    pub tag: Option<String>,
    /// Checksum (sha256) of the file, once it is complete and verified.
    pub sha256: Option<String>,
    /// Name under which the file is stored, if not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl RecordedFile {
    /// Returns the name under which the file is stored in the folder.
    pub fn place(&self) -> &str {
        self.at.as_deref().unwrap_or(&self.name)
    }

    /// Returns `true` if both are the same version of the same file, as far as the server tells; a partial file may
    /// then be continued as the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let known = |file: &Self| file.promised.clone().or_else(|| file.tag.clone());
        self.name == other.name && self.bytes == other.bytes && known(self).is_some() && known(self) == known(other)
    }

    /// Returns the file as a manifest entry, once it is complete.
    pub fn entry(&self) -> Option<FileEntry> {
        let sha256 = self.sha256.clone()?;
        Some(FileEntry { name: self.name.clone(), bytes: self.bytes, sha256 })
    }
}

/// Records of a model's folder, at most two.
pub struct Here {
    /// Version that is in use.
    pub whole: Option<Record>,
    /// Version that is being fetched.
    pub coming: Option<Record>,
}

impl Here {
    /// Reads both records, as far as they exist.
    pub async fn read(store: &ModelStore) -> Self {
        Self { whole: Record::read_as(store, RECORD).await, coming: Record::read_as(store, COMING).await }
    }

    /// Returns the record of the same version of this file, complete or partial, if there is one.
    pub fn same(&self, file: &RecordedFile) -> Option<&RecordedFile> {
        let both = self.whole.iter().chain(&self.coming);
        both.filter_map(|record| record.file(&file.name)).find(|old| old.is_same(file))
    }

    /// Returns another name under which to store a new file, if its own name is in use.
    pub fn free(&self, name: &str) -> Option<String> {
        let taken = self.whole.iter().flat_map(|record| &record.files).any(|file| file.place() == name);
        taken.then(|| format!("{name}{NEXT}"))
    }
}

impl Record {
    /// Reads the record in a model's folder: of the complete model, or else of the one being fetched; `None` if neither
    /// can be read.
    pub async fn read(store: &ModelStore) -> Option<Self> {
        let Here { whole, coming } = Here::read(store).await;
        whole.or(coming)
    }

    async fn read_as(store: &ModelStore, name: &str) -> Option<Self> {
        let bytes = Content::Stored(store.file(name).await?).whole().await.ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the record as that of the complete model.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub async fn write(&self, store: &ModelStore) -> Result<(), StorageError> {
        self.write_as(store, RECORD).await
    }

    /// Writes the record as that of the model being fetched.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub async fn write_coming(&self, store: &ModelStore) -> Result<(), StorageError> {
        self.write_as(store, COMING).await
    }

    async fn write_as(&self, store: &ModelStore, name: &str) -> Result<(), StorageError> {
        let json = serde_json::to_vec(self)?;
        store.write(name, &json).await
    }

    /// Returns the names of all files in the folder that belong to the model, if this is the record of the complete
    /// model.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.place().to_owned()).chain([RECORD.to_owned()]).collect()
    }

    /// Returns the record of a file.
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Describes the model for the page, with the bytes of each file that have arrived.
    pub async fn describe(&self, name: &str, store: &ModelStore) -> StoredModel {
        let mut files = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let present = store.file(file.place()).await.map_or(0, |stored| Content::Stored(stored).len());
            let RecordedFile { name, bytes, sha256, .. } = file.clone();
            files.push(StoredFile { name, bytes, present: present.min(bytes), sha256 });
        }
        let (origin, added, parameters) = (self.origin.clone(), self.added, self.parameters);
        let size = self.size(store).await;
        StoredModel { name: name.to_owned(), task: self.task, origin, added, parameters, size, files }
    }

    /// Returns the size of the model; `None` before its `config.json` has arrived.
    async fn size(&self, store: &ModelStore) -> Option<ModelSize> {
        let config = Content::Stored(store.file(self.file(CONFIG)?.place()).await?).whole().await.ok()?;
        match self.task {
            Task::Translation => ModelSize::of_translator(&config),
            Task::Restoration => ModelSize::of_restorer(&config),
        }
    }

    /// Records that a stored file of a complete model is damaged, and deletes the file, so that it can be fetched
    /// again.
    pub async fn discard(name: &str, entry: &FileEntry) {
        let Ok(store) = ModelStore::of(StoreArea::Stored, name, false).await else { return };
        let Some(mut record) = Self::read_as(&store, RECORD).await else { return };
        for own in record.files.iter_mut().filter(|own| own.entry().as_ref() == Some(entry)) {
            own.sha256 = None;
            store.remove(own.place()).await;
        }
        // If the record cannot be written, the damage is noticed again when the model is opened next.
        let _ = record.write(&store).await;
    }
}
