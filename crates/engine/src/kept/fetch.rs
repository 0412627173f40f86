//! A whole model from a hub: what is missing of it is fetched, compared and noted, file by file. A model that is kept
//! already stays in use until its next state is whole and was checked.

use super::hub::{self, Found};
use super::record::{Here, Record, RecordedFile};
use super::shelves::right;
use super::transfer::transfer;
use crate::errors;
use crate::jobs::Job;
use crate::pace::Throttle;
use crate::store::{Room, Shelf};
use crate::translator_files::Opened;
use std::collections::BTreeMap;
use tuppum_protocol::{Craft, Event, Failure, Origin, Phase, Repository};
use tuppum_weights::Checksum;

/// Room that is left for the browser's own notes.
const SPARE: u64 = 1 << 20;

/// Fetches a model and keeps it. What is here already is not fetched again.
///
/// # Errors
/// As for [`hub::ask`]; too little room; the connection breaks, and what has arrived is then kept; files that came
/// damaged, or are not those of the model that `config.json` describes.
pub async fn fetch(job: &Job, repository: &Repository) -> Result<(), Failure> {
    job.progress(Phase::Download, 0, 0);
    let name = repository.kept_name();
    let _right = right(job, &name).await?;
    let Found { offer, files, short } = hub::ask(repository, &job.stop).await?;
    let missing = offer.bytes().saturating_sub(offer.present);
    if let Some(room) = offer.room.filter(|room| missing > 0 && missing + SPARE > *room) {
        return Err(errors::no_room(missing, room));
    }
    let opened = Shelf::of(Room::Kept, &name, true).await;
    let shelf = opened.map_err(|refusal| errors::nothing_kept(&refusal))?;
    let here = Here::read(&shelf).await;
    let mut record = begin(&shelf, &here, repository, offer.parameters, &files).await;
    fetch_files(job, repository, &shelf, &mut record, &short).await?;
    if let Err(failure) = check(&name, &shelf, &record).await {
        refuse(&shelf, &here, record).await;
        return Err(failure);
    }
    record.write(&shelf).await.map_err(|refusal| errors::storage(&repository.id, refusal))?;
    shelf.keep_only(&record.names()).await;
    job.tell(Event::Kept(record.told(&name, &shelf).await));
    Ok(())
}

/// Whether what came can be loaded, as far as can be told without reading its numbers.
async fn check(name: &str, shelf: &Shelf, record: &Record) -> Result<(), Failure> {
    Opened::of_record(name, shelf, record).await?.check().await
}

/// Keeps what came but is no model from being taken for one. A state that was in use stays so, alone.
async fn refuse(shelf: &Shelf, here: &Here, mut record: Record) {
    match &here.whole {
        Some(whole) => shelf.keep_only(&whole.names()).await,
        None => {
            record.files.iter_mut().for_each(|file| file.sha256 = None);
            // what cannot be noted is found out again when the model is opened
            let _ = record.write_coming(shelf).await;
        }
    }
}

/// The record of the model as it is now on the hub. What is here of a state that was on its way and is no more is thrown
/// away before the record can claim it.
async fn begin(shelf: &Shelf, here: &Here, repository: &Repository, parameters: u64, files: &[RecordedFile]) -> Record {
    let mut noted = Vec::with_capacity(files.len());
    for file in files {
        noted.push(match here.same(file) {
            Some(old) => RecordedFile { sha256: old.sha256.clone(), at: old.at.clone(), ..file.clone() },
            None => {
                let fresh = RecordedFile { at: here.free(&file.name), ..file.clone() };
                shelf.remove(fresh.place()).await;
                fresh
            }
        });
    }
    let before = here.whole.iter().chain(&here.coming).next();
    let added = before.map_or_else(js_sys::Date::now, |record| record.added);
    Record { craft: Craft::Translating, origin: Origin::Hub(repository.clone()), added, parameters, files: noted }
}

/// Fetches what is missing, noting every file that is whole.
async fn fetch_files(
    job: &Job,
    repository: &Repository,
    shelf: &Shelf,
    record: &mut Record,
    short: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failure> {
    let refused = |refusal: String| errors::storage(&repository.id, refusal);
    record.write_coming(shelf).await.map_err(refused)?;
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
            Some(bytes) => Some(keep_short(shelf, &file, bytes).await?),
            None if is_whole(shelf, &file).await => file.sha256.clone(),
            None => Some(transfer(&file, &repository.file(&file.name), shelf, &job.stop, &on_bytes).await?),
        };
        record.write_coming(shelf).await.map_err(refused)?;
        done += file.bytes;
        job.progress(Phase::Download, done, total);
    }
    Ok(())
}

async fn is_whole(shelf: &Shelf, file: &RecordedFile) -> bool {
    let length = shelf.file(file.place()).await.map(|stored| stored.size() as u64);
    file.sha256.is_some() && length == Some(file.bytes)
}

async fn keep_short(shelf: &Shelf, file: &RecordedFile, bytes: &[u8]) -> Result<String, Failure> {
    shelf.write(file.place(), bytes).await.map_err(|refusal| errors::storage(&file.name, refusal))?;
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    Ok(checksum.digits())
}
