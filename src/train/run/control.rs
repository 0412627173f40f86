//! Start, pause, resumption and scoring of the run, and the events that it sends.

use crate::kit::format;
use crate::kit::timing::now;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::{Run, RunStatus, Training};
use leptos::prelude::*;
use tuppum_protocol::restoring::RestorerTrainingPlan;
use tuppum_protocol::{
    Curve, FailureKind, Reply, RestorerOrder, ResumeOrder, Task, TrainingEvent, TrainingOrder, TrainingReport,
    TrainingRequest, plain_name,
};

/// Minimum time between two drawings of the curve, in milliseconds.
const REDRAW_MS: f64 = 250.0;

impl Training {
    /// Returns why no run can begin now, as a sentence; `None` if one can.
    pub fn why_not(self, models: Models) -> Option<String> {
        if let Some(reason) = self.occupied() {
            return Some(reason.into());
        }
        if let Some(name) = self.unsaved() {
            return Some(format!("The run {name} is only in the memory of this page: save it first, or close it."));
        }
        match self.choices.with(|choices| choices.task) {
            Task::Translation => self.why_not_these_pairs(models),
            Task::Restoration => self.why_not_these_texts().or_else(|| {
                let usage = models.usage.get();
                let needed = self.choices.with(|choices| choices.restorer_memory(usage.as_ref()));
                if needed.is_some_and(|run| self.memory().holds(&run).is_err()) {
                    return Some("The restorer cannot be trained in this way here; see above what takes less.".into());
                }
                let problem = self.choices.with(|choices| choices.restorer_settings().check().err());
                problem.map(|problem| sentence(&problem.to_string()))
            }),
        }
    }

