//! Archives of the user's own, each in a folder of the browser's storage, numbered as they were put by. What the
//! browser refuses to store is kept as long as the worker lives.

use super::errors::StorageError;
use super::lock::WritingRight;
use super::source::Content;
use super::store::{ModelStore, StoreArea};
use std::cell::RefCell;
use tuppum_corpus::own::ReadArchive;
use tuppum_protocol::{OwnArchive, OwnArchives};

/// The file of an archive in its folder.
const FILE: &str = "archive.json";
/// Name of the lock that whoever chooses the number of a folder must hold.
const LOCK: &str = "tuppum-own-archives";

/// What is kept only as long as the worker lives.
#[derive(Default)]
pub struct Archives {
    unstored: RefCell<Vec<OwnArchive>>,
    refusal: RefCell<Option<String>>,
    /// The folders whose archive cannot be read, as they were found last.
    damaged: RefCell<Vec<u32>>,
}

/// What lies in a folder.
enum Stored {
    /// An archive.
    Whole(OwnArchive),
    /// What was one, as far as it is text.
    Damaged(String),
}

impl Archives {
    /// All archives that can be read, in the order in which they were put by.
    pub async fn all(&self) -> Vec<OwnArchive> {
        let (mut all, mut damaged) = (Vec::<OwnArchive>::new(), Vec::new());
        for number in numbers().await.unwrap_or_default() {
            match stored(number).await {
                Some(Stored::Whole(archive)) => {
                    all.retain(|other| other.name != archive.name);
                    all.push(archive);
                }
                Some(Stored::Damaged(_)) => damaged.push(number),
                // It was being written when the page was closed.
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

    /// Keeps an archive in place of one of the same name: the new one is written before the old one goes.
    pub async fn keep(&self, archive: OwnArchive) {
        self.unstored.borrow_mut().retain(|other| other.name != archive.name);
        // To write takes a moment: a tab that holds it for longer hangs, and is not waited for.
        let _right = WritingRight::soon(LOCK).await;
        match write(&archive).await {
            Ok(number) => remove_named(&archive.name, Some(number)).await,
            Err(refusal) => {
                *self.refusal.borrow_mut() = Some(refusal.to_string());
                self.unstored.borrow_mut().push(archive);
            }
        }
    }

    /// Forgets an archive, also a damaged one by the name that the report gives it.
    pub async fn forget(&self, name: &str) {
        self.unstored.borrow_mut().retain(|other| other.name != name);
        remove_named(name, None).await;
        if let Some(number) = self.damaged_number(name) {
            // What another tab holds is left, and told again.
            let _ = StoreArea::Own.remove(&number.to_string()).await;
        }
    }

    /// An archive as it was put by; of a damaged one its file, as far as it is text.
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

    /// What the archives hold.
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

/// The numbers of the folders, rising.
async fn numbers() -> Result<Vec<u32>, StorageError> {
    let names = StoreArea::Own.names().await?;
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// How a damaged archive is called, whose own name cannot be read.
fn damaged_name(number: u32) -> String {
    format!("Damaged archive {number}")
}

/// What lies in a folder; nothing where there is no file.
async fn stored(number: u32) -> Option<Stored> {
    let store = ModelStore::of(StoreArea::Own, &number.to_string(), false).await.ok()?;
    let file = Content::Stored(store.file(FILE).await?).whole().await.ok()?;
    Some(match serde_json::from_slice(&file) {
        Ok(archive) => Stored::Whole(archive),
        Err(_) => Stored::Damaged(String::from_utf8_lossy(&file).into_owned()),
    })
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
        let is_it = |stored: Stored| matches!(stored, Stored::Whole(archive) if archive.name == name);
        if Some(number) != but && stored(number).await.is_some_and(is_it) {
            // What another tab holds is left; the newer one of a name counts.
            let _ = StoreArea::Own.remove(&number.to_string()).await;
        }
    }
}
