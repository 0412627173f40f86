//! A model that was trained here, put onto the user's shelf.

use super::CONFIG;
use super::copy::free_name;
use super::record::{Record, RecordedFile};
use super::shelves::right;
use crate::engine::errors;
use crate::engine::folder::MANIFEST;
use crate::engine::jobs::Job;
use crate::engine::protocol::{Craft, Event, Failure, Origin, plain_name};
use crate::engine::store::{Room, Shelf, Writer, estimate};
use crate::engine::training::from_train;
use crate::model::byt5::ByT5;
use crate::model::torso::Torso;
use crate::text::tokens::Vocabulary;
use crate::train::restorer::export as restorer;
use crate::train::translator::{TrainError, export};
use crate::weights::safetensors::Dtype;
use crate::weights::sink::Sink;
use crate::weights::{Checksum, FileEntry, SourceError};
use js_sys::Uint8Array;

/// The file of the weights.
const WEIGHTS: &str = "model.safetensors";

/// Writes a translator under this name, or a numbered one if another model has it, as one that was trained from `base`.
///
/// # Errors
/// The browser has no room or refuses; the device failed.
pub async fn keep_trained(job: &Job, name: &str, base: &str, model: &ByT5) -> Result<(), Failure> {
    let parameters = model.config().parameter_count();
    let config = export::config(model).map_err(|error| from_train(error, None))?;
    let write = async |sink: &mut ToShelf| export::weights(model, Dtype::F32, sink).await.map(|_| ());
    let craft = Craft::Translating;
    put(job, name, Trained { craft, base, parameters, short: vec![(CONFIG, config)], weights: WEIGHTS }, write).await
}

/// Writes a restorer in the same way.
///
/// # Errors
/// As of [`keep_trained`].
pub async fn keep_trained_restorer(
    job: &Job,
    name: &str,
    base: &str,
    torso: &Torso,
    vocabulary: &Vocabulary,
) -> Result<(), Failure> {
    let parameters = torso.config().parameter_count();
    // The entry of the weights is for a manifest, which a kept model has not: its record has the checksums.
    let nothing = FileEntry { name: restorer::WEIGHTS.to_owned(), bytes: 0, sha256: String::new() };
    let short = restorer::small_files(torso, vocabulary, nothing).map_err(|error| from_train(error, None))?;
    let short = short.into_iter().filter(|(name, _)| *name != MANIFEST).collect();
    let write = async |sink: &mut ToShelf| restorer::weights(torso, Dtype::F32, sink).await.map(|_| ());
    let craft = Craft::Restoring;
    put(job, name, Trained { craft, base, parameters, short, weights: restorer::WEIGHTS }, write).await
}

/// A model that was trained here: its short files with their names, and the name of the file of its weights.
struct Trained<'b> {
    craft: Craft,
    base: &'b str,
    parameters: u64,
    short: Vec<(&'static str, Vec<u8>)>,
    weights: &'static str,
}

/// Puts a model onto the shelf; `write` writes its weights.
async fn put(
    job: &Job,
    name: &str,
    trained: Trained<'_>,
    write: impl AsyncFnOnce(&mut ToShelf) -> Result<(), TrainError>,
) -> Result<(), Failure> {
    let parameters = trained.parameters;
    if let Some(estimate) = estimate().await {
        let left = estimate.quota.saturating_sub(estimate.used);
        if parameters * 4 > left {
            return Err(errors::no_room(parameters * 4, left));
        }
    }
    let name = free_name(&plain_name(name)).await?;
    let _right = right(job, &name).await?;
    let opened = Shelf::of(Room::Kept, &name, true).await;
    let shelf = opened.map_err(|refusal| errors::nothing_kept(&refusal))?;
    let written = written(&shelf, trained, write).await;
    if written.is_err() {
        // what is half written is of no use; the run can be asked again
        let _ = Room::Kept.remove(&name).await;
    }
    job.tell(Event::Kept(written?.told(&name, &shelf).await));
    Ok(())
}

async fn written(
    shelf: &Shelf,
    trained: Trained<'_>,
    write: impl AsyncFnOnce(&mut ToShelf) -> Result<(), TrainError>,
) -> Result<Record, Failure> {
    let Trained { craft, base, parameters, short, weights } = trained;
    let file = |name: &str, bytes: u64, checksum: Checksum| RecordedFile {
        name: name.to_owned(),
        bytes,
        promised: None,
        tag: None,
        sha256: Some(checksum.digits()),
    };
    let mut files = Vec::with_capacity(short.len() + 1);
    for (name, bytes) in short {
        shelf.write(name, &bytes).await.map_err(|refusal| errors::storage(name, refusal))?;
        let mut checksum = Checksum::default();
        checksum.add(&bytes);
        files.push(file(name, bytes.len() as u64, checksum));
    }
    let refused = |refusal: String| errors::storage(weights, refusal);
    let mut sink = ToShelf { writer: shelf.writer(weights).await.map_err(refused)?, checksum: Checksum::default() };
    write(&mut sink).await.map_err(|error| from_train(error, None))?;
    let ToShelf { writer, checksum } = sink;
    let length = writer.length();
    writer.finish().map_err(refused)?;
    files.push(file(weights, length, checksum));
    let origin = Origin::Trained(base.to_owned());
    let record = Record { craft, origin, added: js_sys::Date::now(), parameters, files };
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
