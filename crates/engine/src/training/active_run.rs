//! A training run in memory: makes steps, validations, samples and checkpoints in order, until all are made or the user
//! pauses.

use super::base::ChosenDevice;
use super::checkpoints::{CheckpointError, Checkpoints};
use super::measured::{restorers_compared, written};
use super::run::Run;
use crate::bindings::now;
use crate::comparison::{compared, samples};
use crate::errors::{self, StorageError};
use crate::job::{Job, JobYield};
use crate::records::checkpoint::{CheckpointRecord, SHORTEST_PAUSE, pause_after};
use tuppum_protocol::{Curve, Failure, FailureKind, Phase, Sample, TrainingEvent, TrainingReport};
use tuppum_train::TrainError;

/// Number of measurements during a run.
const VALIDATIONS: u32 = 10;

/// Training run in memory.
pub struct ActiveRun {
    pub(super) name: String,
    pub(super) run: Run,
    pub(super) note: CheckpointRecord,
    pub(super) checkpoints: Option<Checkpoints>,
    /// Number of steps in the newest checkpoint.
    pub(super) stored: u32,
    pub(super) chosen: ChosenDevice,
    pub(super) parameters: u64,
    /// Reason why the run cannot be stored, if so.
    pub(super) not_stored: Option<StorageError>,
    pub(super) checkpoint_note: Option<String>,
}

