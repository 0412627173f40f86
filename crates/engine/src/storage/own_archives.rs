//! The user's own archives, each in a numbered folder of the browser's storage. An archive that the browser refuses to
//! store is kept in memory until the worker ends.

use crate::errors::StorageError;
use crate::storage::lock::WritingRight;
use crate::storage::store::{Content, ModelStore, StoreArea};
use std::cell::RefCell;
use tuppum_corpus::own::ReadArchive;
use tuppum_protocol::{OwnArchive, OwnArchives};

/// File name of an archive in its folder.
const ARCHIVE_FILE: &str = "archive.json";
/// Name of the lock for choosing the number of a new folder.
const NUMBERING_LOCK: &str = "tuppum-own-archives";

/// Archives that are in memory only, and the state of the stored ones.
#[derive(Default)]
pub struct Archives {
    unstored: RefCell<Vec<OwnArchive>>,
    refusal: RefCell<Option<String>>,
    /// Numbers of the folders whose archive could not be read last time.
    damaged: RefCell<Vec<u32>>,
}

/// Contents of a folder.
enum Stored {
    /// Readable archive.
    Whole(OwnArchive),
    /// Damaged archive, as text.
    Damaged(String),
}

impl Archives {
    /// Returns all readable archives, in the order in which they were stored.
    pub async fn all(&self) -> Vec<OwnArchive> {
        let (mut all, mut damaged) = (Vec::<OwnArchive>::new(), Vec::new());
        for number in numbers().await.unwrap_or_default() {
            match stored(number).await {
                Some(Stored::Whole(archive)) => {
                    all.retain(|other| other.name != archive.name);
                    all.push(archive);
                }
                Some(Stored::Damaged(_)) => damaged.push(number),
                // The page was closed while this archive was being written.
                None => {}
            }
        }
        *self.damaged.borrow_mut() = damaged;
        for archive in self.unstored.borrow().iter() {
            all.retain(|other| other.name != archive.name);
            all.push(archive.clone());
        }
        all
    }

    /// Stores an archive, replacing one of the same name: the new one is written before the old one is deleted.
    pub async fn keep(&self, archive: OwnArchive) {
        self.unstored.borrow_mut().retain(|other| other.name != archive.name);
        // Writing takes only a moment: a tab that holds the lock for longer hangs and is ignored.
        let _right = WritingRight::soon(NUMBERING_LOCK).await;
        match write(&archive).await {
            Ok(number) => remove_named(&archive.name, Some(number)).await,
            Err(refusal) => {
                *self.refusal.borrow_mut() = Some(refusal.to_string());
                self.unstored.borrow_mut().push(archive);
            }
        }
    }

    /// Deletes an archive, also a damaged one by its name in the report.
    pub async fn forget(&self, name: &str) {
        self.unstored.borrow_mut().retain(|other| other.name != name);
        remove_named(name, None).await;
        if let Some(number) = self.damaged_number(name) {
            // A folder in use by another tab stays, and is reported again.
            let _ = StoreArea::Own.remove(&number.to_string()).await;
        }
    }

    /// Returns an archive as it was stored; for a damaged one its file as text.
    pub async fn give(&self, name: &str) -> Option<OwnArchive> {
        let whole = self.all().await.into_iter().find(|archive| archive.name == name);
        match (whole, self.damaged_number(name)) {
            (None, Some(number)) => match stored(number).await? {
                Stored::Whole(archive) => Some(archive),
                Stored::Damaged(text) => Some(OwnArchive { name: name.to_owned(), text, ..OwnArchive::default() }),
            },
            (whole, _) => whole,
        }
    }

    fn damaged_number(&self, name: &str) -> Option<u32> {
        self.damaged.borrow().iter().copied().find(|number| damaged_name(*number) == name)
    }

    /// Summarises the archives for the page.
    pub fn report(&self, archives: &[ReadArchive]) -> OwnArchives {
        let refusal = self.refusal.borrow().clone();
        OwnArchives {
            archives: archives.iter().map(ReadArchive::report).collect(),
            damaged: self.damaged.borrow().iter().copied().map(damaged_name).collect(),
            not_stored: refusal.filter(|_| !self.unstored.borrow().is_empty()),
            not_indexed: None,
        }
    }
}

/// Returns the numbers of the folders in rising order.
async fn numbers() -> Result<Vec<u32>, StorageError> {
    let names = StoreArea::Own.names().await?;
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Returns the name given to a damaged archive, whose own name cannot be read.
fn damaged_name(number: u32) -> String {
    format!("Damaged archive {number}")
}

/// Reads a folder; `None` if it has no file.
async fn stored(number: u32) -> Option<Stored> {
    let store = ModelStore::of(StoreArea::Own, &number.to_string(), false).await.ok()?;
    let file = Content::Stored(store.file(ARCHIVE_FILE).await?).whole().await.ok()?;
    Some(match serde_json::from_slice(&file) {
        Ok(archive) => Stored::Whole(archive),
        Err(_) => Stored::Damaged(String::from_utf8_lossy(&file).into_owned()),
    })
}

/// Writes an archive into a new folder and returns its number.
async fn write(archive: &OwnArchive) -> Result<u32, StorageError> {
    let number = numbers().await?.last().map_or(1, |last| last + 1);
    let store = ModelStore::of(StoreArea::Own, &number.to_string(), true).await?;
    let json = serde_json::to_vec(archive)?;
    if let Err(refusal) = store.write(ARCHIVE_FILE, &json).await {
        // A partial file would only take space.
        let _ = StoreArea::Own.remove(&number.to_string()).await;
        return Err(refusal);
    }
    Ok(number)
}

/// Deletes all archives of this name except the one with this number.
async fn remove_named(name: &str, but: Option<u32>) {
    for number in numbers().await.unwrap_or_default() {
        let is_it = |stored: Stored| matches!(stored, Stored::Whole(archive) if archive.name == name);
        if Some(number) != but && stored(number).await.is_some_and(is_it) {
            // A folder in use by another tab stays; the newer archive of a name counts.
            let _ = StoreArea::Own.remove(&number.to_string()).await;
        }
    }
}
