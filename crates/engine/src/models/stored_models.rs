//! Stored models: their records in the storage, listing and deleting them, and the right to write one.

use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::records::model::{COMING, FolderRecords, RECORD, Record, RecordedFile};
use crate::records::names::{CONFIG, MANIFEST, first_free};
use crate::storage::lock::{SHIPPED_LOCK, WritingRight};
use crate::storage::store::{Content, ModelStore, StoreArea, estimate, is_persistent};
use crate::wasm_module::wasm_memory;
use tuppum_protocol::{Failure, ModelSize, Origin, ShippedModel, StorageUsage, StoredFile, StoredModel, Task};
use tuppum_weights::{FileEntry, Manifest};

/// Lists everything that is stored. If the browser refuses, the answer contains its refusal.
pub async fn list() -> StorageUsage {
    let mut usage =
        StorageUsage { memory: wasm_memory(), persistent: is_persistent().await, ..StorageUsage::default() };
    if let Some(estimate) = estimate().await {
        (usage.used, usage.quota) = (Some(estimate.used), Some(estimate.quota));
    }
    match StoreArea::Stored.names().await {
        Ok(mut names) => {
            names.sort_unstable();
            for name in names {
                usage.stored.extend(stored(&name).await);
            }
        }
        Err(refusal) => usage.refusal = Some(refusal.to_string()),
    }
    let mut names = StoreArea::Shipped.names().await.unwrap_or_default();
    names.sort_unstable();
    for name in names {
        usage.shipped.extend(shipped(name).await);
    }
    usage
}

impl FolderRecords {
    /// Reads both records, as far as they exist.
    pub async fn read(store: &ModelStore) -> Self {
        Self { whole: Record::read_as(store, RECORD).await, coming: Record::read_as(store, COMING).await }
    }
}

impl Record {
    /// Reads the record in a model's folder: of the complete model, or else of the one being fetched; `None` if neither
    /// can be read.
    pub async fn read(store: &ModelStore) -> Option<Self> {
        let FolderRecords { whole, coming } = FolderRecords::read(store).await;
        whole.or(coming)
    }

    async fn read_as(store: &ModelStore, name: &str) -> Option<Self> {
        Self::from_json(&Content::Stored(store.file(name).await?).whole().await.ok()?)
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
        for place in record.mark_damaged(entry) {
            store.remove(&place).await;
        }
        // If the record cannot be written, the damage is noticed again when the model is opened next.
        let _ = record.write(&store).await;
    }
}

async fn stored(name: &str) -> Option<StoredModel> {
    let store = ModelStore::of(StoreArea::Stored, name, false).await.ok()?;
    match Record::read(&store).await {
        Some(record) => Some(record.describe(name, &store).await),
        None => {
            let (task, origin, files) = (Task::default(), Origin::Unknown, Vec::new());
            Some(StoredModel { name: name.to_owned(), task, origin, added: 0.0, parameters: 0, size: None, files })
        }
    }
}

/// Describes a shipped model, if its manifest is stored, which is written last.
async fn shipped(name: String) -> Option<ShippedModel> {
    let store = ModelStore::of(StoreArea::Shipped, &name, false).await.ok()?;
    let manifest = Content::Stored(store.file(MANIFEST).await?).whole().await.ok()?;
    let manifest = Manifest::from_json(&manifest).ok()?;
    Some(ShippedModel { name, bytes: manifest.files.iter().map(|file| file.bytes).sum() })
}

/// Deletes a stored model, once no tab writes it.
///
/// # Errors
/// The browser refuses, or the job was cancelled while another tab was writing.
pub async fn delete(job: &Job, name: &str) -> Result<(), Failure> {
    let _right = claim(job, name).await?;
    StoreArea::Stored.remove(name).await.map_err(|refusal| errors::not_deleted(name, refusal))
}

/// Deletes the stored copy of a shipped model, once no tab writes it. It is fetched again when it is used.
///
/// # Errors
/// The browser refuses, or the job was cancelled while another tab was writing.
pub async fn delete_shipped(job: &Job, name: &str) -> Result<(), Failure> {
    let _right = WritingRight::wait(SHIPPED_LOCK, &job.token).await;
    StoreArea::Shipped.remove(name).await.map_err(|refusal| errors::not_deleted(name, refusal))
}

/// Claims the right to write the model of this name, waiting for other tabs.
///
/// # Errors
/// The browser refuses, or the job was cancelled.
pub async fn claim(job: &Job, name: &str) -> Result<WritingRight, Failure> {
    let right = WritingRight::wait(&format!("tuppum-kept-{name}"), &job.token).await;
    right.map_err(|refusal| if job.token.is_cancelled() { errors::cancelled() } else { errors::storage(name, refusal) })
}

/// Returns a free name, numbered if another model has the wanted name, and the right to write that model.
///
/// # Errors
/// The same as those of [`claim`], or the browser stores nothing.
pub async fn claim_free(job: &Job, wanted: &str) -> Result<(String, WritingRight), Failure> {
    loop {
        let name = free_name(wanted).await?;
        let right = claim(job, &name).await?;
        // If the name is not free now, another tab took it while this one waited.
        if free_name(&name).await? == name {
            return Ok((name, right));
        }
    }
}

/// Returns the name, numbered if another model has it already.
async fn free_name(name: &str) -> Result<String, Failure> {
    let taken = StoreArea::Stored.names().await.map_err(|refusal| errors::nothing_stored(&refusal))?;
    Ok(first_free(name, &taken))
}
