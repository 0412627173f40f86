//! Storing the trained model in the browser.

use super::trained_model::TrainedModel;
use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::models::claim::claim_free;
use crate::models::compute::ComputeDevice;
use crate::storage::record::{Record, RecordedFile};
use crate::storage::store::{FileWriter, ModelStore, StoreArea, estimate};
use js_sys::Uint8Array;
use tuppum_protocol::{Failure, Origin, StorageEvent, plain_name};
use tuppum_weights::sink::Sink;
use tuppum_weights::{Checksum, SourceError};

/// Stores a model under this name, numbered if another model has the name, with a record of its origin.
///
/// # Errors
/// The browser has no space or refuses, or the device failed.
pub async fn store(job: &Job, name: &str, origin: Origin, made: &TrainedModel<'_>) -> Result<(), Failure> {
    if let Some(estimate) = estimate().await {
        let (needed, left) = (made.parameters() * 4, estimate.quota.saturating_sub(estimate.used));
        if needed > left {
            return Err(errors::storage_full(needed, left));
        }
    }
    let (name, _right) = claim_free(job, &plain_name(name)).await?;
    let opened = ModelStore::of(StoreArea::Stored, &name, true).await;
    let store = opened.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let written = written(&store, origin, made).await;
    if written.is_err() {
        // A partial model is of no use, and the run can be asked again.
        let _ = StoreArea::Stored.remove(&name).await;
    }
    job.emit(StorageEvent::Stored(written?.describe(&name, &store).await));
    Ok(())
}

async fn written(store: &ModelStore, origin: Origin, made: &TrainedModel<'_>) -> Result<Record, Failure> {
    let failed = |error| ComputeDevice::Cpu.training_failure(error);
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
        store.write(name, &bytes).await.map_err(|refusal| errors::storage(name, refusal))?;
        let mut checksum = Checksum::default();
        checksum.add(&bytes);
        files.push(file(name, bytes.len() as u64, checksum));
    }
    let weights = made.weights_file();
    let refused = |refusal: StorageError| errors::storage(weights, refusal);
    let mut sink = ToStore { writer: store.writer(weights).await.map_err(refused)?, checksum: Checksum::default() };
    made.weights(&mut sink).await.map_err(failed)?;
    let ToStore { writer, checksum } = sink;
    let length = writer.length();
    writer.finish().map_err(refused)?;
    files.push(file(weights, length, checksum));
    let added = js_sys::Date::now();
    let record = Record { task: made.task(), origin, added, parameters: made.parameters(), files };
    record.write(store).await.map_err(|refusal| errors::storage("the record", refusal))?;
    Ok(record)
}

/// Writes bytes and computes their checksum.
struct ToStore {
    writer: FileWriter,
    checksum: Checksum,
}

impl Sink for ToStore {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.checksum.add(bytes);
        self.writer.append(&Uint8Array::from(bytes)).map_err(|error| SourceError(error.to_string()))
    }
}
