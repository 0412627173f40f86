//! Stored models: listing and deleting them, the space left, and the right to write one.

use crate::errors;
use crate::job::Job;
use crate::models::model_files::MANIFEST;
use crate::storage::lock::{SHIPPED_LOCK, WritingRight};
use crate::storage::record::Record;
use crate::storage::store::{Content, ModelStore, StoreArea, estimate, is_persistent};
use crate::wasm_module::wasm_memory;
use tuppum_protocol::{Failure, Origin, ShippedModel, StorageUsage, StoredModel, Task};
use tuppum_weights::Manifest;

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
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
    Ok((1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned()))
}
