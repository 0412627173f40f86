//! Requests to the engine: opening the translator, and a map for each side whenever text or choices change.

use super::shown::Seen;
use super::state::Attention;
use crate::restore::state::Workbench;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::attention::{AttentionKind, AttentionQuestion, Strength};
use tuppum_protocol::{AttentionEvent, FailureKind, ModelRequest, Told};

/// Milliseconds without a change after which the engine is asked.
const REST: u32 = 120;

impl Attention {
    /// Opens the chosen translator.
    pub fn open(self, workbench: Workbench, choice: TranslatorChoice) {
        self.forget();
        self.translator.open(workbench.as_preferred(untrack(|| choice.model())), |_| {});
    }

    /// Closes the translator here if the worker holds another one by now, or none; it must then be opened again.
    pub fn notice_loss(self) {
        if untrack(|| self.translator.is_ready()) && !self.translator.is_held() {
            self.close();
        }
    }

    fn close(self) {
        self.forget();
        self.translator.close();
    }

    /// Discards the answers of another translator.
    fn forget(self) {
        self.job.cancel();
        self.seen.iter().for_each(|seen| seen.set(None));
        self.failure.set(None);
        self.written.set_value(None);
        self.strengths[0].set(Strength::Off);
        self.strengths[1].set(Strength::Own);
    }

    /// Asks after changes of text, kind, layer, head or strength; closes the translator when another one is chosen.
    pub fn ask_on_change(self, choice: TranslatorChoice) {
        Effect::new(move |_| {
            if self.translator.is_other_than(&choice.model()) {
                self.close();
            }
        });
        Effect::new(move |_| {
            self.read.track();
            self.looking.track();
            self.layer.track();
            self.head.track();
            self.strengths.iter().for_each(|strength| strength.track());
            if self.translator.is_ready() {
                self.job.debounce(REST, move || self.ask());
            }
        });
    }

    fn question(self, bias: Strength) -> AttentionQuestion {
        let (text, kind) = (self.read.with_untracked(|read| read.text.clone()), self.looking.get_untracked());
        let written = self.written.get_value();
        let target = written.filter(|(of, _)| *of == text && kind != AttentionKind::Encoder).map(|(_, tokens)| tokens);
        AttentionQuestion {
            text,
            kind,
            layer: self.layer.get_untracked(),
            head: self.head.get_untracked(),
            bias,
            target,
        }
    }

    fn ask(self) {
        self.job.cancel();
        self.failure.set(None);
        self.notice_loss();
        if !untrack(|| self.translator.is_ready()) {
            return;
        }
        if self.read.with_untracked(|read| read.text.is_empty()) {
            self.seen.iter().for_each(|seen| seen.set(None));
            return;
        }
        self.ask_side(0);
    }

    /// Returns `true` if the translator is open and has a hyperbolic bias. Tracked as a signal.
    pub fn has_bias(self) -> bool {
        self.translator.state.with(|state| state.translator().is_some_and(|report| report.bias))
    }

    /// Asks for a side, unless its answer is already there, and then for the next side.
    fn ask_side(self, side: usize) {
        let has_bias = untrack(|| self.has_bias());
        if side > usize::from(has_bias) {
            if !has_bias {
                self.seen[1].set(None);
            }
            return;
        }
        let question = self.question(self.strengths[side].get_untracked());
        let known = self.seen[side].with_untracked(|seen| seen.as_ref().is_some_and(|seen| answers(seen, &question)));
        if known {
            return self.ask_side(side + 1);
        }
        let asked = question.clone();
        self.job.start(ModelRequest::Attention(question), move |event| self.handle_event(side, &asked, event));
    }

    fn handle_event(self, side: usize, asked: &AttentionQuestion, event: Told<AttentionEvent>) {
        match event {
            Told::Answer(AttentionEvent::Attention(looked)) => {
                if asked.kind != AttentionKind::Encoder {
                    self.written.set_value(Some((asked.text.clone(), looked.target.clone())));
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
            Told::Done => self.ask_side(side + 1),
            Told::Failed(failure) => match failure.kind {
                FailureKind::Cancelled => {}
                // After these failures the worker is replaced, at once or at the next request, and the new one has no
                // translator.
                FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal | FailureKind::Weights => {
                    self.translator.fail(failure);
                }
                _ => self.failure.set(Some(failure)),
            },
            _ => {}
        }
    }
}

/// Returns `true` if an answer belongs to a question. The question may name the translation that the answer brought.
fn answers(seen: &Seen, question: &AttentionQuestion) -> bool {
    let target = seen.question.target.clone().or_else(|| question.target.clone().filter(|own| *own == seen.target));
    AttentionQuestion { target, ..seen.question.clone() } == *question
}
