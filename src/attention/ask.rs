//! Asking the engine: opening the translator, and a map for each side whenever what is asked for changes.

use super::shown::Seen;
use super::state::Attention;
use crate::restore::state::Workbench;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::attention::{AttentionKind, AttentionQuestion, Strength};
use tuppum_protocol::{AttentionEvent, FailureKind, ModelRequest, Told};

/// How long changes must rest before the engine is asked, in milliseconds.
const REST: u32 = 120;

impl Attention {
    /// Opens the chosen translator.
    pub fn open(self, workbench: Workbench, choice: TranslatorChoice) {
        self.forget();
        self.translator.open(workbench.as_preferred(untrack(|| choice.model())), |_| {});
    }

    /// Notices that the worker holds another translator by now, or none; the one opened here must then be opened again.
    pub fn notice_loss(self) {
        if untrack(|| self.translator.is_ready()) && !self.translator.is_held() {
            self.close();
        }
    }

    fn close(self) {
        self.forget();
        self.translator.close();
    }

    /// Forgets what another translator answered.
    fn forget(self) {
        self.job.cancel();
        self.seen.iter().for_each(|seen| seen.set(None));
        self.failure.set(None);
        self.written.set_value(None);
        self.strengths[0].set(Strength::Off);
        self.strengths[1].set(Strength::Own);
    }

    /// Asks whenever text, kind, layer, head or strength change, once they rest; and closes when another translator is
    /// chosen.
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

    /// Whether the translator is open and has a hyperbolic bias. Followed as a signal.
    pub fn has_bias(self) -> bool {
        self.translator.state.with(|state| state.translator().is_some_and(|report| report.bias))
    }

    /// Asks for a side, unless its answer is there, and then for the next.
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
                // The worker is a new one, which has no translator: at once, or when it is asked next.
                FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal | FailureKind::Weights => {
                    self.translator.fail(failure);
                }
                _ => self.failure.set(Some(failure)),
            },
            _ => {}
        }
    }
}

/// Whether an answer is one to a question, which may name what was written when the one before did not.
fn answers(seen: &Seen, question: &AttentionQuestion) -> bool {
    let target = seen.question.target.clone().or_else(|| question.target.clone().filter(|own| *own == seen.target));
    AttentionQuestion { target, ..seen.question.clone() } == *question
}
