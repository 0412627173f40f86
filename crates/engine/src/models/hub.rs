//! Models on a hub: asking for a repository, and fetching what is missing.
//!
//! The model's size comes from its `config.json`. The hub's list of files, with lengths and checksums, is requested
//! first; a server that has only the files is asked for the head of each. Missing files are fetched, verified and
//! recorded one by one, a large one range by range, continuing where the last attempt ended. A model that is stored
//! already stays in use until its new version is complete and verified.

use super::stored_models::claim;
use crate::bindings::now;
use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::models::translator_files::TranslatorFiles;
use crate::queue::{CancellationToken, Throttle};
use crate::records::model::{FolderRecords, Record, RecordedFile};
use crate::records::names::{CONFIG, GOLDEN, MAX_SHORT_FILE_BYTES};
use crate::storage::fetch::{Download, HttpRequest, HttpResponse, all};
use crate::storage::store::{FileWriter, ModelStore, StoreArea, estimate};
use crate::wasm_module::memory_needed;
use std::collections::BTreeMap;
use tuppum_nn::byt5::ByT5Config;
use tuppum_protocol::{Failure, Offer, OfferedFile, Origin, Phase, Repository, StorageEvent, Task};
use tuppum_weights::Checksum;
use tuppum_weights::hub::{Listed, checksum, content_range, listing};
use tuppum_weights::index::Index;
use tuppum_weights::translator_files::{LAYOUTS, is_index, layout};
use web_sys::RequestCache;

/// Model that a hub offers.
pub struct HubModel {
    /// Description of the model for the page.
    pub offer: Offer,
    /// Files of the model, for its record.
    pub files: Vec<RecordedFile>,
    /// Contents of the short files, which were fetched at once.
    pub short: BTreeMap<String, Vec<u8>>,
}

/// Asks a hub for a repository.
///
/// # Errors
/// The hub cannot be reached or has no such repository, or the repository is not a ByT5 or has no weights that can be
/// read.
pub async fn ask(repository: &Repository, token: &CancellationToken) -> Result<HubModel, Failure> {
    let hub = Hub { repository, token };
    let config = hub.short(CONFIG).await?;
    let size = ByT5Config::from_json(&config).map_err(|problem| errors::no_translator(&repository.id, problem))?;
    let listed = hub.list().await?;
    let has = |name: &str| listed.iter().any(|file| file.name == name);
    let weights = layout(has).map_err(|error| errors::no_weights(&repository.id, &listed, &error))?;
    let mut short = BTreeMap::from([(CONFIG.to_owned(), config)]);
    let mut names = vec![weights.to_owned()];
    if is_index(weights) {
        let bytes = hub.short(weights).await?;
        let index = Index::from_json(weights, &bytes).map_err(|error| errors::weights(&error))?;
        names = index.shards().into_iter().map(str::to_owned).collect();
        short.insert(weights.to_owned(), bytes);
    }
    names.extend(has(GOLDEN).then(|| GOLDEN.to_owned()));
    let mut files = Vec::new();
    for (name, bytes) in &short {
        let (name, bytes) = (name.clone(), bytes.len() as u64);
        files.push(RecordedFile { name, bytes, promised: None, tag: None, sha256: None, at: None });
    }
    for name in names {
        files.push(hub.describe(&name, &listed).await?);
    }
    let offer = offer(repository, &size, &files).await;
    Ok(HubModel { offer, files, short })
}

async fn offer(repository: &Repository, size: &ByT5Config, files: &[RecordedFile]) -> Offer {
    let parameters = size.parameter_count();
    let memory = memory_needed(size);
    let present = match ModelStore::of(StoreArea::Stored, &repository.stored_name(), false).await {
        Ok(store) => present(&store, files).await,
        Err(_) => 0,
    };
    let offered =
        |file: &RecordedFile| OfferedFile { name: file.name.clone(), bytes: file.bytes, sha256: file.promised.clone() };
    let free = estimate().await.map(|estimate| estimate.quota.saturating_sub(estimate.used));
    Offer {
        repository: repository.clone(),
        parameters,
        memory,
        files: files.iter().map(offered).collect(),
        present,
        free,
    }
}

/// Returns the bytes of these files that have arrived already.
async fn present(store: &ModelStore, files: &[RecordedFile]) -> u64 {
    let here = FolderRecords::read(store).await;
    let mut present = 0;
    for file in files {
        if let Some(same) = here.same(file) {
            present += store.file(same.place()).await.map_or(0, |stored| stored.size() as u64).min(file.bytes);
        }
    }
    present
}

