//! The files of a run's model, for the user's device. They go through the browser's memory, not its storage, so that a
//! run can be saved even if the browser stores nothing.

use super::run::Run;
use super::trained_model::TrainedModel;
use crate::bindings::address_of;
use crate::errors;
use crate::job::Job;
use crate::models::compute::ComputeDevice;
use js_sys::{Array, Uint8Array};
use tuppum_protocol::{Failure, TrainingEvent};
use tuppum_weights::SourceError;
use tuppum_weights::sink::Sink;
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// Writes the files and sends their addresses, which are valid until the worker ends or the page releases them.
///
/// # Errors
/// A tensor cannot be read from the device, or the browser has no memory left.
pub async fn save(job: &Job, run: &Run) -> Result<(), Failure> {
    let failed = |error| ComputeDevice::Cpu.training_failure(error);
    let made = TrainedModel::of(run);
    let mut files = Vec::new();
    for (name, bytes) in made.short_files().map_err(failed)? {
        files.push((name.to_owned(), address(&Array::of1(&Uint8Array::from(&*bytes)))?));
    }
    let mut parts = Parts(Array::new());
    made.weights(&mut parts).await.map_err(failed)?;
    files.push((made.weights_file().to_owned(), address(&parts.0)?));
    job.emit(TrainingEvent::Files(files));
    Ok(())
}

/// Returns the address of a file of these parts.
fn address(parts: &Array) -> Result<String, Failure> {
    let refused = |error: JsValue| errors::not_saved(errors::thrown(&error));
    let blob = Blob::new_with_u8_array_sequence(parts).map_err(refused)?;
    address_of(&blob).map_err(refused)
}

/// Parts of a file, outside the engine's memory.
struct Parts(Array);

impl Sink for Parts {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.0.push(&Uint8Array::from(bytes));
        Ok(())
    }
}
