//! Look-ups in the corpora while a text is worked on: the selected gap, its line, words, origin.

use super::state::{AttestedHere, Corpora, OfText, ParallelsHere};
use crate::engine::job::Job;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{AttestedReading, CorpusRequest, Failure, FailureKind, FindingEvent, Question, Told, WordEvent};
use tuppum_text::{ReadingOptions, SignIndex};

/// Milliseconds without a new selection before it is looked up.
const REST: u32 = 120;
/// Maximum number of parallels.
const PARALLELS: usize = 8;

impl Corpora {
    /// Looks up a gap, once the selection rests.
    pub fn look_gap_up(self, question: Question, sign: SignIndex) {
        let is_known = |known: &AttestedHere| known.sign == sign && known.question == question;
        if self.attested.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        let request = CorpusRequest::Attested { question: question.clone(), sign };
        self.ask_when_rested(self.attesting, request, move |event| {
            if let FindingEvent::Attested(readings) = event {
                self.attested.set(Some(AttestedHere { question: question.clone(), sign, readings }));
            }
        });
    }

    /// Looks up several gaps and calls `told` with the readings once all are done. Gaps that could not be looked up are
    /// missing.
    pub fn look_gaps_up(
        self,
        question: &Question,
        gaps: Vec<SignIndex>,
        told: impl FnOnce(HashMap<SignIndex, Vec<AttestedReading>>) + 'static,
    ) {
        let left = Rc::new(Cell::new(gaps.len()));
        let (found, told) = (Rc::new(RefCell::new(HashMap::new())), Rc::new(Cell::new(Some(told))));
        for sign in gaps {
            let (left, found, told) = (left.clone(), found.clone(), told.clone());
            self.ask(CorpusRequest::Attested { question: question.clone(), sign }, move |event| match event {
                Told::Answer(FindingEvent::Attested(readings)) => drop(found.borrow_mut().insert(sign, readings)),
                Told::Done | Told::Failed(_) => {
                    left.set(left.get().saturating_sub(1));
                    if let Some(told) = (left.get() == 0).then(|| told.take()).flatten() {
                        told(found.take());
                    }
                }
                _ => {}
            });
        }
    }

    /// Looks up parallels of lines, once the selection rests.
    pub fn look_lines_up(self, text: (String, ReadingOptions), lines: Range<usize>) {
        let is_known = |known: &ParallelsHere| known.lines == lines && known.text == text;
        if self.parallels.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        let (source, reading) = text.clone();
        let request = CorpusRequest::Parallels { text: source, reading, lines: lines.clone(), most: PARALLELS };
        self.ask_when_rested(self.comparing, request, move |event| {
            if let FindingEvent::Parallels(found) = event {
                let (text, lines) = (text.clone(), lines.clone());
                self.parallels.set(Some(ParallelsHere { text, lines, found }));
            }
        });
    }

    /// Looks up the words of a text in the lexicon, once typing rests.
    pub fn look_words_up(self, text: (String, ReadingOptions)) {
        if self.glossed.with_untracked(|known| known.as_ref().is_some_and(|known| known.text == text)) {
            return;
        }
        let (source, reading) = text.clone();
        self.ask_when_rested(
            self.glossing,
            CorpusRequest::Gloss { text: source, reading },
            move |WordEvent::Glossed(found)| {
                self.glossed.set(Some(OfText { text: text.clone(), found: Arc::new(found) }));
            },
        );
    }

    /// Looks up the origin of a text, once typing rests.
    pub fn look_origin_up(self, text: (String, ReadingOptions)) {
        if self.attributed.with_untracked(|known| known.as_ref().is_some_and(|known| known.text == text)) {
            return;
        }
        let (source, reading) = text.clone();
        self.ask_when_rested(self.attributing, CorpusRequest::Attribute { text: source, reading }, move |event| {
            if let FindingEvent::Attributed(found) = event {
                self.attributed.set(Some(OfText { text: text.clone(), found }));
            }
        });
    }

    /// Sends a request after a delay, in place of the job's previous request. `found` receives the answer.
    fn ask_when_rested<A: DeserializeOwned + 'static>(
        self,
        job: Job,
        request: CorpusRequest,
        found: impl Fn(A) + 'static,
    ) {
        job.cancel();
        job.debounce(REST, move || {
            job.start(request, move |event| match event {
                Told::Failed(failure) => self.fail(failure),
                Told::Answer(answer) => {
                    self.failure.set(None);
                    found(answer);
                }
                _ => {}
            });
        });
    }

    fn fail(self, failure: Failure) {
        if failure.kind != FailureKind::Cancelled {
            self.failure.set(Some(failure));
        }
    }
}
