//! A shipped model's folder: each file is read from the browser's storage, or else fetched from the network and stored.
//!
//! The manifest is fetched first, so that a new model is noticed; without a network the stored manifest is used. Files
//! are stored under names that contain their sha256 and the manifest is written last, so an interrupted update leaves
//! the old model usable.

use crate::bindings::{now, scope};
use crate::errors::{self, StorageError};
use crate::queue::{CancellationToken, Meter, Throttle};
use crate::records::names::{MANIFEST, by_contents};
use crate::storage::fetch::{Download, small};
use crate::storage::lock::{SHIPPED_LOCK, WritingRight};
use crate::storage::store::{Content, FileWriter, ModelStore};
use crate::timeouts::within;
use std::collections::BTreeMap;
use tuppum_protocol::{Failure, FailureKind, Phase, Progress, ShippedFolder};
use tuppum_weights::{Checksum, FileEntry, Manifest};
use web_sys::{RequestCache, Url};

/// Maximum bytes of a manifest, which is a page of text; a longer file is not a manifest.
const MAX_MANIFEST_BYTES: usize = 1 << 20;
/// Maximum milliseconds to wait for the newest manifest when a stored model could be used at once.
const MANIFEST_TIMEOUT_MS: i32 = 4000;
/// Maximum bytes of a stored file whose checksum is verified when the folder is opened. Of longer files only the length
/// is checked, since their checksum is verified while they are loaded.
const MAX_VERIFIED_AT_OPENING: u64 = 4 << 20;

/// Files of a model: short files are verified against its manifest, long files have the right length.
pub struct Folder {
    /// Manifest, which lists the files of the model.
    pub manifest: Manifest,
    /// `true` if all files are in the browser's storage.
    pub stored: bool,
    /// Reason why files are not stored, if so.
    pub storage_note: Option<String>,
    contents: BTreeMap<String, Content>,
    model_store: Option<ModelStore>,
}

impl Folder {
    /// Returns a file of the model.
    ///
    /// # Errors
    /// The model has no such file.
    pub fn file(&self, name: &str) -> Result<&Content, Failure> {
        self.contents.get(name).ok_or_else(|| errors::unreadable(MANIFEST, format!("it lists no {name}")))
    }

    /// Reads a short file of the model.
    ///
    /// # Errors
    /// The model has no such file, or the browser can no longer read it.
    pub async fn whole(&self, name: &str) -> Result<Vec<u8>, Failure> {
        self.file(name)?.whole().await.map_err(|problem| errors::unreadable(name, problem))
    }

    /// Deletes the stored copy of a damaged file, so that it is fetched again.
    pub async fn discard(&self, name: &str) {
        if let (Some(model_store), Ok(entry)) = (&self.model_store, self.manifest.file(name)) {
            model_store.remove(&by_contents(entry)).await;
        }
    }
}

/// Collects all files of a shipped model, reporting progress. Without `store`, the browser's storage is neither read
/// nor written.
///
/// # Errors
/// There is neither network nor a stored copy, a file is damaged even when fetched again, or the job was cancelled.
pub async fn open(
    model: &ShippedFolder,
    store: bool,
    token: &CancellationToken,
    report: &dyn Fn(Progress),
) -> Result<Folder, Failure> {
    let base = beside_the_page(model.path());
    let opened = match store {
        true => ModelStore::open(model.name()).await,
        false => Err(StorageError::NotWanted),
    };
    let (model_store, note) = match opened {
        Ok(model_store) => (Some(model_store), None),
        Err(refusal) => (None, Some(not_stored(&refusal))),
    };
    let mut collector = Collector { base, token, report, model_store, note };
    let stored = collector.stored_manifest().await;
    let fetched = collector.fetched_manifest(stored.is_some()).await;
    if token.is_cancelled() {
        return Err(errors::cancelled());
    }
    match (fetched, stored) {
        (Ok(new), Some(old)) if new != old => match collector.collect(new).await {
            // The update cannot be fetched now, but the model of the last visit is still complete.
            Err(failure) if matches!(failure.kind, FailureKind::Network | FailureKind::Missing) => {
                collector.collect(old).await
            }
            collected => collected,
        },
        (Ok(manifest), _) | (Err(_), Some(manifest)) => collector.collect(manifest).await,
        (Err(failure), None) => Err(failure),
    }
}

