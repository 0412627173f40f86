//! What is noted about a kept model, beside its files.

use crate::engine::protocol::{Craft, KeptFile, KeptModel, Origin};
use crate::engine::source::Content;
use crate::engine::store::{Room, Shelf};
use crate::weights::FileEntry;
use serde::{Deserialize, Serialize};

/// The file of the record.
pub const RECORD: &str = "record.json";

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
}

impl RecordedFile {
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

impl Record {
    /// The record in a model's folder; none if it is not there or cannot be read.
    pub async fn read(shelf: &Shelf) -> Option<Self> {
        let bytes = Content::Stored(shelf.file(RECORD).await?).whole().await.ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the record.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub async fn write(&self, shelf: &Shelf) -> Result<(), String> {
        let json = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        shelf.write(RECORD, &json).await
    }

    /// A file of the model.
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// What the page is told, with how much of every file is here.
    pub async fn told(&self, name: &str, shelf: &Shelf) -> KeptModel {
        let mut files = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let present = shelf.file(&file.name).await.map_or(0, |stored| Content::Stored(stored).len());
            let RecordedFile { name, bytes, sha256, .. } = file.clone();
            files.push(KeptFile { name, bytes, present: present.min(bytes), sha256 });
        }
        let (origin, added, parameters) = (self.origin.clone(), self.added, self.parameters);
        KeptModel { name: name.to_owned(), craft: self.craft, origin, added, parameters, files }
    }

    /// Notes that a stored file turned out to be damaged, and removes it, so that it can be fetched again.
    pub async fn discard(name: &str, file: &str) {
        let Ok(shelf) = Shelf::of(Room::Kept, name, false).await else { return };
        let Some(mut record) = Self::read(&shelf).await else { return };
        record.files.iter_mut().filter(|kept| kept.name == file).for_each(|kept| kept.sha256 = None);
        shelf.remove(file).await;
        // what cannot be noted is noticed again the next time that the model is opened
        let _ = record.write(&shelf).await;
    }
}
