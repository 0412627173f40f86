//! The page's side of the engine: opening it, asking, hearing its events, cancelling.

use super::engine_state::{EngineState, Job, JobKind, Timed, Trouble};
use super::shown::{Origin, Shown};
use super::state::{Influence, Notice, Workbench};
use crate::engine::client::EngineClient;
use crate::shell::storage;
use leptos::prelude::*;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{
    Answer, DevicePreference, DeviceReport, Event, Failure, FailureKind, ModelRef, ModelRequest, OpenModel, Question,
};
use tuppum_text::{SignIndex, SignKind};

/// How many complete answers are remembered, so that undo shows them at once.
const ANSWERS_KEPT: usize = 12;
/// How long choices must rest before the engine is asked again, in milliseconds.
const REST: u32 = 250;

impl Workbench {
    /// Starts the engine, or starts it anew with the present device preference.
    pub fn open_engine(self) {
        self.cancel();
        self.trouble.set(None);
        let client = match self.client() {
            Ok(client) => client,
            Err(failure) => return self.engine_failed(failure),
        };
        self.engine.set(EngineState::Opening(None));
        self.link.update_value(|link| link.openings += 1);
        let number = self.link.with_value(|link| link.openings);
        if let Some(before) = self.link.try_update_value(|link| link.opening.take()).flatten() {
            client.cancel(before);
        }
        let (model, device) = (self.model.get_untracked(), self.device.get_untracked());
        let request = ModelRequest::OpenRestorer(OpenModel { model, device, store: self.storing.get_value() });
        let mut report = None;
        let id = client.send(request, move |event| {
            if self.link.try_with_value(|link| link.openings == number) == Some(true) {
                self.hear_opening(event, &mut report);
            }
        });
        self.link.update_value(|link| link.opening = Some(id));
    }

    /// Starts the engine anew, which then leaves the browser's storage alone for the rest of the visit.
    pub fn open_without_storing(self) {
        self.storing.set_value(false);
        self.open_engine();
    }

    /// Restores with this model from now on, and in later visits.
    ///
    /// # Errors
    /// Why the browser refused to keep the choice; it holds for this visit all the same.
    pub fn restore_with(self, model: &ModelRef) -> Result<(), String> {
        if self.model.with_untracked(|before| before == model) {
            return Ok(());
        }
        self.model.set(model.clone());
        // What another model said of this text is not this one's answer.
        self.forget_answers();
        if !matches!(self.engine.get_untracked(), EngineState::Stopped) {
            self.open_engine();
        }
        storage::keep(storage::RESTORER, model)
    }

    /// The worker's client, started when it is first needed.
    ///
    /// # Errors
    /// The browser refuses to start a worker.
    pub fn client(self) -> Result<Rc<EngineClient>, Failure> {
        if let Some(client) = self.link.with_value(|link| link.client.clone()) {
            return Ok(client);
        }
        let client = Rc::new(EngineClient::start()?);
        self.link.update_value(|link| link.client = Some(client.clone()));
        Ok(client)
    }

    fn hear_opening(self, event: Event, report: &mut Option<DeviceReport>) {
        match event {
            Event::Progress(progress) => self.engine.update(|engine| {
                let before = if let EngineState::Opening(before) = engine { before.take() } else { None };
                *engine = EngineState::Opening(Some(Timed::after(before.as_ref(), progress)));
            }),
            Event::Device(device) => *report = Some(device),
            Event::Done => {
                self.link.update_value(|link| link.opening = None);
                match report.take() {
                    Some(report) => self.engine_ready(report),
                    None => self.engine_failed(silent_engine()),
                }
            }
            Event::Failed(failure) => {
                self.link.update_value(|link| link.opening = None);
                self.engine_failed(failure);
            }
            _ => {}
        }
    }

    fn engine_ready(self, report: DeviceReport) {
        self.engine.set(EngineState::Ready(report));
        if self.queued.get_untracked() {
            self.queued.set(false);
            self.restore();
        }
    }

    fn engine_failed(self, failure: Failure) {
        self.queued.set(false);
        if failure.kind == FailureKind::Cancelled {
            self.engine.set(EngineState::Stopped);
        } else {
            self.trouble.set(Some(Trouble { failure: failure.clone(), opening: true }));
            self.engine.set(EngineState::Failed(failure));
        }
    }