/// Returns the address of a file beside the page. The page's address is the worker's name, since the worker's script
/// may be elsewhere; in a worker without a name the address of its script is used.
pub fn beside_the_page(path: &str) -> String {
    let page = Some(scope().name()).filter(|name| !name.is_empty()).unwrap_or_else(|| scope().location().href());
    Url::new_with_base(path, &page).map_or_else(|_| path.to_owned(), |url| url.href())
}

struct Collector<'a> {
    base: String,
    token: &'a CancellationToken,
    report: &'a dyn Fn(Progress),
    model_store: Option<ModelStore>,
    note: Option<String>,
}

/// State of a file in the storage.
enum Found {
    Whole(Content),
    Damaged,
    Nothing,
}

impl Collector<'_> {
    async fn stored_manifest(&self) -> Option<Manifest> {
        let file = self.model_store.as_ref()?.file(MANIFEST).await?;
        Manifest::from_json(&Content::Stored(file).whole().await.ok()?).ok()
    }

    async fn fetched_manifest(&self, could_do_without: bool) -> Result<Manifest, Failure> {
        let url = format!("{}{MANIFEST}", self.base);
        let fetching = small(&url, MAX_MANIFEST_BYTES, self.token);
        let bytes = if could_do_without {
            let late = || Err(errors::unreachable(&url, "the server took too long"));
            within(MANIFEST_TIMEOUT_MS, fetching).await.unwrap_or_else(late)?
        } else {
            fetching.await?
        };
        Manifest::from_json(&bytes).map_err(|problem| errors::unreadable(MANIFEST, problem.to_string()))
    }

    async fn collect(&mut self, manifest: Manifest) -> Result<Folder, Failure> {
        let mut contents = BTreeMap::new();
        let mut missing = Vec::new();
        for file in &manifest.files {
            match self.compare(file).await {
                Found::Whole(content) => drop(contents.insert(file.name.clone(), content)),
                Found::Damaged => missing.push((file, true)),
                Found::Nothing => missing.push((file, false)),
            }
        }
        if !missing.is_empty() {
            self.fetch_missing(&missing, &mut contents).await?;
        }
        let stored = contents.values().all(|content| matches!(content, Content::Stored(_)));
        let stored = stored && self.seal(&manifest, !missing.is_empty()).await;
        let storage_note = if stored { None } else { self.note.clone() };
        Ok(Folder { manifest, stored, storage_note, contents, model_store: self.model_store.clone() })
    }

    /// Writes the manifest after all its files and deletes the files of older models.
    async fn seal(&mut self, manifest: &Manifest, changed: bool) -> bool {
        let Some(model_store) = &self.model_store else { return false };
        if !changed
            && model_store.file(MANIFEST).await.is_some()
            && self.stored_manifest().await.as_ref() == Some(manifest)
        {
            return true;
        }
        let _right = WritingRight::wait(SHIPPED_LOCK, self.token).await;
        let json = serde_json::to_vec(manifest).unwrap_or_default();
        if let Err(refusal) = model_store.write(MANIFEST, &json).await {
            self.note = Some(not_stored(&refusal));
            return false;
        }
        let mut names: Vec<String> = manifest.files.iter().map(by_contents).collect();
        names.push(MANIFEST.to_owned());
        model_store.retain(&names).await;
        true
    }

    async fn fetch_missing(
        &mut self,
        missing: &[(&FileEntry, bool)],
        contents: &mut BTreeMap<String, Content>,
    ) -> Result<(), Failure> {
        // Without the lock the file is still verified after writing; at worst two writers refuse each other.
        let _right =
            if self.model_store.is_some() { WritingRight::wait(SHIPPED_LOCK, self.token).await.ok() } else { None };
        let total = missing.iter().map(|(file, _)| file.bytes).sum();
        let downloading = Meter::new(Phase::Download, total, Throttle::new(now), self.report);
        for (file, damaged) in missing {
            if self.token.is_cancelled() {
                return Err(errors::cancelled());
            }
            // Another tab may have fetched the file while this tab waited for the lock.
            let content = match self.compare(file).await {
                Found::Whole(content) => {
                    downloading.add(file.bytes);
                    content
                }
                _ => self
                    .fetch(file, &downloading)
                    .await
                    .map_err(|failure| reword_if_damaged(failure, file, *damaged))?,
            };
            contents.insert(file.name.clone(), content);
        }
        Ok(())
    }

    /// Compares a stored file with the manifest.
    async fn compare(&self, file: &FileEntry) -> Found {
        let Some(model_store) = &self.model_store else { return Found::Nothing };
        let Some(stored) = model_store.file(&by_contents(file)).await else { return Found::Nothing };
        let content = Content::Stored(stored);
        if content.len() != file.bytes {
            return Found::Damaged;
        }
        if file.bytes > MAX_VERIFIED_AT_OPENING {
            return Found::Whole(content);
        }
        match content.whole().await {
            Ok(bytes) if file.verify(&bytes).is_ok() => Found::Whole(content),
            _ => Found::Damaged,
        }
    }

    /// Fetches a file and stores it, or keeps it in memory if the browser refuses.
    async fn fetch(&mut self, file: &FileEntry, meter: &Meter<'_>) -> Result<Content, Failure> {
        let url = format!("{}{}", self.base, file.name);
        let mut download = Download::begin(&url, RequestCache::NoStore, self.token).await?;
        let mut sink = self.sink(file).await;
        let mut checksum = Checksum::default();
        let mut length = 0;
        while let Some(chunk) = download.next().await? {
            checksum.add(&chunk.to_vec());
            length += u64::from(chunk.length());
            if length > file.bytes {
                return Err(errors::altered(&file.name, format!("longer than the {} bytes promised", file.bytes)));
            }
            if let Some(refusal) = sink.take(&chunk)? {
                self.note = Some(not_stored(&refusal));
            }
            meter.add(u64::from(chunk.length()));
        }
        if length < file.bytes {
            let details = format!("the connection ended after {length} of {} bytes", file.bytes);
            return Err(errors::unreachable(&url, details));
        }
        checksum.verify(file).map_err(|problem| errors::altered(&file.name, problem.to_string()))?;
        self.keep(sink, file).await
    }

    async fn sink(&mut self, file: &FileEntry) -> Sink {
        let Some(model_store) = &self.model_store else { return Sink::Memory(Vec::new()) };
        match model_store.writer(&by_contents(file)).await {
            Ok(writer) => Sink::Stored(writer),
            Err(refusal) => {
                self.note = Some(not_stored(&refusal));
                Sink::Memory(Vec::new())
            }
        }
    }

    async fn keep(&mut self, sink: Sink, file: &FileEntry) -> Result<Content, Failure> {
        let writer = match sink {
            Sink::Memory(bytes) => return Ok(Content::Memory(bytes.into())),
            Sink::Stored(writer) => writer,
        };
        writer.finish().map_err(|refusal| errors::storage(&file.name, refusal))?;
        let stored = match &self.model_store {
            Some(model_store) => model_store.file(&by_contents(file)).await,
            None => None,
        };
        stored.map(Content::Stored).ok_or_else(|| errors::storage(&file.name, "it is not there after writing"))
    }
}

