//! What the workbench asks of the engine: opening the restorer, restoring, reasons, stopping.

use crate::corpora::state::CorpusState;
use crate::engine::model::ModelState;
use crate::frame::address;
use crate::frame::notice::Notice;
use crate::kit::storage;
use crate::restore::state::Workbench;
use crate::restore::state::restoring::{AnswerSource, Influence, ShownAnswer};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tuppum_protocol::{
    Answer, DevicePreference, Failure, FailureKind, ModelRef, ModelRequest, OpenModel, Question, Reply,
    RestorationEvent,
};
use tuppum_text::{SignIndex, SignKind};

/// Number of complete answers kept, so that undo can show them at once.
const MAX_ANSWERS: usize = 12;
/// Milliseconds without a change of choices before the engine is asked again.
const ASK_AFTER_MS: u32 = 250;

impl Workbench {
    /// Opens the restorer, again if it is open, on the preferred device.
    pub fn open_restorer(self) {
        self.cancel();
        self.restoring.failure.set(None);
        let model = self.device.model.get_untracked();
        self.restoring.restorer.open(self.as_preferred(model), move |outcome| match outcome {
            Ok(()) => self.restore_if_queued(),
            Err(failure) => {
                self.restoring.queued.set(false);
                if failure.kind != FailureKind::Cancelled {
                    self.restoring.failure.set(Some(failure));
                }
            }
        });
        self.open_corpora_if_wanted();
    }

    /// Opens the corpora, or tries again.
    pub fn open_corpora(self) {
        self.corpora.open(self.device.storing.get_value(), move |outcome| {
            if self.restoring.queued.get_untracked() {
                self.restore_if_queued();
            } else if outcome.is_ok() && self.shows_network_alone() && !self.restoring.job.is_running_untracked() {
                self.ask_again();
            }
        });
    }

    /// Returns `true` if edited texts should count but the answer on the page was computed without them.
    fn shows_network_alone(self) -> bool {
        let without = |shown: &Option<ShownAnswer>| shown.as_ref().is_some_and(|shown| !shown.question.contexts);
        self.text.work.with_untracked(|work| work.contexts) && self.restoring.shown.with_untracked(without)
    }

    /// Opens the corpora again if they failed for a reason that may have passed.
    fn retry_corpora(self) {
        let may_pass = self.corpora.state.with_untracked(|state| match state {
            CorpusState::Failed(failure) => failure.kind != FailureKind::Missing,
            CorpusState::Closed | CorpusState::Opening | CorpusState::Ready(_) => false,
        });
        if may_pass && self.text.work.with_untracked(|work| work.contexts) {
            self.open_corpora();
        }
    }

    /// Opens the corpora if they count and are not open, also after a failure that may have passed.
    pub fn look_for_corpora(self) {
        self.retry_corpora();
        self.open_corpora_if_wanted();
    }

    fn open_corpora_if_wanted(self) {
        if self.text.work.with_untracked(|work| work.contexts) && self.corpora.is_to_open() {
            self.open_corpora();
        }
    }

    /// Restores if a restoration is queued and everything it waits for is open.
    fn restore_if_queued(self) {
        if self.restoring.queued.get_untracked() && !self.is_opening() {
            self.restoring.queued.set(false);
            self.restore();
        }
    }

    /// Returns `true` while something is being opened that a restoration waits for. Not tracked.
    fn is_opening(self) -> bool {
        self.restoring.restorer.is_opening()
            || self.text.work.with_untracked(|work| work.contexts) && self.corpora.is_opening()
    }

    /// Returns the request to open a model with the preferred device and storage.
    pub fn as_preferred(self, model: ModelRef) -> OpenModel {
        OpenModel { model, device: self.device.preference.get_untracked(), store: self.device.storing.get_value() }
    }

    /// Opens the restorer again without using the browser's storage for the rest of the visit.
    pub fn open_without_storing(self) {
        self.device.storing.set_value(false);
        self.open_restorer();
    }

