//! Requests of the card: opening the translator when it is first needed, translating, stopping; corpus lookups for
//! passages while they are translated, and the user's own names in finished ones.

use super::passages::lines_of;
use super::rendering::{Provenance, Rendering};
use super::writing::{Finished, Writing};
use super::{Translating, is_begun, names};
use crate::corpora::state::Corpora;
use crate::frame::notice::Notice;
use crate::kit::format;
use crate::translate::workers::{most_workers, side_by_side};
use leptos::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::vec::IntoIter;
use tuppum_protocol::translation::Passage;
use tuppum_protocol::{
    CorpusRequest, DevicePreference, Failure, FailureKind, ModelRequest, OpenModel, Reply, TranslationEvent, WordEvent,
};
use tuppum_text::{Document, ReadingOptions};

/// The running request: its text, settings and lookups.
struct RunningRequest {
    text: String,
    made: Provenance,
    document: Arc<Document>,
    ahead: LookupAhead,
}

impl Translating {
    /// Translates the passages still to be translated; opens the translator first if it is not open.
    pub fn translate(self) {
        // Published translations of similar passages are shown beside the machine's and tell when to doubt it.
        self.workbench.look_for_corpora();
        self.ask_or_open();
    }

    /// Sends the request, or opens the translator first.
    fn ask_or_open(self) {
        self.workbench.read();
        self.failure.set(None);
        let busy = untrack(|| self.queued.get() || self.job.is_running());
        if busy || untrack(|| self.why_not()).is_some() {
            return;
        }
        let wanted = self.wanted();
        if self.translator.holds(&wanted) {
            self.send_question();
        } else {
            self.queued.set(true);
            // The same name may stand for other weights now, so helpers must open the translator again.
            self.workers.release_helpers();
            self.translator.open(wanted, move |outcome| self.handle_opening(outcome));
        }
    }

    /// Translates without storing the model, after the browser has refused to store it.
    pub fn translate_without_storing(self) {
        self.workbench.device.storing.set_value(false);
        self.translate();
    }

    /// Translates on another device.
    pub fn translate_on(self, device: DevicePreference) {
        self.workbench.use_device(device);
        self.translate();
    }

    fn wanted(self) -> OpenModel {
        self.workbench.as_preferred(untrack(|| self.choice.model()))
    }

    fn handle_opening(self, outcome: Result<(), Failure>) {
        let queued = self.queued.get_untracked();
        self.queued.set(false);
        match outcome {
            // The text may have changed while the translator was opened.
            Ok(()) if queued => self.ask_or_open(),
            Err(failure) if !matches!(failure.kind, FailureKind::Cancelled | FailureKind::Missing) => {
                self.failure.set(Some(failure));
            }
            _ => {}
        }
    }

    fn send_question(self) {
        let Some(question) = untrack(|| self.remaining()) else { return };
        self.begin_translation();
        let made = untrack(|| self.made(&question));
        let (text, document) = (question.text.clone(), self.workbench.text.document.get_untracked());
        let passages = question.passages(&document);
        let cores = self.settings.with_untracked(|settings| settings.cores);
        let (most, writes_together) = self.translator.state.with_untracked(|state| {
            let report = state.translator();
            (most_workers(cores, report).min(passages.len()), report.is_some_and(|report| report.writes_together))
        });
        let together = if writes_together { question.options().sources_together() } else { 1 };
        let ahead = LookupAhead::begin(self.workbench.corpora, passages.clone(), most * together);
        let asked = RunningRequest { text, made, document, ahead };
        let handle = move |event| self.handle_event(event, &asked);
        match most {
            0 | 1 => self.job.start(ModelRequest::Translate(question), handle),
            most => self.job.begin(Box::new(handle), |handle| {
                Some(side_by_side::translate(
                    self.workers,
                    (question, &passages),
                    self.wanted(),
                    most,
                    together,
                    handle,
                ))
            }),
        }
    }

    fn handle_event(self, event: Reply<TranslationEvent>, asked: &RunningRequest) {
        match event {
            Reply::Answer(TranslationEvent::Translated { number, total, translated }) => {
                let mut rendering = Rendering::new(translated, asked.made.clone());
                rendering.label = lines_of(&asked.document, &rendering.translated.lines);
                let passage = Writing { text: asked.text.clone(), rendering };
                if passage.rendering.is_unfinished() {
                    self.writing.note(passage);
                } else {
                    let count = format::plural(total, "passage", "passages");
                    let text = if passage.rendering.is_held_back() { "held back" } else { passage.rendering.text() };
                    let told = format!("{} of {count} translated: {text}", number + 1);
                    // A passage that is shown while it is written is replaced by the finished one at once.
                    let place = passage.rendering.place();
                    let can_wait = !self.writing.is_shown(place);
                    self.writing.finish(place);
                    self.finished.push(Finished { passage, told }, can_wait, move || {
                        let told = self.show_finished();
                        self.announced.set(told.join("; "));
                    });
                    asked.ahead.look_up_next();
                }
            }
            Reply::Done => {
                let mut told = self.show_finished();
                self.writing.end();
                told.push("The translation is complete.".into());
                self.announced.set(told.join("; "));
            }
            Reply::Failed(failure) => {
                self.store_unfinished();
                if failure.kind != FailureKind::Cancelled {
                    self.translator.close_if_lost(&failure);
                    self.failure.set(Some(failure));
                }
            }
            _ => {}
        }
    }

