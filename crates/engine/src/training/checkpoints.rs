//! Checkpoints of runs in the browser's storage. Each run has a folder with two checkpoints that are written in turn,
//! each followed by its record. An interrupted write leaves the other checkpoint usable.

use super::run::Run;
use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::models::opening::ComputeDevice;
use crate::records::checkpoint::{
    CheckpointRecord, NeededBase, PLACES, next_place, note_file, skipped, sort_newest_first, weights_file,
};
use crate::records::names::first_free;
use crate::storage::lock::WritingRight;
use crate::storage::store::{Content, FileWriter, ModelStore, StoreArea};
use burn::tensor::Device;
use js_sys::Uint8Array;
use std::fmt::{Display, Formatter};
use tuppum_nn::byt5::ByT5;
use tuppum_protocol::{Failure, StoredRun, Task, TrainingEvent, plain_name};
use tuppum_train::TrainError;
use tuppum_weights::SourceError;
use tuppum_weights::storage::Sink;

/// Reason why a checkpoint was not written.
#[derive(Debug)]
pub enum CheckpointError {
    /// The storage refuses.
    Storage(StorageError),
    /// The run could not be read from the device, or not be written completely.
    Run(TrainError),
}

impl From<StorageError> for CheckpointError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl Display for CheckpointError {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Storage(error) => error.fmt(out),
            Self::Run(error) => error.fmt(out),
        }
    }
}

/// Checkpoints of one run, with the right to write them.
pub struct Checkpoints {
    store: ModelStore,
    /// Number of the checkpoint that is written next.
    next: usize,
    _right: WritingRight,
}

impl Checkpoints {
    /// Creates a folder for a new run of this name, numbered if another run has the name. Also returns the name.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub async fn new_run(name: &str) -> Result<(Self, String), StorageError> {
        let taken = StoreArea::Runs.names().await?;
        let free = first_free(&plain_name(name), &taken);
        let right = WritingRight::soon(&lock(&free)).await?;
        let right = right.ok_or_else(|| StorageError::RunBegins(free.clone()))?;
        let store = ModelStore::of(StoreArea::Runs, &free, true).await?;
        Ok((Self { store, next: 0, _right: right }, free))
    }

    /// Opens the checkpoints of a stored run.
    ///
    /// # Errors
    /// There is no such run, or another tab has it.
    pub async fn of_run(name: &str) -> Result<Self, Failure> {
        let right = right(name).await?;
        let store = ModelStore::of(StoreArea::Runs, name, false).await;
        let store = store.map_err(|refusal| errors::no_checkpoint(name, refusal))?;
        let next = next_place(&notes(&store).await);
        Ok(Self { store, next, _right: right })
    }

    /// Returns the base, if the run needs it beside the checkpoint to continue.
    pub async fn needed_base(&self) -> Option<NeededBase> {
        notes(&self.store)
            .await
            .into_iter()
            .next()
            .filter(|(_, note)| note.needs_base)
            .map(|(_, note)| note.begun_with())
    }

    /// Reads the run from its newest complete checkpoint. Also returns a note if a newer one was skipped. `base` is the
    /// one that [`Checkpoints::needed_base`] asks for.
    ///
    /// # Errors
    /// No checkpoint is complete, the base is not the one needed, or the device failed.
    pub async fn newest(
        &mut self,
        name: &str,
        device: &Device,
        base: Option<&ByT5>,
    ) -> Result<(Run, CheckpointRecord, Option<String>), Failure> {
        let mut passed_over = Vec::new();
        for (place, note) in notes(&self.store).await {
            match self.read(&note, place, device, base).await {
                Ok(run) => {
                    // The complete checkpoint must not be overwritten next.
                    self.next = 1 - place;
                    let passed = skipped(&passed_over, note.step);
                    return Ok((run, note, passed));
                }
                Err(error @ TrainError::Weights(_)) => passed_over.push((note.step, error.to_string())),
                // This file is complete, and the other one would fail for the same reason.
                Err(error) => return Err(ComputeDevice::Cpu.training_failure(error)),
            }
        }
        let details: Vec<String> =
            passed_over.into_iter().map(|(step, problem)| format!("step {step}: {problem}")).collect();
        Err(errors::no_checkpoint(name, details.join("; ")))
    }

    async fn read(
        &self,
        note: &CheckpointRecord,
        place: usize,
        device: &Device,
        base: Option<&ByT5>,
    ) -> Result<Run, TrainError> {
        let file = weights_file(place);
        let stored = self.store.file(&file).await.ok_or_else(|| SourceError(format!("{file} is missing")))?;
        Run::read(note.task, &file, &mut Content::Stored(stored), device, base).await
    }

    /// Writes a checkpoint over the older one; the newer one is not touched.
    ///
    /// # Errors
    /// Returns the browser's refusal or the device's error.
    pub async fn write(&mut self, run: &Run, note: &mut CheckpointRecord) -> Result<(), CheckpointError> {
        let place = self.next;
        self.store.remove(&note_file(place)).await;
        let mut sink = ToStore(self.store.writer(&weights_file(place)).await?);
        run.write(&mut sink).await.map_err(CheckpointError::Run)?;
        let ToStore(writer) = sink;
        let bytes = writer.length();
        writer.finish()?;
        (note.step, note.bytes, note.written) = (run.done(), bytes, js_sys::Date::now());
        let json = serde_json::to_vec(note).map_err(StorageError::from)?;
        self.store.write(&note_file(place), &json).await?;
        self.next = 1 - place;
        Ok(())
    }
}

