//! Asking the engine: opening the translator, and a map for each side whenever what is asked for changes.

use super::link::Opening;
use super::shown::Seen;
use super::state::Attention;
use crate::restore::engine_state::Timed;
use crate::restore::state::Workbench;
use crate::translate::translator_choice::TranslatorChoice;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::looking::{Looking, Question, Strength};
use tuppum_protocol::{Event, FailureKind, ModelRequest, OpenModel};

/// How long changes must rest before the engine is asked, in milliseconds.
const REST: u32 = 120;

impl Attention {
    /// Opens the chosen translator.
    pub fn open(self, workbench: Workbench, choice: TranslatorChoice) {
        let client = match workbench.client() {
            Ok(client) => client,
            Err(failure) => return self.opening.set(Opening::Failed(failure)),
        };
        let model = untrack(|| choice.model());
        self.forget();
        self.opening.set(Opening::Waiting(None));
        let (device, store) = (workbench.device.get_untracked(), workbench.storing.get_value());
        let request = ModelRequest::OpenTranslator(OpenModel { model: model.clone(), device, store });
        let mut report = None;
        let id = client.send(request, move |event| match event {
            Event::Progress(progress) => self.opening.update(|opening| {
                let before = if let Opening::Waiting(before) = opening { before.take() } else { None };
                *opening = Opening::Waiting(Some(Timed::after(before.as_ref(), progress)));
            }),
            Event::Translator(opened) => report = Some(opened),
            Event::Done => self.opening.set(report.take().map_or(Opening::Not, Opening::Ready)),
            Event::Failed(failure) if failure.kind == FailureKind::Cancelled => self.opening.set(Opening::Not),
            Event::Failed(failure) => self.opening.set(Opening::Failed(failure)),
            _ => {}
        });
        self.links.update_value(|links| {
            links.model = Some(model);
            links.opening = Some(id);
        });
    }

    /// Stops opening.
    pub fn stop_opening(self, workbench: Workbench) {
        if let (Ok(client), Some(id)) = (workbench.client(), self.links.with_value(|links| links.opening)) {
            client.cancel(id);
        }
    }

    /// Notices that the worker holds another translator by now, or none; the one opened here must then be opened again.
    pub fn notice_loss(self, workbench: Workbench) {
        let Ok(client) = workbench.client() else { return };
        let is_ready = self.opening.with_untracked(|opening| matches!(opening, Opening::Ready(_)));
        let is_held =
            self.links.with_value(|links| links.model.as_ref().is_some_and(|own| client.holds_translator(own)));
        if is_ready && !is_held {
            self.forget();
            self.links.update_value(|links| links.model = None);
            self.opening.set(Opening::Not);
        }
    }

    /// Forgets what another translator answered.
    fn forget(self) {
        self.seen.iter().for_each(|seen| seen.set(None));
        self.trouble.set(None);
        self.links.update_value(|links| links.written = None);
        self.strengths[0].set(Strength::Off);
        self.strengths[1].set(Strength::Own);
    }

    /// Asks whenever text, kind, layer, head or strength change, once they rest; and closes when another translator is
    /// chosen.
    pub fn ask_on_change(self, workbench: Workbench, choice: TranslatorChoice) {
        Effect::new(move |_| {
            let chosen = choice.model();
            if self.links.with_value(|links| links.model.as_ref().is_some_and(|model| *model != chosen)) {
                self.forget();
                self.links.update_value(|links| links.model = None);
                self.opening.set(Opening::Not);
            }
        });
        Effect::new(move |_| {
            self.read.track();
            self.looking.track();
            self.layer.track();
            self.head.track();
            self.strengths.iter().for_each(|strength| strength.track());
            if self.opening.with(|opening| matches!(opening, Opening::Ready(_))) {
                let timer = Timeout::new(REST, move || self.ask(workbench));
                self.links.update_value(|links| links.rest = Some(timer));
            }
        });
    }

