//! A run at work: steps, validations, samples and checkpoints in their order, until all are made or the user pauses.

use super::base::Chosen;
use super::compared::{compared, restorers_compared};
use super::from_train;
use super::run::Run;
use super::samples;
use super::shelf::{Checkpoints, Note};
use crate::errors;
use crate::jobs::{Job, JobPace, fail_on};
use crate::pace::now;
use crate::translating::from_byt5;
use tuppum_protocol::{Curve, Event, Failure, FailureKind, Phase, Sample, TrainingReport};
use tuppum_train::translator::TrainError;

/// Longest time between two checkpoints, in milliseconds.
const CHECKPOINT_EVERY: f64 = 180_000.0;
/// How many times a run is measured on the way.
const VALIDATIONS: u32 = 10;

/// A run in memory.
pub struct Held {
    pub(super) name: String,
    pub(super) run: Run,
    pub(super) note: Note,
    pub(super) checkpoints: Option<Checkpoints>,
    /// How many steps the newest checkpoint has.
    pub(super) kept: u32,
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

    /// Sees to it that no step is lost with this memory.
    ///
    /// # Errors
    /// The browser keeps nothing, or not now.
    pub(super) async fn keep(&mut self, job: &Job) -> Result<(), Failure> {
        let done = self.run.done();
        match &self.storage_note {
            _ if done == self.kept => Ok(()),
            Some(refusal) => Err(errors::only_in_memory(&self.name, done, refusal)),
            None => self.checkpoint(job).await,
        }
    }

    fn report(&self) -> TrainingReport {
        TrainingReport {
            name: self.name.clone(),
            craft: self.run.craft(),
            reason: self.chosen.reason.clone(),
            parameters: self.parameters,
            trained: self.run.trained(),
            pairs: self.note.pairs,
            of: self.run.steps(),
            curve: Curve { steps: self.run.curve().to_vec(), validations: self.run.validations() },
            kept: self.kept,
            storage_note: self.storage_note.clone(),
            checkpoint_note: self.checkpoint_note.clone(),
        }
    }

    async fn steps(&mut self, job: &Job, steps: Option<u32>) -> Result<(), Failure> {
        let pace = job.pace();
        let of = self.run.steps();
        let until = steps.map_or(of, |steps| of.min(self.run.done() + steps));
        if self.is_fresh() {
            self.before(job, &pace).await?;
            self.checkpoint(job).await?;
        }
        let mut kept = now();
        let every = (of / VALIDATIONS).max(1);
        if self.run.done().is_multiple_of(every) || self.run.is_finished() {
            // a pause may have come between a step and its measurement
            self.validate(job, &pace).await?;
        }
        while self.run.done() < until {
            let step = self.run.step(&pace).await.map_err(|error| self.failure(error))?;
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
        if self.run.is_finished() {
            // The steps are worth more than what is told of them, which may need a base that is gone.
            let kept = self.checkpoint(job).await;
            self.after(job, &pace).await?;
            kept?;
        }
        Ok(())
    }

    /// Whether nothing was done with it yet.
    fn is_fresh(&self) -> bool {
        match &self.run {
            Run::Translator(_) => self.note.samples.is_empty(),
            Run::Restorer(_) => self.run.done() == 0,
        }
    }

    /// What the base writes, and how well it foretells what was set aside.
    async fn before(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        let mut all = match &self.run {
            Run::Translator(trainer) => samples::chosen(trainer),
            Run::Restorer(_) => Vec::new(),
        };
        let texts = self.written(job, &all, pace).await?;
        all.iter_mut().zip(texts).for_each(|(sample, text)| sample.before = text);
        self.validate(job, pace).await?;
        if !all.is_empty() {
            job.tell(Event::Samples(all.clone()));
        }
        self.note.samples = all;
        Ok(())
    }

    async fn after(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        match &self.run {
            Run::Translator(trainer) => {
                compared(trainer).into_iter().for_each(|compared| job.tell(Event::Compared(compared)));
            }
            Run::Restorer(trainer) => {
                if self.note.restorers.is_none() {
                    let base = (self.name.as_str(), &self.note.begun_with());
                    self.note.restorers = restorers_compared(job, trainer, base, &self.chosen).await?;
                }
                self.note.restorers.iter().for_each(|compared| job.tell(Event::RestorersCompared(compared.clone())));
            }
        }
        let done = self.run.done();
        if self.note.samples.iter().all(|sample| sample.after.as_ref().is_some_and(|(step, _)| *step == done)) {
            return Ok(());
        }
        let texts = self.written(job, &self.note.samples, pace).await?;
        self.note.samples.iter_mut().zip(texts).for_each(|(sample, text)| sample.after = Some((done, text)));
        job.tell(Event::Samples(self.note.samples.clone()));
        Ok(())
    }

    /// What the model writes for each sample now; a restorer writes none.
    async fn written(&self, job: &Job, samples: &[Sample], pace: &JobPace) -> Result<Vec<String>, Failure> {
        let Run::Translator(trainer) = &self.run else { return Ok(Vec::new()) };
        let texts = samples::written(job, trainer, samples, pace).await;
        let texts = texts.map_err(|error| from_byt5(error, self.chosen.trouble.as_ref()))?;
        fail_on(self.chosen.trouble.as_ref())?;
        Ok(texts)
    }

    async fn validate(&mut self, job: &Job, pace: &JobPace) -> Result<(), Failure> {
        let done = self.run.done();
        if self.run.measured() == Some(done) {
            return Ok(());
        }
        job.progress(Phase::Validate, 0, 0);
        let found = self.run.validate(pace).await;
        let found = found.map_err(|error| self.failure(error))?;
        fail_on(self.chosen.trouble.as_ref())?;
        if let Some(validation) = found {
            job.tell(Event::Validation(validation));
        }
        Ok(())
    }

    /// Keeps a checkpoint, unless the browser keeps nothing.
    async fn checkpoint(&mut self, job: &Job) -> Result<(), Failure> {
        let Some(checkpoints) = &mut self.checkpoints else { return Ok(()) };
        job.progress(Phase::Checkpoint, 0, 0);
        let done = self.run.done();
        let outcome = checkpoints.write(&self.run, &mut self.note).await;
        outcome.map_err(|refusal| errors::not_checkpointed(done, refusal))?;
        self.kept = done;
        job.tell(Event::Checkpoint(done));
        Ok(())
    }

    fn failure(&self, error: TrainError) -> Failure {
        from_train(error, self.chosen.trouble.as_ref())
    }
}
