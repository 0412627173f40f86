//! Fetching a model from a hub: missing files are fetched, verified and recorded one by one. A model that is stored
//! already stays in use until its new version is complete and verified.

use super::claim::claim;
use super::hub::{self, Found};
use super::transfer::transfer;
use crate::errors::{self, StorageError};
use crate::event_loop::Throttle;
use crate::job::Job;
use crate::models::translator_files::TranslatorFiles;
use crate::storage::record::{Here, Record, RecordedFile};
use crate::storage::store::{ModelStore, StoreArea};
use std::collections::BTreeMap;
use tuppum_protocol::{Failure, Origin, Phase, Repository, StorageEvent, Task};
use tuppum_weights::Checksum;

/// Bytes of storage left for the browser's own records.
const SPARE: u64 = 1 << 20;

/// Fetches a model and stores it. Files that have arrived already are not fetched again.
///
/// # Errors
/// The same as those of [`hub::ask`]; there is too little space; the connection breaks, in which case the bytes that
/// have arrived stay; files arrive damaged, or are not those of the model that `config.json` describes.
pub async fn fetch(job: &Job, repository: &Repository) -> Result<(), Failure> {
    job.progress(Phase::Download, 0, 0);
    let name = repository.stored_name();
    let _right = claim(job, &name).await?;
    let Found { offer, files, short } = hub::ask(repository, &job.token).await?;
    let missing = offer.bytes().saturating_sub(offer.present);
    if let Some(free) = offer.free.filter(|free| missing > 0 && missing + SPARE > *free) {
        return Err(errors::storage_full(missing, free));
    }
    let opened = ModelStore::of(StoreArea::Stored, &name, true).await;
    let store = opened.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let here = Here::read(&store).await;
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
async fn refuse(store: &ModelStore, here: &Here, mut record: Record) {
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
    here: &Here,
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
    let (throttle, mut done) = (Throttle::new(), 0);
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