impl ActiveRun {
    /// Returns `true` if the run has this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name
    }

    /// Makes at most `steps` steps, or all that are left, then writes a checkpoint, also after a cancel.
    pub(super) async fn work(&mut self, job: &Job, steps: Option<u32>) -> Result<(), Failure> {
        job.emit(TrainingEvent::Training(Box::new(self.report())));
        if !self.note.samples.is_empty() {
            job.emit(TrainingEvent::Samples(self.note.samples.clone()));
        }
        let outcome = self.steps(job, steps).await;
        let is_sound = |failure: &Failure| matches!(failure.kind, FailureKind::Cancelled | FailureKind::Question);
        if outcome.as_ref().err().is_none_or(is_sound) {
            // If this fails, its failure replaces that of the pause: it is the more important one.
            self.checkpoint(job).await?;
        }
        outcome
    }

    /// Writes a checkpoint, if there are steps that none has.
    ///
    /// # Errors
    /// The browser stores nothing, or refuses now.
    pub(super) async fn save(&mut self, job: &Job) -> Result<(), Failure> {
        let done = self.run.done();
        match &self.not_stored {
            _ if done == self.stored => Ok(()),
            Some(refusal) => Err(errors::only_in_memory(&self.name, done, refusal)),
            None => self.checkpoint(job).await,
        }
    }

    fn report(&self) -> TrainingReport {
        TrainingReport {
            name: self.name.clone(),
            task: self.run.task(),
            reason: self.chosen.reason.clone(),
            parameters: self.parameters,
            trained: self.run.trained(),
            pairs: self.note.pairs,
            of: self.run.steps(),
            parts: self.run.parts(),
            curve: Curve { steps: self.run.curve().to_vec(), validations: self.run.validations() },
            stored: self.stored,
            storage_note: self.not_stored.as_ref().map(StorageError::to_string),
            checkpoint_note: self.checkpoint_note.clone(),
        }
    }

    async fn steps(&mut self, job: &Job, steps: Option<u32>) -> Result<(), Failure> {
        let yielder = job.yielder();
        let of = self.run.steps();
        let until = steps.map_or(of, |steps| of.min(self.run.done() + steps));
        if self.is_fresh() {
            self.before(job, &yielder).await?;
            self.checkpoint(job).await?;
        }
        let (mut written, mut pause) = (now(), SHORTEST_PAUSE);
        let every = (of / VALIDATIONS).max(1);
        if self.run.done().is_multiple_of(every) || self.run.is_finished() {
            // The run may have paused between a step and its measurement.
            self.validate(job, &yielder).await?;
        }
        while self.run.done() < until {
            let step = self.run.step(&yielder).await.map_err(|error| self.failure(error))?;
            self.chosen.device.check()?;
            job.emit(TrainingEvent::TrainingStep(step));
            if step.number.is_multiple_of(every) || step.number == of {
                self.validate(job, &yielder).await?;
            }
            if now() - written > pause {
                let begun = now();
                self.checkpoint(job).await?;
                written = now();
                pause = pause_after(pause, written - begun);
            }
        }
        if self.run.is_finished() {
            // The checkpoint comes first: the comparison may fail, because the base is gone.
            let written = self.checkpoint(job).await;
            self.after(job, &yielder).await?;
            written?;
        }
        Ok(())
    }

    /// Returns `true` if nothing was done in this run yet.
    fn is_fresh(&self) -> bool {
        match &self.run {
            Run::Translator(_) => self.note.samples.is_empty(),
            Run::Restorer(_) => self.run.done() == 0,
        }
    }

    /// Translates the samples with the base and measures it on the held-out data.
    async fn before(&mut self, job: &Job, yielder: &JobYield) -> Result<(), Failure> {
        let mut all = match &self.run {
            Run::Translator(trainer) => samples(trainer.plan()),
            Run::Restorer(_) => Vec::new(),
        };
        let texts = self.written(job, &all, yielder).await?;
        all.iter_mut().zip(texts).for_each(|(sample, text)| sample.before = text);
        self.validate(job, yielder).await?;
        if !all.is_empty() {
            job.emit(TrainingEvent::Samples(all.clone()));
        }
        self.note.samples = all;
        Ok(())
    }

    async fn after(&mut self, job: &Job, yielder: &JobYield) -> Result<(), Failure> {
        match &self.run {
            Run::Translator(trainer) => {
                compared(trainer.plan(), trainer.validations())
                    .into_iter()
                    .for_each(|compared| job.emit(TrainingEvent::Compared(compared)));
            }
            Run::Restorer(trainer) => {
                if self.note.restorers.is_none() {
                    let base = (self.name.as_str(), &self.note.begun_with());
                    self.note.restorers = restorers_compared(job, trainer, base, &self.chosen).await?;
                }
                self.note
                    .restorers
                    .iter()
                    .for_each(|compared| job.emit(TrainingEvent::RestorersCompared(compared.clone())));
            }
        }
        let done = self.run.done();
        if self.note.samples.iter().all(|sample| sample.after.as_ref().is_some_and(|(step, _)| *step == done)) {
            return Ok(());
        }
        let texts = self.written(job, &self.note.samples, yielder).await?;
        self.note.samples.iter_mut().zip(texts).for_each(|(sample, text)| sample.after = Some((done, text)));
        job.emit(TrainingEvent::Samples(self.note.samples.clone()));
        Ok(())
    }

    /// Translates the samples with the current model; returns none for a restorer.
    async fn written(&self, job: &Job, samples: &[Sample], yielder: &JobYield) -> Result<Vec<String>, Failure> {
        let Run::Translator(trainer) = &self.run else { return Ok(Vec::new()) };
        let texts = written(job, trainer, samples, yielder).await;
        let texts = texts.map_err(|error| self.chosen.device.failure(error))?;
        self.chosen.device.check()?;
        Ok(texts)
    }

    async fn validate(&mut self, job: &Job, yielder: &JobYield) -> Result<(), Failure> {
        let done = self.run.done();
        if self.run.measured() == Some(done) {
            return Ok(());
        }
        job.progress(Phase::Validate, 0, 0);
        let found = self.run.validate(yielder).await;
        let found = found.map_err(|error| self.failure(error))?;
        self.chosen.device.check()?;
        if let Some(validation) = found {
            job.emit(TrainingEvent::Validation(validation));
        }
        Ok(())
    }

    /// Writes a checkpoint, unless the browser stores nothing.
    async fn checkpoint(&mut self, job: &Job) -> Result<(), Failure> {
        let Some(checkpoints) = &mut self.checkpoints else { return Ok(()) };
        job.progress(Phase::Checkpoint, 0, 0);
        let done = self.run.done();
        let outcome = checkpoints.write(&self.run, &mut self.note).await;
        outcome.map_err(|refusal| self.not_checkpointed(refusal))?;
        self.stored = done;
        job.emit(TrainingEvent::Checkpoint(done));
        Ok(())
    }

    /// Words the failure of a checkpoint: if the graphics device was lost, the storage is not to blame.
    fn not_checkpointed(&self, refusal: CheckpointError) -> Failure {
        match (self.chosen.device.check(), refusal) {
            (Err(lost), _) => lost,
            (Ok(()), CheckpointError::Run(error @ (TrainError::Model(_) | TrainError::Restorer(_)))) => {
                self.failure(error)
            }
            (Ok(()), refusal) => errors::not_checkpointed(self.run.done(), refusal),
        }
    }

    fn failure(&self, error: TrainError) -> Failure {
        self.chosen.device.training_failure(error)
    }
}