    /// Stops the engine's start.
    pub fn stop_opening(self) {
        self.queued.set(false);
        if let Some((client, id)) = self.link.with_value(|link| link.client.clone().zip(link.opening)) {
            client.cancel(id);
        }
    }

    /// Takes another device and starts the engine anew.
    pub fn use_device(self, device: DevicePreference) {
        self.device.set(device);
        if let Err(reason) =
            crate::shell::storage::keep(crate::shell::storage::DEVICE, &crate::shell::address::device_name(device))
        {
            self.storage_trouble.set(Some(reason));
        }
        self.open_engine();
    }

    /// Asks for the restoration of the present text; waits for the engine when it is still starting.
    pub fn restore(self) {
        self.read();
        self.trouble.set(None);
        if self.show_known_from(|origin| origin == Origin::Engine) {
            return;
        }
        match self.engine.get_untracked() {
            EngineState::Ready(_) => self.send_question(),
            EngineState::Opening(_) => self.queued.set(true),
            EngineState::Stopped | EngineState::Failed(_) => {
                self.open_engine();
                self.queued.set(matches!(self.engine.get_untracked(), EngineState::Opening(_)));
            }
        }
    }

    /// Asks again after a choice, once the choices rest, if an answer is on the page.
    pub fn ask_again(self) {
        if self.show_known() || self.shown.with_untracked(Option::is_none) || !untrack(|| self.has_open_gaps()) {
            return;
        }
        match self.engine.get_untracked() {
            EngineState::Ready(_) => {
                self.cancel();
                let timer = gloo::timers::callback::Timeout::new(REST, move || self.restore());
                self.link.update_value(|link| link.rest = Some(timer));
            }
            EngineState::Opening(_) => self.queued.set(true),
            EngineState::Stopped | EngineState::Failed(_) => {}
        }
    }

    /// Whether a gap waits for a reading.
    pub fn has_open_gaps(self) -> bool {
        let work = self.work.get();
        let document = self.document.get();
        document.signs().enumerate().any(|(index, sign)| work.is_gap(index, sign) && work.accepted_at(index).is_none())
    }

    /// Shows the answer to the present question if it is known; whether it was.
    pub fn show_known(self) -> bool {
        self.show_known_from(|_| true)
    }

    fn show_known_from(self, allowed: fn(Origin) -> bool) -> bool {
        let question = self.work.get_untracked().question();
        let known = self.link.with_value(|link| {
            link.answers.iter().find(|(asked, _, origin)| *asked == question && allowed(*origin)).cloned()
        });
        let Some((question, answer, origin)) = known else { return false };
        self.cancel();
        self.show(Shown { question, answer, origin, complete: true });
        true
    }

    /// Remembers an answer.
    pub fn remember(self, question: Question, answer: Arc<Answer>, origin: Origin) {
        self.link.update_value(|link| {
            link.answers.retain(|(asked, ..)| *asked != question);
            link.answers.insert(0, (question, answer, origin));
            link.answers.truncate(ANSWERS_KEPT);
        });
    }

    /// Forgets all answers, those on the page too: another model gives others.
    pub fn forget_answers(self) {
        self.cancel();
        self.link.update_value(|link| link.answers.clear());
        self.earlier.update(std::collections::HashMap::clear);
        self.influence.set(None);
        self.shown.set(None);
    }

    fn show(self, shown: Shown) {
        self.earlier.update(|earlier| {
            earlier.extend(shown.answer.gaps.iter().map(|gap| (gap.sign, gap.clone())));
        });
        if self.selected.get_untracked().is_none() {
            self.selected.set(shown.answer.gaps.first().map(|gap| gap.sign));
        }
        self.shown.set(Some(shown));
    }

    fn send_question(self) {
        let question = self.work.get_untracked().question();
        let asked = question.clone();
        self.send_job(JobKind::Restore, ModelRequest::Restore(question), move |event| self.hear_answer(event, &asked));
    }

    /// Sends a request as the one job in progress; events of an earlier job are not heard any more.
    fn send_job(self, kind: JobKind, request: ModelRequest, mut hear: impl FnMut(Event) + 'static) {
        self.cancel();
        let Some(client) = self.link.with_value(|link| link.client.clone()) else { return };
        self.link.update_value(|link| link.numbers += 1);
        let number = self.link.with_value(|link| link.numbers);
        self.job.set(Some(Job { number, kind, progress: None }));
        let id = client.send(request, move |event| {
            let present = self.job.try_with_untracked(|job| job.as_ref().is_some_and(|job| job.number == number));
            if present == Some(true) {
                hear(event);
            }
        });
        self.link.update_value(|link| link.asked = Some(id));
    }

