//! A model that was trained here, put onto the user's shelf.

use super::copy::free_name;
use super::record::{Record, RecordedFile};
use super::shelves::right;
use crate::errors;
use crate::jobs::Job;
use crate::store::{Room, Shelf, Writer, estimate};
use crate::training::{Made, from_train};
use js_sys::Uint8Array;
use tuppum_protocol::{Event, Failure, Origin, plain_name};
use tuppum_weights::sink::Sink;
use tuppum_weights::{Checksum, SourceError};

/// Writes a model under this name, or a numbered one if another model has it, as one that was trained from `base`.
///
/// # Errors
/// The browser has no room or refuses; the device failed.
pub async fn keep_trained(job: &Job, name: &str, base: &str, made: &Made<'_>) -> Result<(), Failure> {
    if let Some(estimate) = estimate().await {
        let (needed, left) = (made.parameters() * 4, estimate.quota.saturating_sub(estimate.used));
        if needed > left {
            return Err(errors::no_room(needed, left));
        }
    }
    let name = free_name(&plain_name(name)).await?;
    let _right = right(job, &name).await?;
    let opened = Shelf::of(Room::Kept, &name, true).await;
    let shelf = opened.map_err(|refusal| errors::nothing_kept(&refusal))?;
    let written = written(&shelf, base, made).await;
    if written.is_err() {
        // what is half written is of no use; the run can be asked again
        let _ = Room::Kept.remove(&name).await;
    }
    job.tell(Event::Kept(written?.told(&name, &shelf).await));
    Ok(())
}

async fn written(shelf: &Shelf, base: &str, made: &Made<'_>) -> Result<Record, Failure> {
    let failed = |error| from_train(error, None);
    let file = |name: &str, bytes: u64, checksum: Checksum| RecordedFile {
        name: name.to_owned(),
        bytes,
        promised: None,
        tag: None,
        sha256: Some(checksum.digits()),
        at: None,
    };
    let mut files = Vec::new();
    for (name, bytes) in made.short_files().map_err(failed)? {
        shelf.write(name, &bytes).await.map_err(|refusal| errors::storage(name, refusal))?;
        let mut checksum = Checksum::default();
        checksum.add(&bytes);
        files.push(file(name, bytes.len() as u64, checksum));
    }
    let weights = made.weights_file();
    let refused = |refusal: String| errors::storage(weights, refusal);
    let mut sink = ToShelf { writer: shelf.writer(weights).await.map_err(refused)?, checksum: Checksum::default() };
    made.weights(&mut sink).await.map_err(failed)?;
    let ToShelf { writer, checksum } = sink;
    let length = writer.length();
    writer.finish().map_err(refused)?;
    files.push(file(weights, length, checksum));
    let (origin, added) = (Origin::Trained(base.to_owned()), js_sys::Date::now());
    let record = Record { craft: made.craft(), origin, added, parameters: made.parameters(), files };
    record.write(shelf).await.map_err(|refusal| errors::storage("the record", refusal))?;
    Ok(record)
}

/// Writes, and takes the checksum on the way.
struct ToShelf {
    writer: Writer,
    checksum: Checksum,
}

impl Sink for ToShelf {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.checksum.add(bytes);
        self.writer.append(&Uint8Array::from(bytes)).map_err(SourceError)
    }
}