    /// Returns what the engine is doing for this page, as a sentence; `None` if nothing.
    pub fn occupied(self) -> Option<&'static str> {
        if self.status() == Some(RunStatus::Opening) {
            Some("A run is being opened.")
        } else if self.status().is_some_and(RunStatus::is_busy) {
            Some("A run is under way.")
        } else if self.session.with(Option::is_some) {
            Some("The six ways are being compared.")
        } else if self.scoring.is_running() {
            Some("Translations are being scored.")
        } else {
            None
        }
    }

    /// Returns the name of the present run if it has steps that exist only in memory, where a new run would replace it.
    pub fn unsaved(self) -> Option<String> {
        self.run.with(|run| run.as_ref().filter(|run| run.is_unsaved()).map(|run| run.name.clone()))
    }

    fn why_not_these_pairs(self, models: Models) -> Option<String> {
        if self.importing.get().is_some() {
            return Some("The corpus is still being read.".into());
        }
        let Some(prepared) = self.corpus.get() else { return Some("Load a corpus first.".into()) };
        let choices = self.choices.get();
        let size = models.usage.with(|usage| choices.size(usage.as_ref()));
        let memory = self.memory();
        if size.is_some_and(|size| choices.fitting(size, prepared.longest, memory).is_err()) {
            return Some("The model to start from is too large to be trained here; choose a smaller one.".into());
        }
        if prepared.split[0] == 0 {
            return Some("The corpus has no pair to train on.".into());
        }
        choices.settings(size, prepared.longest, memory).check().err().map(|problem| sentence(&problem.to_string()))
    }

    /// Begins a run, for all its steps or for the first `steps`.
    pub fn start(self, workbench: Workbench, models: Models, steps: Option<u32>) {
        let choices = self.choices.get_untracked();
        let (name, device) = (plain_name(&choices.name), workbench.device.preference.get_untracked());
        let (of, request) = match choices.task {
            Task::Translation => {
                let Some(prepared) = self.corpus.get_untracked() else { return };
                let size = models.usage.with_untracked(|usage| choices.size(usage.as_ref()));
                let plan = choices.plan(&prepared.corpus, &prepared.leaks, size, untrack(|| self.memory()));
                let order = TrainingOrder { name: name.clone(), base: choices.base, plan, device, steps };
                (choices.steps, TrainingRequest::TrainTranslator(Box::new(order)))
            }
            Task::Restoration => {
                let Some(prepared) = self.texts.get_untracked() else { return };
                let plan =
                    RestorerTrainingPlan { texts: prepared.texts.clone(), settings: choices.restorer_settings() };
                let base = choices.restorer.unwrap_or_else(|| workbench.device.shipped.get_value());
                let order = RestorerOrder { name: name.clone(), base, plan, device, steps };
                (choices.restorer_steps, TrainingRequest::TrainRestorer(Box::new(order)))
            }
        };
        self.curve.set(Curve::default());
        self.samples.set(Vec::new());
        self.send((name, choices.task), of, (None, 0), request);
    }

    /// Resumes a stored or paused run, for all its steps or for the next `steps`.
    pub fn resume_run(self, workbench: Workbench, (name, task): (&str, Task), of: u32, steps: Option<u32>) {
        let device = workbench.device.preference.get_untracked();
        let order = ResumeOrder { name: name.to_owned(), device, steps, parts: None };
        self.resume(order, task, of);
    }

    /// Resumes the paused run with each batch in twice as many parts, because memory was too small.
    pub fn resume_in_more_parts(self, workbench: Workbench) {
        let Some(run) = self.resumable_run() else { return };
        let device = workbench.device.preference.get_untracked();
        let parts = run.report.as_ref().map_or(1, |report| report.parts.max(1)) * 2;
        self.resume(ResumeOrder { name: run.name, device, steps: None, parts: Some(parts) }, run.task, run.of);
    }

    /// Returns the present run if it is paused and the engine is free.
    pub fn resumable_run(self) -> Option<Run> {
        let free = untrack(|| self.occupied()).is_none();
        self.run.get_untracked().filter(|run| free && run.status == RunStatus::Paused)
    }

    fn resume(self, order: ResumeOrder, task: Task, of: u32) {
        let name = order.name.clone();
        let before = self.run.get_untracked().filter(|run| run.name == name);
        if before.is_none() {
            self.curve.set(Curve::default());
            self.samples.set(Vec::new());
        }
        let kept = self.runs.with_untracked(|runs| {
            let own = runs.as_ref()?.iter().find(|run| run.name == name);
            own.and_then(|run| run.step)
        });
        let made = before.as_ref().map(|run| run.step).or(kept).unwrap_or_default();
        self.send((name, task), of, (before, made), TrainingRequest::Resume(order));
    }

    /// Sends the request. `before` is the run as it was paused in memory, if it is resumed from there; `step` is the
    /// number of steps done.
    fn send(self, (name, task): (String, Task), of: u32, (before, step): (Option<Run>, u32), request: TrainingRequest) {
        self.failure.set(None);
        self.compared.set(None);
        self.scored.set(None);
        self.is_scoring_wanted.set(false);
        self.restorers.set(None);
        let stored = before.as_ref().map_or(step, |run| run.stored);
        let report = before.and_then(|run| run.report);
        let (status, since, close_failed) = (RunStatus::resumed(step, of), None, false);
        self.run.set(Some(Run { name, task, status, report, step, of, stored, close_failed, failed: None, since }));
        self.job.start(request, move |event| self.handle_event(event));
    }

    /// Asks the engine to pause: it drops the unfinished step and writes a checkpoint.
    pub fn pause(self) {
        self.update(|run| run.status = RunStatus::Pausing);
        self.job.stop();
    }

    /// Removes the run from the page and the engine's memory; its checkpoint stays among the stored runs. A run that
    /// cannot be stored stays in memory; a second call discards it.
    pub fn close(self) {
        let Some(run) = self.run.get_untracked().filter(|run| !run.status.is_busy()) else { return };
        self.failure.set(None);
        let request = TrainingRequest::Release { run: run.name.clone(), discard: run.close_failed };
        self.engine.ask(request, move |event| match event {
            Reply::Answer(TrainingEvent::Checkpoint(step)) => self.update(|run| run.stored = step),
            Reply::Done => {
                self.run.set(None);
                self.scored.set(None);
                self.curve.set(Curve::default());
                self.samples.set(Vec::new());
                self.list();
            }
            Reply::Failed(failure) => {
                self.update(|run| run.close_failed = true);
                self.failure.set(Some(failure));
            }
            _ => {}
        });
    }

    fn update(self, change: impl FnOnce(&mut Run)) {
        self.run.update(|run| {
            if let Some(run) = run {
                change(run);
            }
        });
    }

    fn handle_event(self, event: Reply<TrainingEvent>) {
        match event {
            Reply::Answer(TrainingEvent::Training(report)) => self.handle_report(*report),
            Reply::Answer(TrainingEvent::TrainingStep(step)) => {
                self.job.clear_progress();
                self.update(|run| {
                    if run.status == RunStatus::Starting {
                        run.status = RunStatus::Running;
                    }
                    (run.step, run.of) = (step.number, step.of);
                    run.since.get_or_insert((now(), step.number));
                });
                self.curve.update_untracked(|curve| curve.steps.push(step));
                self.redraw(false);
            }
            Reply::Answer(TrainingEvent::Validation(validation)) => {
                self.curve.update_untracked(|curve| curve.validations.push(validation));
                self.redraw(true);
            }
            Reply::Answer(TrainingEvent::Samples(samples)) => self.samples.set(samples),
            Reply::Answer(TrainingEvent::Compared(compared)) => self.compared.set(Some(compared)),
            Reply::Answer(TrainingEvent::RestorersCompared(compared)) => self.restorers.set(Some(compared)),
            Reply::Answer(TrainingEvent::Checkpoint(step)) => self.update(|run| run.stored = step),
            Reply::Done => self.handle_end(true),
            Reply::Failed(failure) => {
                if matches!(failure.kind, FailureKind::Internal | FailureKind::DeviceLost) {
                    // The worker is a new one: steps since the checkpoint were lost with the old worker's memory.
                    self.update(|run| run.step = run.step.min(run.stored));
                }
                self.update(|run| run.failed = Some(failure.kind));
                self.handle_end(false);
                if failure.kind != FailureKind::Cancelled {
                    self.failure.set(Some(failure));
                }
            }
            _ => {}
        }
    }

    fn handle_report(self, report: TrainingReport) {
        self.curve.set(report.curve.clone());
        self.update(|run| {
            run.name.clone_from(&report.name);
            run.task = report.task;
            run.of = report.of;
            run.step = report.curve.steps.last().map_or(0, |step| step.number);
            run.stored = report.stored;
            run.report = Some(TrainingReport { curve: Curve::default(), ..report });
        });
    }

    /// Sets the state after the engine has stopped; `done` if it did all that was asked, which may be a single step.
    fn handle_end(self, done: bool) {
        // A run without a report never began, so it cannot be resumed.
        self.run.update(|run| {
            if run.as_ref().is_some_and(|run| run.report.is_none()) {
                *run = None;
            }
        });
        self.update(|run| {
            // A run that was stopped after its last step must still be measured or stored, so it counts as paused.
            let all = done && run.of > 0 && run.step >= run.of;
            run.status = if all { RunStatus::Finished } else { RunStatus::Paused };
            run.since = None;
        });
        self.score_if_asked();
        self.redraw(true);
        self.list();
    }

    /// Draws the curve again if it is due.
    fn redraw(self, at_once: bool) {
        if at_once || now() - self.last_drawn.get_value() > REDRAW_MS {
            self.last_drawn.set_value(now());
            self.curve.notify();
        }
    }
}