    fn hear_answer(self, event: Event, question: &Question) {
        let show = |answer: Arc<Answer>, complete| {
            self.show(Shown { question: question.clone(), answer, origin: Origin::Engine, complete });
        };
        match event {
            Event::Answer(answer) => show(Arc::new(answer), false),
            Event::Done => {
                self.job.set(None);
                let found = self.shown.get_untracked().filter(|shown| shown.question == *question);
                if let Some(shown) = found {
                    self.remember(question.clone(), shown.answer.clone(), Origin::Engine);
                    show(shown.answer, true);
                }
            }
            other => self.hear_common(other),
        }
    }

    fn hear_common(self, event: Event) {
        match event {
            Event::Progress(progress) => self.job.update(|job| {
                if let Some(job) = job {
                    job.progress = Some(Timed::after(job.progress.as_ref(), progress));
                }
            }),
            Event::Failed(failure) => {
                self.job.set(None);
                self.job_failed(failure);
            }
            Event::Done => self.job.set(None),
            Event::Device(report) => self.engine.set(EngineState::Ready(report)),
            _ => {}
        }
    }

    fn job_failed(self, failure: Failure) {
        match failure.kind {
            FailureKind::Cancelled => self.say(Notice::done("Stopped. What was found so far stays on the page.")),
            FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal => {
                // The worker is rebuilt by its client; the model has to be opened in the new one.
                self.engine.set(EngineState::Stopped);
                self.trouble.set(Some(Trouble { failure, opening: false }));
            }
            _ => self.trouble.set(Some(Trouble { failure, opening: false })),
        }
    }

    /// Cancels the job in progress; its later events are not heard.
    pub fn cancel(self) {
        self.queued.set(false);
        let asked = self.link.try_update_value(|link| {
            link.rest = None;
            link.client.clone().zip(link.asked.take())
        });
        if self.job.with_untracked(Option::is_some) {
            self.job.set(None);
            if let Some((client, id)) = asked.flatten() {
                client.cancel(id);
            }
        }
    }

    /// Cancels at the user's wish, and says so.
    pub fn cancel_and_say(self) {
        self.cancel();
        self.say(Notice::done("Stopped. What was found so far stays on the page."));
    }

    /// Asks which signs a proposal leaned on.
    pub fn ask_why(self, sign: SignIndex, reading: String, written: String, starts_word: bool) {
        let mut question = self.work.get_untracked().question();
        question.filled.retain(|filled| filled.sign != sign);
        let request = ModelRequest::Influence { question, sign, reading, starts_word };
        self.send_job(JobKind::Influence, request, move |event| match event {
            Event::Influence(weights) => {
                let weights = weights.into_iter().filter(|(_, weight)| weight.is_finite()).collect();
                self.influence.set(Some(Influence { sign, written: written.clone(), weights }));
            }
            other => self.hear_common(other),
        });
    }

    /// Why nothing can be restored now, in words for the user; `None` when the button works.
    pub fn why_not(self) -> Option<&'static str> {
        let text_is_empty = self.work.with(|work| work.text.trim().is_empty());
        if text_is_empty {
            return Some("Type or paste a transliteration first.");
        }
        let work = self.work.get();
        let document = self.document.get();
        let mut signs = document.signs().enumerate().peekable();
        if signs.peek().is_none() {
            return Some("No line of this text could be read as transliteration; see the remarks below.");
        }
        let mut gaps = signs.filter(|(index, sign)| work.is_gap(*index, sign)).peekable();
        if gaps.peek().is_none() {
            let left = document.signs().any(|sign| matches!(sign.kind, SignKind::Illegible | SignKind::Gap));
            return Some(match left {
                true => "Every gap is left alone; open one again first.",
                false => {
                    "No gap in the text: write x for an illegible sign or ... for a break, or choose a sign below."
                }
            });
        }
        match gaps.all(|(index, _)| work.accepted_at(index).is_some()) {
            true => Some("Every gap is filled; take a reading back to ask again."),
            false => None,
        }
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