    /// Makes this model the restorer, for later visits too.
    ///
    /// # Errors
    /// Reason for which the browser refused to store the choice, which then holds for this visit only.
    pub fn restore_with(self, model: &ModelRef) -> Result<(), String> {
        if self.device.model.with_untracked(|before| before == model) {
            return Ok(());
        }
        self.device.model.set(model.clone());
        // Answers of another model are not answers of this one.
        self.forget_answers();
        if self.restoring.restorer.state.with_untracked(|state| *state != ModelState::Closed) {
            self.open_restorer();
        }
        storage::store(storage::RESTORER, model)
    }

    /// Stops opening the restorer.
    pub fn stop_opening(self) {
        self.restoring.queued.set(false);
        self.restoring.restorer.stop_opening();
    }

    /// Changes the device and opens the restorer again.
    pub fn use_device(self, device: DevicePreference) {
        self.device.preference.set(device);
        if let Err(reason) = storage::store(storage::DEVICE, &address::device_name(device)) {
            self.storage_refusal.set(Some(reason));
        }
        self.open_restorer();
    }

    /// Restores the present text, or queues it while models are being opened.
    pub fn restore(self) {
        self.read();
        self.restoring.failure.set(None);
        if self.show_known_from(|origin| origin == AnswerSource::Engine) {
            return;
        }
        self.open_corpora_if_wanted();
        let is_ready = untrack(|| self.restoring.restorer.is_ready());
        if is_ready && !self.is_opening() {
            return self.send_question();
        }
        if !is_ready && !self.restoring.restorer.is_opening() {
            self.open_restorer();
        }
        self.restoring.queued.set(self.is_opening());
    }

    /// Restores every gap.
    pub fn restore_all(self) {
        self.restoring.only.set(None);
        self.retry_corpora();
        self.restore();
    }

    /// Restores some gaps. The others count as illegible, and their proposals stay on the page.
    pub fn restore_only(self, gaps: Vec<SignIndex>) {
        self.restoring.only.set(Some(gaps));
        self.retry_corpora();
        self.restore();
    }

    /// Asks again after a change, once changes rest, if an answer is on the page.
    pub fn ask_again(self) {
        if self.show_known()
            || self.restoring.shown.with_untracked(Option::is_none)
            || !untrack(|| self.has_open_gaps())
        {
            return;
        }
        if untrack(|| self.restoring.restorer.is_ready()) {
            self.cancel();
            self.restoring.job.debounce(ASK_AFTER_MS, move || self.restore());
        } else if self.restoring.restorer.is_opening() {
            self.restoring.queued.set(true);
        }
    }

    /// Shows the answer to the present question if it is known. Returns `true` if it was.
    pub fn show_known(self) -> bool {
        self.show_known_from(|_| true)
    }

    fn show_known_from(self, allowed: fn(AnswerSource) -> bool) -> bool {
        let question = untrack(|| self.question());
        let known = self.restoring.answers.with_value(|answers| {
            answers.iter().find(|(asked, _, origin)| *asked == question && allowed(*origin)).cloned()
        });
        let Some((question, answer, origin)) = known else { return false };
        self.cancel();
        self.show(ShownAnswer { question, answer, origin, complete: true });
        true
    }

    /// Remembers an answer.
    pub fn remember(self, question: Question, answer: Arc<Answer>, origin: AnswerSource) {
        self.restoring.answers.update_value(|answers| {
            answers.retain(|(asked, ..)| *asked != question);
            answers.insert(0, (question, answer, origin));
            answers.truncate(MAX_ANSWERS);
        });
    }

    /// Forgets all answers, also those on the page: another model gives others.
    pub fn forget_answers(self) {
        self.cancel();
        self.restoring.answers.update_value(Vec::clear);
        self.restoring.earlier.update(HashMap::clear);
        self.restoring.influence.set(None);
        self.restoring.shown.set(None);
    }

    fn show(self, shown: ShownAnswer) {
        self.restoring.earlier.update(|earlier| {
            earlier.extend(shown.answer.gaps.iter().map(|gap| (gap.sign, gap.clone())));
        });
        if self.text.selected.get_untracked().is_none() {
            self.text.selected.set(shown.answer.gaps.first().map(|gap| gap.sign));
        }
        self.restoring.shown.set(Some(shown));
    }

    fn send_question(self) {
        self.cancel();
        let question = untrack(|| self.question());
        let asked = question.clone();
        self.restoring.job.start(ModelRequest::Restore(question), move |event| self.handle_answer(event, &asked));
    }

