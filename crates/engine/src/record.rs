//! The record of a stored model, beside its files.
//!
//! A model from a hub is noted as coming until it is whole and was checked. So is the next state of a model that is
//! stored already: its files lie beside those of the state before, which stays in use until then.

use crate::errors::StorageError;
use crate::model_files::CONFIG;
use crate::source::Content;
use crate::store::{ModelStore, StoreArea};
use serde::{Deserialize, Serialize};
use tuppum_protocol::{ModelSize, Origin, StoredFile, StoredModel, Task};
use tuppum_weights::FileEntry;

/// The file of the record of a model that is whole.
pub const RECORD: &str = "record.json";
/// The file of the record of a model, or of its next state, that is on its way.
pub const COMING: &str = "coming.json";
/// What is put behind the name of a file while one of its name stays in use.
const NEXT: &str = ".next";

/// The record of a stored model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Task that the model is used for.
    #[serde(default, rename = "craft")]
    pub task: Task,
    /// Origin of the model.
    pub origin: Origin,
    /// When it was stored, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters.
    pub parameters: u64,
    /// Files of the model, those still missing too.
    pub files: Vec<RecordedFile>,
}

/// The record of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the whole file.
    pub bytes: u64,
    /// The sha256 that the server promised.
    pub promised: Option<String>,
    /// The tag by which the server tells states of the file apart.
    pub tag: Option<String>,
    /// Its sha256, once it is whole and was compared.
    pub sha256: Option<String>,
    /// The name under which it lies, where it is not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl RecordedFile {
    /// The name under which it lies in the folder.
    pub fn place(&self) -> &str {
        self.at.as_deref().unwrap_or(&self.name)
    }

    /// Whether both are the same state of the same file, as far as the server tells; a part of the one may then be
    /// continued as the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let known = |file: &Self| file.promised.clone().or_else(|| file.tag.clone());
        self.name == other.name && self.bytes == other.bytes && known(self).is_some() && known(self) == known(other)
    }

    /// As the entry of a manifest, once it is whole.
    pub fn entry(&self) -> Option<FileEntry> {
        let sha256 = self.sha256.clone()?;
        Some(FileEntry { name: self.name.clone(), bytes: self.bytes, sha256 })
    }
}

/// What the records of a model's folder have.
pub struct Here {
    /// The state that is in use.
    pub whole: Option<Record>,
    /// The one that is on its way.
    pub coming: Option<Record>,
}

impl Here {
    /// Both records, as far as they are there.
    pub async fn read(store: &ModelStore) -> Self {
        Self { whole: Record::read_as(store, RECORD).await, coming: Record::read_as(store, COMING).await }
    }

    /// What is here of the same state of this file, whole or in part.
    pub fn same(&self, file: &RecordedFile) -> Option<&RecordedFile> {
        let both = self.whole.iter().chain(&self.coming);
        both.filter_map(|record| record.file(&file.name)).find(|old| old.is_same(file))
    }

    /// Where a file of this name that has come anew may lie; nothing if under its own name.
    pub fn free(&self, name: &str) -> Option<String> {
        let taken = self.whole.iter().flat_map(|record| &record.files).any(|file| file.place() == name);
        taken.then(|| format!("{name}{NEXT}"))
    }
}

impl Record {
    /// The record in a model's folder, of the model that is whole or else of that which is on its way; none if neither
    /// is there or can be read.
    pub async fn read(store: &ModelStore) -> Option<Self> {
        let Here { whole, coming } = Here::read(store).await;
        whole.or(coming)
    }

    async fn read_as(store: &ModelStore, name: &str) -> Option<Self> {
        let bytes = Content::Stored(store.file(name).await?).whole().await.ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the record as that of the model that is whole.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub async fn write(&self, store: &ModelStore) -> Result<(), StorageError> {
        self.write_as(store, RECORD).await
    }

    /// Writes the record as that of what is on its way.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub async fn write_coming(&self, store: &ModelStore) -> Result<(), StorageError> {
        self.write_as(store, COMING).await
    }

    async fn write_as(&self, store: &ModelStore, name: &str) -> Result<(), StorageError> {
        let json = serde_json::to_vec(self)?;
        store.write(name, &json).await
    }

    /// The names in the folder that belong to the model when this record is that of the model that is whole.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.place().to_owned()).chain([RECORD.to_owned()]).collect()
    }

    /// A file of the model.
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Describes the model to the page, with how much of every file is here.
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

    /// How large the model is; `None` before its `config.json` is here.
    async fn size(&self, store: &ModelStore) -> Option<ModelSize> {
        let config = Content::Stored(store.file(self.file(CONFIG)?.place()).await?).whole().await.ok()?;
        match self.task {
            Task::Translation => ModelSize::of_translator(&config),
            Task::Restoration => ModelSize::of_restorer(&config),
        }
    }

    /// Notes that a stored file of a model that is whole turned out not to be what it should, and removes it, so that
    /// it can be fetched again.
    pub async fn discard(name: &str, entry: &FileEntry) {
        let Ok(store) = ModelStore::of(StoreArea::Stored, name, false).await else { return };
        let Some(mut record) = Self::read_as(&store, RECORD).await else { return };
        for own in record.files.iter_mut().filter(|own| own.entry().as_ref() == Some(entry)) {
            own.sha256 = None;
            store.remove(own.place()).await;
        }
        // what cannot be noted is noticed again the next time that the model is opened
        let _ = record.write(&store).await;
    }
}