/// Returns a problem of a plan as a sentence.
fn sentence(problem: &str) -> String {
    format!("{}.", format::capital(problem))
}

impl Training {
    /// Scores the present run, or does so as soon as it is loaded.
    pub fn score_when_open(self) {
        match self.run.with_untracked(|run| run.as_ref().map(|run| run.status)) {
            Some(RunStatus::Opening) => self.is_scoring_wanted.set(true),
            _ => self.score(),
        }
    }

    /// Scores the run that has just been loaded, if the user asked for that meanwhile and pairs were held out.
    fn score_if_asked(self) {
        let asked = self.is_scoring_wanted.get_untracked();
        self.is_scoring_wanted.set(false);
        let finished = self.run.with_untracked(|run| run.as_ref().is_some_and(|run| run.status == RunStatus::Finished));
        if asked && finished && self.compared.with_untracked(Option::is_some) {
            self.score();
        }
    }

    /// Translates the held-out pairs with the trained model and its base, and scores both.
    pub fn score(self) {
        let Some(name) = self.run.with_untracked(|run| run.as_ref().map(|run| run.name.clone())) else { return };
        self.failure.set(None);
        self.scoring.start(TrainingRequest::Score(name), move |event| match event {
            Reply::Answer(TrainingEvent::Scored(scored)) => {
                let is_here = |run: &Run| run.name == scored.run;
                if self.run.with_untracked(|run| run.as_ref().is_some_and(is_here)) {
                    self.scored.set(Some(scored));
                }
            }
            Reply::Failed(failure) if failure.kind != FailureKind::Cancelled => self.failure.set(Some(failure)),
            _ => {}
        });
    }
}
