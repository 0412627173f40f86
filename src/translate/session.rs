//! The card's side of the engine: opening the translator when it is first asked for, asking, hearing, stopping.

use super::labels::lines_of;
use super::link::Opened;
use super::rendering::{Made, Rendering};
use super::state::{Translating, TranslationJob, TranslatorState, Writing, is_begun};
use crate::engine::client::EngineClient;
use crate::restore::engine_state::{Timed, Trouble};
use crate::restore::state::Notice;
use crate::shell::format;
use leptos::prelude::*;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{DevicePreference, Event, Failure, FailureKind, ModelRequest, OpenModel};
use tuppum_text::Document;

/// What a translation was asked about, and how.
struct Asked {
    text: String,
    made: Made,
    document: Arc<Document>,
}

impl Translating {
    /// Translates what is still to be translated; opens the translator first when it is not there.
    pub fn translate(self) {
        self.workbench.read();
        self.trouble.set(None);
        let busy = self.queued.get_untracked() || self.job.with_untracked(Option::is_some);
        if busy || untrack(|| self.why_not()).is_some() {
            return;
        }
        let client = match self.workbench.client() {
            Ok(client) => client,
            Err(failure) => return self.trouble.set(Some(Trouble { failure, opening: true })),
        };
        let wanted = self.wanted(&client);
        let is_open = matches!(self.translator.get_untracked(), TranslatorState::Ready(_))
            && client.holds_translator(&wanted.model)
            && self.link.with_value(|link| link.opened.as_ref() == Some(&wanted));
        if is_open {
            self.send_question(&client);
        } else {
            self.queued.set(true);
            self.open(&client, wanted);
        }
    }

    /// Translates without the browser's storage, after it has refused.
    pub fn translate_without_storing(self) {
        self.workbench.storing.set_value(false);
        self.translate();
    }

    /// Translates on another device.
    pub fn translate_on(self, device: DevicePreference) {
        self.workbench.use_device(device);
        self.translate();
    }

    fn wanted(self, client: &EngineClient) -> Opened {
        Opened {
            model: untrack(|| self.choice.model()),
            device: self.workbench.device.get_untracked(),
            store: self.workbench.storing.get_value(),
            worker: client.worker_number(),
        }
    }

    fn open(self, client: &Rc<EngineClient>, wanted: Opened) {
        self.translator.set(TranslatorState::Opening(None));
        let Opened { model, device, store, .. } = wanted.clone();
        let hearing = client.clone();
        let id = client.send(ModelRequest::OpenTranslator(OpenModel { model, device, store }), move |event| {
            if self.translator.try_with_untracked(|_| ()).is_some() {
                self.hear_opening(event, &hearing, &wanted);
            }
        });
        self.link.update_value(|link| link.opening = Some(id));
    }

    fn hear_opening(self, event: Event, client: &Rc<EngineClient>, wanted: &Opened) {
        match event {
            Event::Progress(progress) => self.translator.update(|translator| {
                if let TranslatorState::Opening(before) = translator {
                    let timed = Timed::after(before.as_ref(), progress);
                    *translator = TranslatorState::Opening(Some(timed));
                }
            }),
            Event::Translator(report) => self.translator.set(TranslatorState::Ready(report)),
            Event::Done => {
                self.link.update_value(|link| (link.opening, link.opened) = (None, Some(wanted.clone())));
                if self.queued.get_untracked() {
                    self.queued.set(false);
                    self.translate_on_client(client);
                }
            }
            Event::Failed(failure) => {
                self.link.update_value(|link| (link.opening, link.opened) = (None, None));
                self.opening_failed(failure);
            }
            _ => {}
        }
    }

    /// What is asked may have changed while the translator was opened.
    fn translate_on_client(self, client: &Rc<EngineClient>) {
        self.workbench.read();
        if self.link.with_value(|link| link.opened.as_ref() != Some(&self.wanted(client))) {
            self.translate();
        } else if untrack(|| self.why_not()).is_none() {
            self.send_question(client);
        }
    }

