//! A whole model from a hub: what is missing of it is fetched, compared and noted, file by file.

use super::hub::{self, Found};
use super::record::{Record, RecordedFile};
use super::shelves::right;
use super::transfer::transfer;
use crate::engine::errors;
use crate::engine::jobs::Job;
use crate::engine::pace::Throttle;
use crate::engine::protocol::{Event, Failure, Origin, Phase, Repository};
use crate::engine::store::{Room, Shelf, estimate};
use crate::engine::translator_files::check_kept;
use crate::weights::Checksum;

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
    let opened = Shelf::of(Room::Kept, &name, true).await;
    let shelf = opened.map_err(|refusal| errors::nothing_kept(&refusal))?;
    let missing = offer.bytes().saturating_sub(hub::present(&shelf, &files).await);
    if let Some(estimate) = estimate().await {
        let left = estimate.quota.saturating_sub(estimate.used);
        if missing > 0 && missing + SPARE > left {
            return Err(errors::no_room(missing, left));
        }
    }
    let refused = |refusal: String| errors::storage(&name, refusal);
    let before = Record::read(&shelf).await;
    let mut record = Record {
        origin: Origin::Hub(repository.clone()),
        added: before.as_ref().map_or_else(js_sys::Date::now, |record| record.added),
        parameters: offer.parameters,
        files: files.iter().map(|file| with_checksum_of(file, before.as_ref())).collect(),
    };
    record.write(&shelf).await.map_err(refused)?;
    let (total, throttle, mut done) = (offer.bytes(), Throttle::new(), 0);
    for number in 0..record.files.len() {
        let file = record.files[number].clone();
        let on_bytes = |bytes: u64| {
            if throttle.passes(done + bytes, total) {
                job.progress(Phase::Download, done + bytes, total);
            }
        };
        let continues =
            before.as_ref().and_then(|before| before.file(&file.name)).is_some_and(|old| old.is_same(&file));
        record.files[number].sha256 = match short.get(&file.name) {
            Some(bytes) => Some(keep_short(&shelf, &file, bytes).await?),
            None if is_whole(&shelf, &file).await => file.sha256.clone(),
            None => {
                let url = repository.file(&file.name);
                Some(transfer(&file, &url, &shelf, continues, &job.stop, &on_bytes).await?)
            }
        };
        record.write(&shelf).await.map_err(refused)?;
        done += file.bytes;
        job.progress(Phase::Download, done, total);
    }
    let mut names: Vec<String> = record.files.iter().map(|file| file.name.clone()).collect();
    names.push(super::record::RECORD.to_owned());
    shelf.keep_only(&names).await;
    check_kept(&name).await?;
    job.tell(Event::Kept(record.told(&name, &shelf).await));
    Ok(())
}

/// The file with the checksum that was found when the same state of it was fetched before.
fn with_checksum_of(file: &RecordedFile, before: Option<&Record>) -> RecordedFile {
    let before = before.and_then(|record| record.file(&file.name)).filter(|old| old.is_same(file));
    RecordedFile { sha256: before.and_then(|old| old.sha256.clone()), ..file.clone() }
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
