//! State of a model in the worker: closed, opening, ready on some device, or failed.

use super::Engine;
use super::job::{Job, TimedProgress};
use leptos::prelude::*;
use tuppum_protocol::{
    DeviceKind, DeviceReport, Failure, FailureKind, ModelRef, ModelRequest, OpenModel, Reply, Task, TranslationEvent,
    TranslatorReport,
};

/// State of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelState {
    /// Not asked for, stopped by the user, or lost with its worker.
    Closed,
    /// Starting: weights, warm-up, self-test.
    Opening,
    /// Ready to answer.
    Ready(ModelReport),
    /// Failed to open.
    Failed(Failure),
}

/// Report of the worker on a model that is ready.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelReport {
    /// Report on a restorer.
    Restorer(DeviceReport),
    /// Report on a translator.
    Translator(TranslatorReport),
}

impl ModelState {
    /// Returns `true` if the model can be asked.
    pub fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }

    /// Returns `true` if no model was found at its address.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Failed(failure) if failure.kind == FailureKind::Missing)
    }

    /// Returns the report of a restorer that is ready.
    pub fn restorer(&self) -> Option<&DeviceReport> {
        if let Self::Ready(ModelReport::Restorer(report)) = self { Some(report) } else { None }
    }

    /// Returns the report of a translator that is ready.
    pub fn translator(&self) -> Option<&TranslatorReport> {
        if let Self::Ready(ModelReport::Translator(report)) = self { Some(report) } else { None }
    }

    /// Returns the name of the device on which the model is ready, for tests and the stylesheet.
    pub fn device_name(&self) -> Option<&'static str> {
        let device = self.restorer().map(|report| report.device);
        match device.or_else(|| self.translator().map(|report| report.device))? {
            DeviceKind::WebGpu => Some("webgpu"),
            DeviceKind::Cpu => Some("cpu"),
        }
    }
}

/// A model in the worker; cheap to copy.
#[derive(Clone, Copy)]
pub struct Model {
    /// Present state.
    pub state: RwSignal<ModelState>,
    engine: Engine,
    task: Task,
    job: Job,
    /// The last request to open, and the number of the worker that received it.
    opened: StoredValue<Option<(OpenModel, u32)>>,
}

impl Model {
    /// Creates a closed model for a task.
    pub fn new(engine: Engine, task: Task) -> Self {
        Self {
            state: RwSignal::new(ModelState::Closed),
            engine,
            task,
            job: Job::new(engine),
            opened: StoredValue::new(None),
        }
    }

    /// Opens the model. `ended` is called with the outcome, and again whenever the client reopens the model.
    pub fn open(self, asked: OpenModel, mut ended: impl FnMut(Result<(), Failure>) + 'static) {
        self.state.set(ModelState::Opening);
        let request = match self.task {
            Task::Restoration => ModelRequest::OpenRestorer(asked.clone()),
            Task::Translation => ModelRequest::OpenTranslator(asked.clone()),
        };
        let mut report = None;
        self.job.start(request, move |event| match event {
            Reply::Progress(_) if !self.is_opening() => self.state.set(ModelState::Opening),
            Reply::Device(device) => report = Some(ModelReport::Restorer(device)),
            Reply::Answer(TranslationEvent::Translator(translator)) => {
                report = Some(ModelReport::Translator(translator))
            }
            Reply::Done => match report.take() {
                Some(report) => {
                    self.state.set(ModelState::Ready(report));
                    ended(Ok(()));
                }
                None => ended(Err(self.fail(silent_engine()))),
            },
            Reply::Failed(failure) => ended(Err(self.fail(failure))),
            _ => {}
        });
        self.opened.set_value(Some((asked, self.engine.worker_number())));
    }

    /// Records that the model could not be opened or is lost. Cancelling counts as closing, not as a failure.
    pub fn fail(self, failure: Failure) -> Failure {
        self.state.set(match failure.kind {
            FailureKind::Cancelled => ModelState::Closed,
            _ => ModelState::Failed(failure.clone()),
        });
        failure
    }

    /// Stops opening at the user's request.
    pub fn stop_opening(self) {
        self.job.stop();
    }

    /// Closes the model, whether it is open or opening.
    pub fn close(self) {
        self.job.cancel();
        self.opened.set_value(None);
        self.state.set(ModelState::Closed);
    }

    /// Closes the model if a job failed because the worker is gone. The client then reopens a restorer by itself.
    pub fn close_if_lost(self, failure: &Failure) {
        if matches!(failure.kind, FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal) {
            self.state.set(ModelState::Closed);
        }
    }

    /// Returns `true` if the model can be asked. Tracked as a signal.
    pub fn is_ready(self) -> bool {
        self.state.with(ModelState::is_ready)
    }

    /// Returns `true` while the model is being opened. Not tracked.
    pub fn is_opening(self) -> bool {
        self.state.with_untracked(|state| *state == ModelState::Opening)
    }

    /// Returns the progress of opening. Tracked as a signal.
    pub fn progress(self) -> Option<TimedProgress> {
        self.job.progress()
    }

    /// Returns `true` if a translator other than `model` was opened or asked for.
    pub fn is_other_than(self, model: &ModelRef) -> bool {
        self.opened.with_value(|opened| opened.as_ref().is_some_and(|(opened, _)| opened.model != *model))
    }

    /// Returns `true` if the present worker holds this translator, opened with exactly these options.
    pub fn holds(self, asked: &OpenModel) -> bool {
        let present = Some((asked.clone(), self.engine.worker_number()));
        self.is_held() && self.opened.with_value(|opened| *opened == present)
    }

    /// Returns `true` if the worker still holds the translator that this part of the page opened: a worker holds one
    /// translator, whichever part opened it.
    pub fn is_held(self) -> bool {
        let held = |opened: &Option<(OpenModel, u32)>| {
            opened.as_ref().is_some_and(|(opened, _)| self.engine.holds_translator(&opened.model))
        };
        self.state.with_untracked(ModelState::is_ready) && self.opened.with_value(held)
    }
}

fn silent_engine() -> Failure {
    Failure {
        kind: FailureKind::Internal,
        message: "The engine finished starting without saying which device it uses.".into(),
        hints: vec!["Reload the page; an old copy of the engine may still be in the browser's storage.".into()],
        details: "Done arrived before Device".into(),
    }
}