struct Hub<'a> {
    repository: &'a Repository,
    token: &'a CancellationToken,
}

impl Hub<'_> {
    async fn answer(&self, url: &str, head: bool) -> Result<HttpResponse, Failure> {
        let question = HttpRequest { head, cache: RequestCache::NoCache, ..HttpRequest::whole(url) };
        let asked = HttpResponse::to(question, self.token).await;
        asked.map_err(|failure| errors::hub_unreachable(&self.repository.hub, failure))
    }

    /// Fetches a short file, which must exist.
    async fn short(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let answer = self.answer(&self.repository.file(name), false).await?;
        if !answer.ok() {
            return Err(errors::not_on_hub(self.repository, name, answer.status()));
        }
        all(Download::of(answer, self.token)?, MAX_SHORT_FILE_BYTES).await
    }

    /// Lists the files of the repository, or at least those that could be needed.
    async fn list(&self) -> Result<Vec<Listed>, Failure> {
        let Repository { hub, id, revision } = self.repository;
        let answer = self.answer(&format!("{hub}/api/models/{id}/tree/{revision}"), false).await?;
        if answer.ok() {
            let json = all(Download::of(answer, self.token)?, MAX_SHORT_FILE_BYTES).await?;
            if let Ok(listed) = listing(&json) {
                return Ok(listed);
            }
        }
        let mut listed = Vec::new();
        for name in LAYOUTS.into_iter().chain([GOLDEN]) {
            if let Some(file) = self.head(name).await? {
                listed.push(Listed { name: name.to_owned(), bytes: file.bytes, sha256: file.promised });
            }
        }
        Ok(listed)
    }

    /// Returns a file's length and what identifies its version. The head is requested if the list has no checksum.
    async fn describe(&self, name: &str, listed: &[Listed]) -> Result<RecordedFile, Failure> {
        if let Some(file) = listed.iter().find(|file| file.name == name && file.sha256.is_some()) {
            let (bytes, promised) = (file.bytes, file.sha256.clone());
            return Ok(RecordedFile { name: name.to_owned(), bytes, promised, tag: None, sha256: None, at: None });
        }
        let described = self.head(name).await?;
        described.ok_or_else(|| errors::not_on_hub(self.repository, name, 404))
    }

    /// Describes a file by its head; `None` if it does not exist.
    async fn head(&self, name: &str) -> Result<Option<RecordedFile>, Failure> {
        let url = self.repository.file(name);
        let answer = self.answer(&url, true).await?;
        if !answer.ok() {
            return Ok(None);
        }
        let tag = answer.field("ETag");
        // The server that a hub redirects to may use other checksums than sha256 as tags.
        let own_tag = tag.as_deref().filter(|_| !answer.redirected()).and_then(checksum);
        let promised = answer.field("X-Linked-ETag").as_deref().and_then(checksum).or(own_tag);
        let length = answer.field("X-Linked-Size").or_else(|| answer.field("Content-Length"));
        let Some(bytes) = length.and_then(|length| length.parse().ok()) else {
            return Err(errors::unreachable(&url, "the server does not say how long the file is"));
        };
        Ok(Some(RecordedFile { name: name.to_owned(), bytes, promised, tag, sha256: None, at: None }))
    }
}

/// Bytes of storage left for the browser's own records.
const SPARE_BYTES: u64 = 1 << 20;

/// Fetches a model and stores it. Files that have arrived already are not fetched again.
///
/// # Errors
/// The same as those of [`ask`]; there is too little space; the connection breaks, in which case the bytes that
/// have arrived stay; files arrive damaged, or are not those of the model that `config.json` describes.
pub async fn fetch(job: &Job, repository: &Repository) -> Result<(), Failure> {
    job.progress(Phase::Download, 0, 0);
    let name = repository.stored_name();
    let _right = claim(job, &name).await?;
    let HubModel { offer, files, short } = ask(repository, &job.token).await?;
    let missing = offer.bytes().saturating_sub(offer.present);
    if let Some(free) = offer.free.filter(|free| missing > 0 && missing + SPARE_BYTES > *free) {
        return Err(errors::storage_full(missing, free));
    }
    let opened = ModelStore::of(StoreArea::Stored, &name, true).await;
    let store = opened.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let here = FolderRecords::read(&store).await;
    let mut record = begin(&store, &here, repository, offer.parameters, &files).await;
    fetch_files(job, repository, &store, &mut record, &short).await?;
    if let Err(failure) = check(&name, &store, &record).await {
        refuse(&store, &here, record).await;
        return Err(failure);
    }
    record.write(&store).await.map_err(|refusal| errors::storage(&repository.id, refusal))?;
    store.retain(&record.names()).await;
    job.emit(StorageEvent::Stored(record.describe(&name, &store).await));
    Ok(())
}