    /// Shows the finished passages and returns their announcements.
    fn show_finished(self) -> Vec<String> {
        let finished = self.finished.take().into_iter();
        let (passages, told) = finished.map(|Finished { passage, told }| (passage, told)).unzip();
        self.put(passages);
        told
    }

    /// Stops opening or translating, at the user's wish. What was translated so far stays; a passage in the middle is
    /// marked as unfinished.
    pub fn stop(self) {
        if self.job.is_running_untracked() {
            self.job.cancel();
            self.store_unfinished();
            let told = "Stopped. What was translated so far stays; press Translate to continue.";
            self.workbench.notify(Notice::done(told));
        } else if self.translator.is_opening() {
            if self.queued.get_untracked() {
                self.queued.set(false); // the translator may be open before it receives the stop
                self.workbench.notify(Notice::done("Stopped. Nothing was translated."));
            }
            self.translator.stop_opening();
        }
    }

    /// Stores the finished passages, and the passage being written unless there is a finished translation of it.
    fn store_unfinished(self) {
        self.show_finished();
        let Some(passage) = self.writing.end() else { return };
        let Writing { rendering, text } = &passage;
        let is_there = self.shelf.with_untracked(|shelf| {
            shelf
                .of(text)
                .is_some_and(|own| own.renderings.iter().any(|one| !one.is_unfinished() && one.overlaps(rendering)))
        });
        if !is_there && is_begun(&rendering.translated) {
            self.put(vec![passage]);
        }
    }
}

/// Passages still to be looked up, in the order in which they are translated.
pub struct LookupAhead {
    corpora: Corpora,
    waiting: RefCell<IntoIter<Passage>>,
    /// Passages that were due before the corpora were open; they are looked up once the corpora are.
    missed: RefCell<Vec<Passage>>,
}

impl LookupAhead {
    /// Looks up the first passages: all that are translated at a time, and the one after them.
    pub fn begin(corpora: Corpora, passages: Vec<Passage>, at_a_time: usize) -> Self {
        let ahead = Self { corpora, waiting: RefCell::new(passages.into_iter()), missed: RefCell::default() };
        (0..=at_a_time).for_each(|_| ahead.look_up_next());
        ahead
    }

    /// Looks up the next passage; called whenever a passage has been translated.
    pub fn look_up_next(&self) {
        if let Some(passage) = self.waiting.borrow_mut().next() {
            self.corpora.look_clauses_up(&passage.text);
            self.missed.borrow_mut().push(passage);
        }
        if untrack(|| self.corpora.is_ready()) {
            self.missed.take().iter().for_each(|passage| self.corpora.look_source_up(&passage.text));
        }
    }
}

impl Translating {
    /// Returns the names in a finished passage and the passage's key; `None` if there are none or the user has no lists
    /// of names.
    pub(super) fn own_names_to_ask(self, rendering: &Rendering) -> Option<(Vec<String>, (usize, String))> {
        let corpora = self.workbench.corpora;
        if rendering.is_unfinished() || !corpora.has_own_names() || !untrack(|| corpora.is_ready()) {
            return None;
        }
        let names = names::names_in(rendering);
        (!names.is_empty()).then(|| (names, rendering.key()))
    }

    /// Renders these names of a passage as the user's own lists say. Changed words count as the user's. Names for which
    /// the user has already chosen a rendering in this translation stay.
    pub(super) fn prefer_own_names(self, text: &str, names: Vec<String>, key: (usize, String)) {
        let text = text.to_owned();
        let request = CorpusRequest::Gloss { text: names.join("\n"), reading: ReadingOptions::default() };
        self.workbench.corpora.ask(request, move |event| {
            if let Reply::Answer(WordEvent::Glossed(found)) = event {
                self.shelf.update(|shelf| {
                    if let Some(translation) = shelf.of_mut(&text) {
                        names::prefer_listed_names(translation, &names, &found, &key);
                    }
                });
            }
        });
    }
}