    fn opening_failed(self, failure: Failure) {
        self.queued.set(false);
        match failure.kind {
            FailureKind::Cancelled => self.translator.set(TranslatorState::Closed),
            FailureKind::Missing => self.translator.set(TranslatorState::Absent),
            _ => {
                self.translator.set(TranslatorState::Closed);
                self.trouble.set(Some(Trouble { failure, opening: true }));
            }
        }
    }

    fn send_question(self, client: &Rc<EngineClient>) {
        let Some(question) = untrack(|| self.remaining()) else { return };
        self.begin_translation();
        let made = untrack(|| self.made(&question));
        let asked = Asked { text: question.text.clone(), made, document: self.workbench.document.get_untracked() };
        self.link.update_value(|link| link.numbers += 1);
        let number = self.link.with_value(|link| link.numbers);
        self.job.set(Some(TranslationJob { number, text: question.text.clone(), progress: None }));
        let id = client.send(ModelRequest::Translate(question), move |event| {
            let present = self.job.try_with_untracked(|job| job.as_ref().is_some_and(|job| job.number == number));
            if present == Some(true) {
                self.hear(event, &asked);
            }
        });
        self.link.update_value(|link| link.asked = Some(id));
    }

    fn hear(self, event: Event, asked: &Asked) {
        let text = &asked.text;
        match event {
            Event::Progress(progress) => self.job.update(|job| {
                if let Some(job) = job {
                    job.progress = Some(Timed::after(job.progress.as_ref(), progress));
                }
            }),
            Event::Translated { number, total, translated } => {
                let mut rendering = Rendering::new(translated, asked.made.clone());
                rendering.label = lines_of(&asked.document, &rendering.translated.lines);
                if rendering.is_unfinished() {
                    self.writing.set(Some(Writing { number, total, rendering }));
                } else {
                    let count = format::plural(total, "passage", "passages");
                    self.said.set(format!("{} of {count} translated: {}", number + 1, rendering.text()));
                    self.writing.set(None);
                    self.put(text, rendering);
                }
            }
            Event::Done => {
                self.end();
                self.said.set("The translation is complete.".into());
            }
            Event::Failed(failure) => {
                self.keep_what_is_there(text);
                self.end();
                self.failed(failure);
            }
            _ => {}
        }
    }

    fn failed(self, failure: Failure) {
        match failure.kind {
            FailureKind::Cancelled => {}
            kind => {
                if matches!(kind, FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal) {
                    self.translator.set(TranslatorState::Closed); // the worker that had it is gone
                }
                self.trouble.set(Some(Trouble { failure, opening: false }));
            }
        }
    }

    /// Stops opening or translating, at the user's wish. What is there stays, marked as unfinished.
    pub fn stop(self) {
        let (opening, asked) = self.link.with_value(|link| (link.opening, link.asked));
        let Ok(client) = self.workbench.client() else { return };
        if self.job.with_untracked(Option::is_some) {
            if let Some(text) = self.job.with_untracked(|job| job.as_ref().map(|job| job.text.clone())) {
                self.keep_what_is_there(&text);
            }
            self.end();
            self.workbench
                .say(Notice::done("Stopped. What was translated so far stays; Translate goes on from there."));
            asked.into_iter().for_each(|id| client.cancel(id));
        } else if let Some(id) = opening {
            if self.queued.get_untracked() {
                self.queued.set(false); // the translator may be open before it hears of the stop
                self.workbench.say(Notice::done("Stopped. Nothing was translated."));
            }
            client.cancel(id);
        }
    }

    /// Keeps the passage that was being written, unless a finished translation of it is there.
    fn keep_what_is_there(self, text: &str) {
        let Some(Writing { rendering, .. }) = self.writing.get_untracked() else { return };
        let is_there = self.shelf.with_untracked(|shelf| {
            let own = shelf.translations.iter().find(|translation| translation.text == text);
            own.is_some_and(|own| own.renderings.iter().any(|one| !one.is_unfinished() && one.overlaps(&rendering)))
        });
        if !is_there && is_begun(&rendering.translated) {
            self.put(text, rendering);
        }
    }

    fn end(self) {
        self.job.set(None);
        self.writing.set(None);
        self.link.update_value(|link| link.asked = None);
    }
}