/// Checks that the fetched files can be loaded, without reading their numbers.
async fn check(name: &str, store: &ModelStore, record: &Record) -> Result<(), Failure> {
    TranslatorFiles::of_record(name, store, record).await?.check().await
}

/// Discards fetched files that are not a valid model. A version that was in use stays so, and is the only one left.
async fn refuse(store: &ModelStore, here: &FolderRecords, mut record: Record) {
    match &here.whole {
        Some(whole) => store.retain(&whole.names()).await,
        None => {
            record.files.iter_mut().for_each(|file| file.sha256 = None);
            // If the record cannot be written, the files are found invalid again when the model is opened.
            let _ = record.write_coming(store).await;
        }
    }
}

/// Returns the record of the model's current version on the hub. Files of an outdated version that was being fetched
/// are deleted before the record can claim them.
async fn begin(
    store: &ModelStore,
    here: &FolderRecords,
    repository: &Repository,
    parameters: u64,
    files: &[RecordedFile],
) -> Record {
    let mut noted = Vec::with_capacity(files.len());
    for file in files {
        noted.push(match here.same(file) {
            Some(old) => RecordedFile { sha256: old.sha256.clone(), at: old.at.clone(), ..file.clone() },
            None => {
                let fresh = RecordedFile { at: here.free(&file.name), ..file.clone() };
                store.remove(fresh.place()).await;
                fresh
            }
        });
    }
    let before = here.whole.iter().chain(&here.coming).next();
    let added = before.map_or_else(js_sys::Date::now, |record| record.added);
    Record { task: Task::Translation, origin: Origin::Hub(repository.clone()), added, parameters, files: noted }
}

/// Fetches missing files and records each complete one.
async fn fetch_files(
    job: &Job,
    repository: &Repository,
    store: &ModelStore,
    record: &mut Record,
    short: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failure> {
    let refused = |refusal: StorageError| errors::storage(&repository.id, refusal);
    record.write_coming(store).await.map_err(refused)?;
    let total = record.files.iter().map(|file| file.bytes).sum();
    let (throttle, mut done) = (Throttle::new(now), 0);
    for number in 0..record.files.len() {
        let file = record.files[number].clone();
        let on_bytes = |bytes: u64| {
            if throttle.passes(done + bytes, total) {
                job.progress(Phase::Download, done + bytes, total);
            }
        };
        record.files[number].sha256 = match short.get(&file.name) {
            Some(bytes) => Some(store_short(store, &file, bytes).await?),
            None if is_whole(store, &file).await => file.sha256.clone(),
            None => Some(transfer(&file, &repository.file(&file.name), store, &job.token, &on_bytes).await?),
        };
        record.write_coming(store).await.map_err(refused)?;
        done += file.bytes;
        job.progress(Phase::Download, done, total);
    }
    Ok(())
}

async fn is_whole(store: &ModelStore, file: &RecordedFile) -> bool {
    let length = store.file(file.place()).await.map(|stored| stored.size() as u64);
    file.sha256.is_some() && length == Some(file.bytes)
}

async fn store_short(store: &ModelStore, file: &RecordedFile, bytes: &[u8]) -> Result<String, Failure> {
    store.write(file.place(), bytes).await.map_err(|refusal| errors::storage(&file.name, refusal))?;
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    Ok(checksum.digits())
}

/// Bytes requested at a time: few requests, and after each the file is flushed to disk.
const RANGE_BYTES: u64 = 32 << 20;
/// Bytes read at a time when the existing part is added to the checksum.
const PIECE_BYTES: u64 = 4 << 20;

/// Fetches `file` from `url` into the storage, continuing after the existing part. Calls `on_bytes` with the bytes that
/// have arrived. Returns the file's sha256.
///
/// # Errors
/// The server cannot be reached or has another file by now, the browser has no space, or the file has another checksum
/// than promised. In this last case, and if the server's file is another, the existing part is deleted.
pub async fn transfer(
    file: &RecordedFile,
    url: &str,
    store: &ModelStore,
    token: &CancellationToken,
    on_bytes: &dyn Fn(u64),
) -> Result<String, Failure> {
    let refused = |refusal: StorageError| errors::storage(&file.name, refusal);
    let mut writer = store.continued(file.place()).await.map_err(refused)?;
    if writer.length() > file.bytes {
        writer.clear().map_err(refused)?;
    }
    let mut transfer = Transfer { file, url, writer, checksum: Checksum::default(), token, on_bytes };
    transfer.add_what_is_here()?;
    while transfer.writer.length() < file.bytes {
        transfer.range().await?;
    }
    let Transfer { mut writer, checksum, .. } = transfer;
    let found = checksum.digits();
    if let Some(promised) = file.promised.as_ref().filter(|promised| **promised != found) {
        let _ = writer.clear(); // leftovers are found out next time
        return Err(errors::altered_on_the_way(&file.name, format!("sha256 {found} instead of {promised}")));
    }
    writer.finish().map_err(refused)?;
    Ok(found)
}

struct Transfer<'a> {
    file: &'a RecordedFile,
    url: &'a str,
    writer: FileWriter,
    checksum: Checksum,
    token: &'a CancellationToken,
    on_bytes: &'a dyn Fn(u64),
}