/// Destination of the bytes of a download.
enum Sink {
    Stored(FileWriter),
    Memory(Vec<u8>),
}

impl Sink {
    /// Takes a chunk. If the browser refuses to store more, moves to memory and returns the refusal.
    fn take(&mut self, chunk: &js_sys::Uint8Array) -> Result<Option<StorageError>, Failure> {
        let refusal = match self {
            Sink::Memory(bytes) => {
                bytes.extend(chunk.to_vec());
                return Ok(None);
            }
            Sink::Stored(writer) => match writer.append(chunk) {
                Ok(()) => return Ok(None),
                Err(refusal) => refusal,
            },
        };
        if let Sink::Stored(writer) = self {
            let mut bytes = writer.read_back().map_err(|problem| errors::storage("the model", problem))?;
            let _ = writer.clear();
            bytes.extend(chunk.to_vec());
            *self = Sink::Memory(bytes);
        }
        Ok(Some(refusal))
    }
}

fn not_stored(refusal: &StorageError) -> String {
    let reason = refusal.to_string();
    let reason = reason.trim_end_matches('.');
    format!("The model is kept in memory only, so the next visit needs the network again: {reason}.")
}

/// Rewords a network failure if the fetch was needed because the stored copy is damaged.
fn reword_if_damaged(failure: Failure, file: &FileEntry, damaged: bool) -> Failure {
    if !damaged || !matches!(failure.kind, FailureKind::Network | FailureKind::Missing) {
        return failure;
    }
    let message = format!("The stored copy of {} is damaged, and it could not be fetched again.", file.name);
    Failure { message, ..failure }
}