    fn handle_answer(self, event: Reply<RestorationEvent>, question: &Question) {
        if !matches!(event, Reply::Failed(_)) && !self.is_of_present_text(question) {
            return self.ask_about_present_text();
        }
        let show = |answer: Arc<Answer>, complete| {
            self.show(ShownAnswer { question: question.clone(), answer, origin: AnswerSource::Engine, complete });
        };
        match event {
            Reply::Answer(RestorationEvent::Answer(answer)) => show(Arc::new(answer), false),
            Reply::Done => {
                let found = self.restoring.shown.get_untracked().filter(|shown| shown.question == *question);
                if let Some(shown) = found {
                    self.remember(question.clone(), shown.answer.clone(), AnswerSource::Engine);
                    show(shown.answer, true);
                }
            }
            Reply::Failed(failure) => self.handle_failure(failure),
            _ => {}
        }
    }

    /// Returns `true` if the text is the one that this question was about: an answer refers to signs by number.
    fn is_of_present_text(self, question: &Question) -> bool {
        self.text.work.with_untracked(|work| work.text == question.text && work.reading == question.reading)
    }

    /// Stops a request about an older text and restores the present one once typing rests.
    fn ask_about_present_text(self) {
        self.cancel();
        self.restoring.job.debounce(ASK_AFTER_MS, move || {
            self.read();
            if untrack(|| self.has_open_gaps()) {
                self.restore();
            }
        });
    }

    fn handle_failure(self, failure: Failure) {
        if failure.kind == FailureKind::Cancelled {
            return self.notify_stop();
        }
        self.restoring.restorer.close_if_lost(&failure);
        self.restoring.failure.set(Some(failure));
    }

    /// Cancels the running and the queued request; later events are dropped.
    pub fn cancel(self) {
        self.restoring.queued.set(false);
        self.restoring.job.cancel();
    }

    /// Cancels at the user's request and confirms it.
    pub fn stop(self) {
        self.cancel();
        self.notify_stop();
    }

    fn notify_stop(self) {
        self.notify(Notice::done("Stopped. What was found so far stays on the page."));
    }

    /// Asks which signs a proposal depended on.
    pub fn ask_why(self, sign: SignIndex, reading: String, written: String, starts_word: bool) {
        let mut question = untrack(|| self.question());
        question.filled.retain(|filled| filled.sign != sign);
        let asked = question.clone();
        let request = ModelRequest::Influence { question, sign, reading, starts_word };
        self.cancel();
        self.restoring.job.start(request, move |event| match event {
            Reply::Answer(RestorationEvent::Influence(_)) if !self.is_of_present_text(&asked) => {}
            Reply::Answer(RestorationEvent::Influence(weights)) => {
                let weights = weights.into_iter().filter(|(_, weight)| weight.is_finite()).collect();
                self.restoring.influence.set(Some(Influence { sign, written: written.clone(), weights }));
            }
            Reply::Failed(failure) => self.handle_failure(failure),
            _ => {}
        });
    }

    /// Returns the reason for which nothing can be restored now, in words for the user; `None` if the button works.
    pub fn why_not(self) -> Option<&'static str> {
        let text_is_empty = self.text.work.with(|work| work.text.trim().is_empty());
        if text_is_empty {
            return Some("Type or paste a transliteration first.");
        }
        let work = self.text.work.get();
        let document = self.text.document.get();
        let mut signs = document.signs().enumerate().peekable();
        if signs.peek().is_none() {
            return Some("No line of this text could be read as transliteration; see the remarks below.");
        }
        let mut gaps = signs.filter(|(index, sign)| work.is_gap(*index, sign)).peekable();
        if gaps.peek().is_none() {
            let left = document.signs().any(|sign| matches!(sign.kind, SignKind::Illegible | SignKind::Gap));
            return Some(match left {
                true => "Every gap is left alone; first choose one and press “Restore it”.",
                false => {
                    "No gap in the text: write x for an illegible sign or ... for a break, or choose a sign below."
                }
            });
        }
        match gaps.all(|(index, _)| work.accepted_at(index).is_some()) {
            true => Some("Every gap is filled; take back a reading to ask again."),
            false => None,
        }
    }
}
