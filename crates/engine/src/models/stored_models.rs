//! Lists and deletes stored models, and reports the space left.

use super::claim::claim;
use crate::errors;
use crate::job::Job;
use crate::models::model_files::MANIFEST;
use crate::storage::lock::{SHIPPED_LOCK, WritingRight};
use crate::storage::record::Record;
use crate::storage::source::Content;
use crate::storage::store::{ModelStore, StoreArea, estimate, is_persistent};
use crate::wasm_memory::memory;
use tuppum_protocol::{Failure, Origin, ShippedModel, StorageUsage, StoredModel, Task};
use tuppum_weights::Manifest;

/// Lists everything that is stored. If the browser refuses, the answer contains its refusal.
pub async fn list() -> StorageUsage {
    let mut usage = StorageUsage { memory: memory(), persistent: is_persistent().await, ..StorageUsage::default() };
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