/// Sends the stored runs, the newest first; none if the browser stores nothing.
pub async fn list(job: &Job) {
    let mut runs = Vec::new();
    for name in StoreArea::Runs.names().await.unwrap_or_default() {
        let Ok(store) = ModelStore::of(StoreArea::Runs, &name, false).await else { continue };
        runs.push(match notes(&store).await.first() {
            Some((_, note)) => note.describe(&name),
            None => {
                let (task, base, pairs) = (Task::default(), None, [0; 2]);
                StoredRun { name, task, base, step: None, of: 0, pairs, bytes: 0, written: 0.0 }
            }
        });
    }
    runs.sort_by(|one, other| other.written.total_cmp(&one.written));
    job.emit(TrainingEvent::Runs(runs));
}

/// Deletes a run.
///
/// # Errors
/// The browser refuses, or another tab has the run.
pub async fn delete(name: &str) -> Result<(), Failure> {
    let _right = right(name).await?;
    StoreArea::Runs.remove(name).await.map_err(|refusal| errors::not_deleted(name, refusal))
}

/// Reads the records of both checkpoints. The one with more steps comes first; of two with equally many the one written
/// last.
async fn notes(store: &ModelStore) -> Vec<(usize, CheckpointRecord)> {
    let mut found: Vec<(usize, CheckpointRecord)> = Vec::new();
    for place in 0..PLACES.len() {
        let Some(stored) = store.file(&note_file(place)).await else { continue };
        let Ok(bytes) = Content::Stored(stored).whole().await else { continue };
        found.extend(serde_json::from_slice(&bytes).ok().map(|note| (place, note)));
    }
    sort_newest_first(&mut found);
    found
}

/// Returns the right to work on a run, for as long as it is held.
async fn right(name: &str) -> Result<WritingRight, Failure> {
    let right = WritingRight::soon(&lock(name)).await.map_err(|refusal| errors::storage(name, refusal))?;
    right.ok_or_else(|| errors::run_elsewhere(name))
}

/// Returns the name of the lock for working on this run.
fn lock(name: &str) -> String {
    format!("tuppum-training-{name}")
}

/// Writes bytes to a file of the storage.
struct ToStore(FileWriter);

impl Sink for ToStore {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.0.append(&Uint8Array::from(bytes)).map_err(|error| SourceError(error.to_string()))
    }
}
