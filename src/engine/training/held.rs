//! A run at work: steps, validations, samples and checkpoints in their order, until all are made or the user pauses.

use super::base::Chosen;
use super::compared::compared;
use super::from_train;
use super::samples;
use super::shelf::{Checkpoints, Note};
use crate::engine::errors;
use crate::engine::jobs::{Job, JobPace, fail_on};
use crate::engine::pace::now;
use crate::engine::protocol::{Curve, Event, Failure, FailureKind, Phase, TrainingReport};
use crate::engine::translating::from_byt5;
use crate::train::translator::{TrainError, Trainer};

/// Longest time between two checkpoints, in milliseconds.
const CHECKPOINT_EVERY: f64 = 180_000.0;
/// How many times a run is measured on the way.
const VALIDATIONS: u32 = 10;

/// A run in memory.
pub struct Held {
    pub(super) name: String,
    pub(super) trainer: Trainer,
    pub(super) note: Note,
    pub(super) checkpoints: Option<Checkpoints>,
    pub(super) chosen: Chosen,
    pub(super) parameters: u64,
    pub(super) storage_note: Option<String>,
    pub(super) checkpoint_note: Option<String>,
}

impl Held {
    /// Whether it has this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name
    }

    /// Makes all steps that are left, or so many, and keeps a checkpoint at the end, be it a pause.
    pub(super) async fn work(&mut self, job: &Job, steps: Option<u32>) -> Result<(), Failure> {
        job.tell(Event::Training(Box::new(self.report())));
        if !self.note.samples.is_empty() {
            job.tell(Event::Samples(self.note.samples.clone()));
        }
        let outcome = self.steps(job, steps).await;
        let is_sound = |failure: &Failure| matches!(failure.kind, FailureKind::Cancelled | FailureKind::Question);
        if outcome.as_ref().err().is_none_or(is_sound) {
            // that nothing could be kept weighs more than that the user paused
            self.checkpoint(job).await?;
        }
        outcome
    }

    fn report(&self) -> TrainingReport {
        TrainingReport {
            name: self.name.clone(),
            reason: self.chosen.reason.clone(),
            parameters: self.parameters,
            trained: self.trainer.trained(),
            pairs: self.note.pairs,
            of: self.trainer.steps(),
            curve: Curve { steps: self.trainer.curve().to_vec(), validations: self.trainer.validations().to_vec() },
            storage_note: self.storage_note.clone(),
            checkpoint_note: self.checkpoint_note.clone(),
        }
    }

    async fn steps(&mut self, job: &Job, steps: Option<u32>) -> Result<(), Failure> {
        let pace = job.pace();
        let of = self.trainer.steps();
        let until = steps.map_or(of, |steps| of.min(self.trainer.done() + steps));
        if self.note.samples.is_empty() {
            self.before(job, &pace).await?;
            self.checkpoint(job).await?;
        }
        let mut kept = now();
        let every = (of / VALIDATIONS).max(1);
        if self.trainer.done().is_multiple_of(every) {
            // a pause may have come between a step and its measurement
            self.validate(job, &pace).await?;
        }
        while self.trainer.done() < until {
            let step = self.trainer.step(&pace).await.map_err(|error| self.failure(error))?;
            fail_on(self.chosen.trouble.as_ref())?;
            job.tell(Event::TrainingStep(step));
            if step.number.is_multiple_of(every) || step.number == of {
                self.validate(job, &pace).await?;
            }
            if now() - kept > CHECKPOINT_EVERY {
                self.checkpoint(job).await?;
                kept = now();
            }
        }
        if self.trainer.is_finished() {
            self.after(job, &pace).await?;
        }
        Ok(())
    }

    /// What the base writes, and how well it foretells what was set aside.
    async fn before(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        let mut all = samples::chosen(&self.trainer);
        let texts = samples::written(job, &self.trainer, &all, pace).await;
        let texts = texts.map_err(|error| from_byt5(error, self.chosen.trouble.as_ref()))?;
        all.iter_mut().zip(texts).for_each(|(sample, text)| sample.before = text);
        self.validate(job, pace).await?;
        job.tell(Event::Samples(all.clone()));
        self.note.samples = all;
        Ok(())
    }

    async fn after(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        if let Some(compared) = compared(&self.trainer) {
            job.tell(Event::Compared(compared));
        }
        let done = self.trainer.done();
        if self.note.samples.iter().all(|sample| sample.after.as_ref().is_some_and(|(step, _)| *step == done)) {
            return Ok(());
        }
        let texts = samples::written(job, &self.trainer, &self.note.samples, pace).await;
        let texts = texts.map_err(|error| from_byt5(error, self.chosen.trouble.as_ref()))?;
        self.note.samples.iter_mut().zip(texts).for_each(|(sample, text)| sample.after = Some((done, text)));
        job.tell(Event::Samples(self.note.samples.clone()));
        Ok(())
    }

    async fn validate(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        let done = self.trainer.done();
        if self.trainer.validations().last().is_some_and(|last| last.after == done) {
            return Ok(());
        }
        job.progress(Phase::Validate, 0, 0);
        let found = self.trainer.validate(pace).await;
        if let Some(validation) = found.map_err(|error| self.failure(error))? {
            job.tell(Event::Validation(validation));
        }
        Ok(())
    }

    /// Keeps a checkpoint, unless the browser keeps nothing.
    async fn checkpoint(&mut self, job: &Job) -> Result<(), Failure> {
        let Some(checkpoints) = &mut self.checkpoints else { return Ok(()) };
        job.progress(Phase::Checkpoint, 0, 0);
        let done = self.trainer.done();
        let outcome = checkpoints.write(&self.trainer, &mut self.note).await;
        outcome.map_err(|refusal| errors::not_checkpointed(done, refusal))?;
        job.tell(Event::Checkpoint(done));
        Ok(())
    }

    fn failure(&self, error: TrainError) -> Failure {
        from_train(error, self.chosen.trouble.as_ref())
    }
}