    fn question(self, bias: Strength) -> Question {
        let (text, looking) = (self.read.with_untracked(|read| read.text.clone()), self.looking.get_untracked());
        let written = self.links.with_value(|links| links.written.clone());
        let target = written.filter(|(of, _)| *of == text && looking != Looking::Encoder).map(|(_, tokens)| tokens);
        Question { text, looking, layer: self.layer.get_untracked(), head: self.head.get_untracked(), bias, target }
    }

    fn ask(self, workbench: Workbench) {
        self.cancel(workbench);
        self.trouble.set(None);
        self.notice_loss(workbench);
        if self.opening.with_untracked(|opening| !matches!(opening, Opening::Ready(_))) {
            return;
        }
        if self.read.with_untracked(|read| read.text.is_empty()) {
            self.seen.iter().for_each(|seen| seen.set(None));
            return;
        }
        self.busy.set(true);
        self.ask_side(workbench, 0);
    }

    fn cancel(self, workbench: Workbench) {
        let asked = self.links.try_update_value(|links| {
            links.number += 1;
            links.rest = None;
            links.asked.take()
        });
        if let (Some(Some(id)), Ok(client)) = (asked, workbench.client()) {
            client.cancel(id);
        }
    }

    /// Asks for a side, unless its answer is there, and then for the next.
    fn ask_side(self, workbench: Workbench, side: usize) {
        let has_bias = self.opening.with_untracked(|opening| matches!(opening, Opening::Ready(report) if report.bias));
        if side > usize::from(has_bias) {
            if !has_bias {
                self.seen[1].set(None);
            }
            self.busy.set(false);
            return;
        }
        let question = self.question(self.strengths[side].get_untracked());
        let known = self.seen[side].with_untracked(|seen| seen.as_ref().is_some_and(|seen| answers(seen, &question)));
        if known {
            return self.ask_side(workbench, side + 1);
        }
        let Ok(client) = workbench.client() else { return self.busy.set(false) };
        let number = self.links.with_value(|links| links.number);
        let asked = question.clone();
        let id = client.send(ModelRequest::Attention(question), move |event| {
            if self.links.try_with_value(|links| links.number == number) == Some(true) {
                self.hear(workbench, side, &asked, event);
            }
        });
        self.links.update_value(|links| links.asked = Some(id));
    }

    fn hear(self, workbench: Workbench, side: usize, asked: &Question, event: Event) {
        match event {
            Event::Attention(looked) => {
                if asked.looking != Looking::Encoder {
                    let written = Some((asked.text.clone(), looked.target.clone()));
                    self.links.update_value(|links| links.written = written);
                }
                let seen = Seen::of(asked.clone(), looked).map(Arc::new);
                let resized = self.seen[side].with_untracked(|before| {
                    let size =
                        |seen: &Option<Arc<Seen>>| seen.as_ref().map(|seen| (seen.matrix.rows, seen.matrix.columns));
                    size(before) != size(&seen)
                });
                self.seen[side].set(seen);
                if side == 0 && resized {
                    self.begin_view();
                }
            }
            Event::Done => {
                self.links.update_value(|links| links.asked = None);
                self.ask_side(workbench, side + 1);
            }
            Event::Failed(failure) => {
                self.links.update_value(|links| links.asked = None);
                self.busy.set(false);
                match failure.kind {
                    FailureKind::Cancelled => {}
                    // The worker is a new one, which has no translator: at once, or when it is asked next.
                    FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal | FailureKind::Weights => {
                        self.opening.set(Opening::Failed(failure));
                    }
                    _ => self.trouble.set(Some(failure)),
                }
            }
            _ => {}
        }
    }
}

/// Whether an answer is one to a question, which may name what was written when the one before did not.
fn answers(seen: &Seen, question: &Question) -> bool {
    let target = seen.question.target.clone().or_else(|| question.target.clone().filter(|own| *own == seen.target));
    Question { target, ..seen.question.clone() } == *question
}
