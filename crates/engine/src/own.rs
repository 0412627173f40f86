//! Archives of the user's own, each in a folder of the browser's storage, numbered as they were put by. What the
//! browser refuses to store is kept as long as the worker lives.

use super::errors::StorageError;
use super::source::Content;
use super::store::{ModelStore, StoreArea};
use std::cell::RefCell;
use tuppum_corpus::own::ReadArchive;
use tuppum_protocol::{OwnArchive, OwnArchives};

/// The file of an archive in its folder.
const FILE: &str = "archive.json";

/// What is kept only as long as the worker lives.
#[derive(Default)]
pub struct Archives {
    unstored: RefCell<Vec<OwnArchive>>,
    refusal: RefCell<Option<String>>,
}

impl Archives {
    /// All archives, in the order in which they were put by. One that cannot be read is left out: it was being written
    /// when the page was closed.
    pub async fn all(&self) -> Vec<OwnArchive> {
        let mut all: Vec<OwnArchive> = Vec::new();
        for number in numbers().await.unwrap_or_default() {
            if let Some(archive) = stored(number).await {
                all.retain(|other| other.name != archive.name);
                all.push(archive);
            }
        }
        for archive in self.unstored.borrow().iter() {
            all.retain(|other| other.name != archive.name);
            all.push(archive.clone());
        }
        all
    }

    /// Keeps an archive in place of one of the same name: the new one is written before the old one goes.
    pub async fn keep(&self, archive: OwnArchive) {
        self.unstored.borrow_mut().retain(|other| other.name != archive.name);
        match write(&archive).await {
            Ok(number) => remove_named(&archive.name, Some(number)).await,
            Err(refusal) => {
                *self.refusal.borrow_mut() = Some(refusal.to_string());
                self.unstored.borrow_mut().push(archive);
            }
        }
    }

    /// Forgets an archive.
    pub async fn forget(&self, name: &str) {
        self.unstored.borrow_mut().retain(|other| other.name != name);
        remove_named(name, None).await;
    }

    /// What the archives hold.
    pub fn report(&self, archives: &[ReadArchive]) -> OwnArchives {
        let refusal = self.refusal.borrow().clone();
        OwnArchives {
            archives: archives.iter().map(ReadArchive::report).collect(),
            not_stored: refusal.filter(|_| !self.unstored.borrow().is_empty()),
            not_indexed: None,
        }
    }
}

/// The numbers of the folders, rising.
async fn numbers() -> Result<Vec<u32>, StorageError> {
    let names = StoreArea::Own.names().await?;
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

async fn stored(number: u32) -> Option<OwnArchive> {
    let store = ModelStore::of(StoreArea::Own, &number.to_string(), false).await.ok()?;
    let file = Content::Stored(store.file(FILE).await?).whole().await.ok()?;
    serde_json::from_slice(&file).ok()
}

/// Writes an archive into a folder of its own, and tells its number.
async fn write(archive: &OwnArchive) -> Result<u32, StorageError> {
    let number = numbers().await?.last().map_or(1, |last| last + 1);
    let store = ModelStore::of(StoreArea::Own, &number.to_string(), true).await?;
    let json = serde_json::to_vec(archive)?;
    if let Err(refusal) = store.write(FILE, &json).await {
        // A part of it would only take room.
        let _ = StoreArea::Own.remove(&number.to_string()).await;
        return Err(refusal);
    }
    Ok(number)
}

/// Removes the archives of a name but the one of this number.
async fn remove_named(name: &str, but: Option<u32>) {
    for number in numbers().await.unwrap_or_default() {
        if Some(number) != but && stored(number).await.is_some_and(|archive| archive.name == name) {
            // What another tab holds is left; the newer one of a name counts.
            let _ = StoreArea::Own.remove(&number.to_string()).await;
        }
    }
}
