//! What the browser keeps: every model with its state, and how much room there is.

use super::lock;
use super::record::Record;
use crate::errors;
use crate::folder::MANIFEST;
use crate::jobs::Job;
use crate::source::Content;
use crate::store::{Room, Shelf, WritingRight, estimate, is_persistent};
use tuppum_protocol::{Craft, Failure, KeptModel, Origin, Shelves, StoredFolder};
use tuppum_weights::Manifest;

/// Everything that is kept. Where the browser refuses, the refusal is told, not failed with.
pub async fn list() -> Shelves {
    let mut shelves = Shelves { memory: memory(), persistent: is_persistent().await, ..Shelves::default() };
    if let Some(estimate) = estimate().await {
        (shelves.used, shelves.quota) = (Some(estimate.used), Some(estimate.quota));
    }
    match Room::Kept.models().await {
        Ok(mut names) => {
            names.sort_unstable();
            for name in names {
                shelves.kept.extend(kept(&name).await);
            }
        }
        Err(refusal) => shelves.refusal = Some(refusal),
    }
    let mut names = Room::Shipped.models().await.unwrap_or_default();
    names.sort_unstable();
    for name in names {
        shelves.shipped.extend(shipped(name).await);
    }
    shelves
}

async fn kept(name: &str) -> Option<KeptModel> {
    let shelf = Shelf::of(Room::Kept, name, false).await.ok()?;
    match Record::read(&shelf).await {
        Some(record) => Some(record.told(name, &shelf).await),
        None => {
            let (craft, origin, files) = (Craft::default(), Origin::Unknown, Vec::new());
            Some(KeptModel { name: name.to_owned(), craft, origin, added: 0.0, parameters: 0, files })
        }
    }
}

/// A shipped model counts once its manifest is stored, which is written last.
async fn shipped(name: String) -> Option<StoredFolder> {
    let shelf = Shelf::of(Room::Shipped, &name, false).await.ok()?;
    let manifest = Content::Stored(shelf.file(MANIFEST).await?).whole().await.ok()?;
    let manifest = Manifest::from_json(&manifest).ok()?;
    Some(StoredFolder { name, bytes: manifest.files.iter().map(|file| file.bytes).sum() })
}

/// Deletes a kept model, once nobody writes it.
///
/// # Errors
/// Why the browser refuses, or the job was stopped while another tab was writing.
pub async fn forget(job: &Job, name: &str) -> Result<(), Failure> {
    let _right = right(job, name).await?;
    Room::Kept.remove(name).await.map_err(|refusal| errors::not_deleted(name, refusal))
}

/// The right to write a kept model, waiting for other tabs.
pub(super) async fn right(job: &Job, name: &str) -> Result<WritingRight, Failure> {
    let right = WritingRight::wait(&lock(name), &job.stop).await;
    right.map_err(|refusal| if job.stop.is_asked() { errors::cancelled() } else { errors::storage(name, refusal) })
}

/// Bytes of the engine's own memory. It never shrinks, so this is the most that it ever held.
pub fn memory() -> u64 {
    #[cfg(target_family = "wasm")]
    let pages = core::arch::wasm32::memory_size::<0>() as u64;
    #[cfg(not(target_family = "wasm"))]
    let pages = 0;
    pages * 65_536
}
