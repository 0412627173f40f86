//! A whole model from a hub: what is missing of it is fetched, compared and noted, file by file.

use super::hub::{self, Found};
use super::record::{RECORD, Record, RecordedFile};
use super::shelves::right;
use super::transfer::transfer;
use crate::engine::errors;
use crate::engine::jobs::Job;
use crate::engine::pace::Throttle;
use crate::engine::protocol::{Craft, Event, Failure, Origin, Phase, Repository};
use crate::engine::store::{Room, Shelf};
use crate::engine::translator_files::check_kept;
use crate::weights::Checksum;
use std::collections::BTreeMap;

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
    let mut record = begin(&shelf, repository, offer.parameters, &files).await;
    fetch_files(job, repository, &shelf, &mut record, &short).await?;
    let mut names: Vec<String> = record.files.iter().map(|file| file.name.clone()).collect();
    names.push(RECORD.to_owned());
    shelf.keep_only(&names).await;
    check_kept(&name).await?;
    job.tell(Event::Kept(record.told(&name, &shelf).await));
    Ok(())
}

/// The record of the model as it is now on the hub. What is here of files that have changed since is thrown away before
/// the record can claim it.
async fn begin(shelf: &Shelf, repository: &Repository, parameters: u64, files: &[RecordedFile]) -> Record {
    let before = Record::read(shelf).await;
    let mut noted = Vec::with_capacity(files.len());
    for file in files {
        let same = before.as_ref().and_then(|record| record.file(&file.name)).filter(|old| old.is_same(file));
        if same.is_none() {
            shelf.remove(&file.name).await;
        }
        noted.push(RecordedFile { sha256: same.and_then(|old| old.sha256.clone()), ..file.clone() });
    }
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
    record.write(shelf).await.map_err(refused)?;
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
        record.write(shelf).await.map_err(refused)?;
        done += file.bytes;
        job.progress(Phase::Download, done, total);
    }
    Ok(())
}

async fn is_whole(shelf: &Shelf, file: &RecordedFile) -> bool {
    let length = shelf.file(&file.name).await.map(|stored| stored.size() as u64);
    file.sha256.is_some() && length == Some(file.bytes)
}

async fn keep_short(shelf: &Shelf, file: &RecordedFile, bytes: &[u8]) -> Result<String, Failure> {
    shelf.write(&file.name, bytes).await.map_err(|refusal| errors::storage(&file.name, refusal))?;
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    Ok(checksum.digits())
}