impl Transfer<'_> {
    fn add_what_is_here(&mut self) -> Result<(), Failure> {
        let (length, mut at) = (self.writer.length(), 0);
        while at < length {
            let piece = PIECE_BYTES.min(length - at);
            let bytes = self.writer.read(at, piece).map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum.add(&bytes);
            at += piece;
        }
        (self.on_bytes)(length);
        Ok(())
    }

    /// Fetches the next range.
    async fn range(&mut self) -> Result<(), Failure> {
        if self.token.is_cancelled() {
            return Err(errors::cancelled());
        }
        let start = self.writer.length();
        let end = self.file.bytes.min(start + RANGE_BYTES);
        let question = HttpRequest { range: Some((start, end - 1)), ..HttpRequest::whole(self.url) };
        let answer = HttpResponse::to(question, self.token).await?;
        self.compare(&answer, start)?;
        let end = if answer.status() == 206 { end } else { self.file.bytes };
        let mut download = Download::of(answer, self.token)?;
        while let Some(chunk) = download.next().await? {
            if self.writer.length() + u64::from(chunk.length()) > end {
                return Err(self.changed("more bytes came than the file has"));
            }
            self.writer.append(&chunk).map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum.add(&chunk.to_vec());
            (self.on_bytes)(self.writer.length());
        }
        self.writer.flush().map_err(|refusal| errors::storage(&self.file.name, refusal))?;
        if self.writer.length() < end {
            let details = format!("the connection ended after {} of {} bytes", self.writer.length(), self.file.bytes);
            return Err(errors::unreachable(self.url, details));
        }
        Ok(())
    }

    /// Checks that the response continues the existing part of the same version of the file. `If-Range` would have the
    /// server compare, but makes the browser send a preflight request, which not all storage servers behind hubs allow;
    /// so the tag is compared here, before a byte is written.
    fn compare(&mut self, answer: &HttpResponse, start: u64) -> Result<(), Failure> {
        let tag = answer.field("ETag");
        // An error page has a tag of its own, which says nothing about the file.
        let has_file = matches!(answer.status(), 200 | 206);
        let differs = has_file
            && self.file.promised.is_none()
            && !answer.redirected()
            && self.file.tag.as_ref().zip(tag.as_ref()).is_some_and(|(expected, found)| expected != found);
        if answer.status() == 416 || differs {
            return Err(self.changed(&format!("tag {tag:?} instead of {:?}", self.file.tag)));
        }
        if answer.status() == 200 && start > 0 {
            // A server that does not support ranges sends the whole file again.
            self.writer.clear().map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum = Checksum::default();
        }
        if answer.status() == 206
            && let Some((first, whole)) = answer.field("Content-Range").as_deref().and_then(content_range)
            && (first, whole) != (start, self.file.bytes)
        {
            return Err(
                self.changed(&format!("byte {first} of {whole} came instead of {start} of {}", self.file.bytes))
            );
        }
        Ok(())
    }

    fn changed(&mut self, details: &str) -> Failure {
        let _ = self.writer.clear(); // leftovers are found out by the checksum
        errors::changed_on_hub(&self.file.name, details)
    }
}
