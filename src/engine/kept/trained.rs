//! A model that was trained here, put onto the user's shelf.

use super::CONFIG;
use super::copy::free_name;
use super::record::{Record, RecordedFile};
use super::shelves::right;
use crate::engine::errors;
use crate::engine::jobs::Job;
use crate::engine::protocol::{Event, Failure, Origin, plain_name};
use crate::engine::store::{Room, Shelf, Writer, estimate};
use crate::engine::training::from_train;
use crate::model::byt5::ByT5;
use crate::train::translator::export;
use crate::weights::safetensors::Dtype;
use crate::weights::sink::Sink;
use crate::weights::{Checksum, SourceError};
use js_sys::Uint8Array;

/// The file of the weights.
const WEIGHTS: &str = "model.safetensors";

/// Writes a model under this name, or a numbered one if another model has it, as one that was trained from `base`.
///
/// # Errors
/// The browser has no room or refuses; the device failed.
pub async fn keep_trained(job: &Job, name: &str, base: &str, model: &ByT5) -> Result<(), Failure> {
    let parameters = model.config().parameter_count();
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
    let written = write(&shelf, base, parameters, model).await;
    if written.is_err() {
        // what is half written is of no use; the run can be asked again
        let _ = Room::Kept.remove(&name).await;
    }
    job.tell(Event::Kept(written?.told(&name, &shelf).await));
    Ok(())
}

async fn write(shelf: &Shelf, base: &str, parameters: u64, model: &ByT5) -> Result<Record, Failure> {
    let refused = |refusal: String| errors::storage(WEIGHTS, refusal);
    let config = export::config(model).map_err(|error| from_train(error, None))?;
    shelf.write(CONFIG, &config).await.map_err(|refusal| errors::storage(CONFIG, refusal))?;
    let mut sink = Summing { writer: shelf.writer(WEIGHTS).await.map_err(refused)?, checksum: Checksum::default() };
    export::weights(model, Dtype::F32, &mut sink).await.map_err(|error| from_train(error, None))?;
    let Summing { writer, checksum } = sink;
    let length = writer.length();
    writer.finish().map_err(refused)?;
    let mut of_config = Checksum::default();
    of_config.add(&config);
    let file = |name: &str, bytes: u64, checksum: Checksum| RecordedFile {
        name: name.to_owned(),
        bytes,
        promised: None,
        tag: None,
        sha256: Some(checksum.digits()),
    };
    let files = vec![file(CONFIG, config.len() as u64, of_config), file(WEIGHTS, length, checksum)];
    let record = Record { origin: Origin::Trained(base.to_owned()), added: js_sys::Date::now(), parameters, files };
    record.write(shelf).await.map_err(|refusal| errors::storage("the record", refusal))?;
    Ok(record)
}

/// Writes, and takes the checksum on the way.
struct Summing {
    writer: Writer,
    checksum: Checksum,
}

impl Sink for Summing {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.checksum.add(bytes);
        self.writer.append(&Uint8Array::from(bytes)).map_err(SourceError)
    }
}
