//! What is noted about a kept model, beside its files.
//!
//! A model from a hub is noted as coming until it is whole and was checked. So is the next state of a model that is kept
//! already: its files lie beside those of the state before, which stays in use until then.

use crate::source::Content;
use crate::store::{Room, Shelf};
use serde::{Deserialize, Serialize};
use tuppum_protocol::{Craft, KeptFile, KeptModel, Origin};
use tuppum_weights::FileEntry;

/// The file of the record of a model that is whole.
pub const RECORD: &str = "record.json";
/// The file of the record of a model, or of its next state, that is on its way.
pub const COMING: &str = "coming.json";
/// What is put behind the name of a file while one of its name stays in use.
const NEXT: &str = ".next";

/// What is noted about a kept model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What it is used for.
    #[serde(default)]
    pub craft: Craft,
    /// Where it comes from.
    pub origin: Origin,
    /// When it was brought, in milliseconds since 1970.
    pub added: f64,
    /// Number of parameters.
    pub parameters: u64,
    /// Its files, those still missing too.
    pub files: Vec<RecordedFile>,
}

/// What is noted about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Its name.
    pub name: String,
    /// Its length when it is whole.
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

/// What a model's folder says of itself.
pub struct Here {
    /// The state that is in use.
    pub whole: Option<Record>,
    /// The one that is on its way.
    pub coming: Option<Record>,
}

impl Here {
    /// Both records, as far as they are there.
    pub async fn read(shelf: &Shelf) -> Self {
        Self { whole: Record::read_as(shelf, RECORD).await, coming: Record::read_as(shelf, COMING).await }
    }

    /// The same state of this file, if it or a part of it is here.
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
    /// The record in a model's folder, of the model that is whole or else of that which is on its way; none if neither is
    /// there or can be read.
    pub async fn read(shelf: &Shelf) -> Option<Self> {
        let Here { whole, coming } = Here::read(shelf).await;
        whole.or(coming)
    }

    async fn read_as(shelf: &Shelf, name: &str) -> Option<Self> {
        let bytes = Content::Stored(shelf.file(name).await?).whole().await.ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the record as that of the model that is whole.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub async fn write(&self, shelf: &Shelf) -> Result<(), String> {
        self.write_as(shelf, RECORD).await
    }

    /// Writes the record as that of what is on its way.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub async fn write_coming(&self, shelf: &Shelf) -> Result<(), String> {
        self.write_as(shelf, COMING).await
    }

    async fn write_as(&self, shelf: &Shelf, name: &str) -> Result<(), String> {
        let json = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        shelf.write(name, &json).await
    }

    /// The names in the folder that belong to the model when this record is that of the model that is whole.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.place().to_owned()).chain([RECORD.to_owned()]).collect()
    }

    /// A file of the model.
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// What the page is told, with how much of every file is here.
    pub async fn told(&self, name: &str, shelf: &Shelf) -> KeptModel {
        let mut files = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let present = shelf.file(file.place()).await.map_or(0, |stored| Content::Stored(stored).len());
            let RecordedFile { name, bytes, sha256, .. } = file.clone();
            files.push(KeptFile { name, bytes, present: present.min(bytes), sha256 });
        }
        let (origin, added, parameters) = (self.origin.clone(), self.added, self.parameters);
        KeptModel { name: name.to_owned(), craft: self.craft, origin, added, parameters, files }
    }

    /// Notes that a stored file of a model that is whole turned out not to be what it should, and removes it, so that it can
    /// be fetched again.
    pub async fn discard(name: &str, entry: &FileEntry) {
        let Ok(shelf) = Shelf::of(Room::Kept, name, false).await else { return };
        let Some(mut record) = Self::read_as(&shelf, RECORD).await else { return };
        for kept in record.files.iter_mut().filter(|kept| kept.entry().as_ref() == Some(entry)) {
            kept.sha256 = None;
            shelf.remove(kept.place()).await;
        }
        // what cannot be noted is noticed again the next time that the model is opened
        let _ = record.write(&shelf).await;
    }
}
