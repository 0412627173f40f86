//! The trained model as files: stored in the browser, or saved on the user's device. Files for the user's device go
//! through the browser's memory, not its storage, so that a run can be saved even if the browser stores nothing.

use super::run::Run;
use crate::bindings::{address_of, thrown};
use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::models::opening::ComputeDevice;
use crate::models::stored_models::claim_free;
use crate::records::model::{Record, RecordedFile};
use crate::records::names::MANIFEST;
use crate::storage::store::{FileWriter, ModelStore, StoreArea, estimate};
use js_sys::{Array, Uint8Array};
use tuppum_nn::byt5::ByT5;
use tuppum_nn::torso::Torso;
use tuppum_protocol::{Failure, Origin, StorageEvent, Task, TrainingEvent, plain_name};
use tuppum_text::tokens::Vocabulary;
use tuppum_train::TrainError;
use tuppum_train::restorer::export as restorer;
use tuppum_train::translator::export;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::storage::Sink;
use tuppum_weights::{Checksum, FileEntry, SourceError};
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// Model of a run.
pub enum TrainedModel<'r> {
    /// Translator.
    Translator(Box<ByT5>),
    /// Restorer with its vocabulary.
    Restorer(Box<Torso>, &'r Vocabulary),
}

impl<'r> TrainedModel<'r> {
    /// Returns the model after the steps made so far.
    pub fn of(run: &'r Run) -> Self {
        match run {
            Run::Translator(trainer) => Self::Translator(Box::new(trainer.model())),
            Run::Restorer(trainer) => Self::Restorer(Box::new(trainer.model()), trainer.vocabulary()),
        }
    }

    /// Returns the task of the model.
    pub fn task(&self) -> Task {
        match self {
            Self::Translator(_) => Task::Translation,
            Self::Restorer(..) => Task::Restoration,
        }
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> u64 {
        match self {
            Self::Translator(model) => model.parameter_count(),
            Self::Restorer(torso, _) => torso.config().parameter_count(),
        }
    }

    /// Returns the short files with their names.
    ///
    /// # Errors
    /// The configuration cannot be written.
    pub fn short_files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, TrainError> {
        match self {
            Self::Translator(model) => Ok(vec![("config.json", export::config(model)?)]),
            Self::Restorer(torso, vocabulary) => {
                // The entry of the weights is for a manifest, which a user's model lacks.
                let nothing = FileEntry { name: restorer::WEIGHTS.to_owned(), bytes: 0, sha256: String::new() };
                let files = restorer::small_files(torso, vocabulary, nothing)?;
                Ok(files.into_iter().filter(|(name, _)| *name != MANIFEST).collect())
            }
        }
    }

    /// Returns the name of the weights file.
    pub fn weights_file(&self) -> &'static str {
        match self {
            Self::Translator(_) => "model.safetensors",
            Self::Restorer(..) => restorer::WEIGHTS,
        }
    }

    /// Writes the weights in 32 bits.
    ///
    /// # Errors
    /// The sink refuses, or a tensor cannot be read from the device.
    pub async fn weights(&self, sink: &mut impl Sink) -> Result<(), TrainError> {
        match self {
            Self::Translator(model) => export::weights(model, Dtype::F32, sink).await.map(|_| ()),
            Self::Restorer(torso, _) => restorer::weights(torso, Dtype::F32, sink).await.map(|_| ()),
        }
    }
}

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
    let refused = |error: JsValue| errors::not_saved(thrown(&error));
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
