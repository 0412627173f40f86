//! What is asked of the corpora while a text is worked on: the gap that is selected, and the line that it stands in.

use super::state::{AttestedHere, Corpora, OfText, ParallelsHere};
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{AttestedReading, CorpusRequest, Event, Failure, FailureKind, Question};
use tuppum_text::{ReadingOptions, SignIndex};

/// How long a selection must rest before it is looked up, in milliseconds.
const REST: u32 = 120;
/// How many parallels are shown.
const PARALLELS: usize = 8;

impl Corpora {
    /// Looks a gap up, once the selection rests.
    pub fn look_gap_up(self, question: Question, sign: SignIndex) {
        let is_known = |known: &AttestedHere| known.sign == sign && known.question == question;
        if self.attested.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        self.attesting.cancel();
        self.attesting.debounce(REST, move || {
            let asked = question.clone();
            let request = CorpusRequest::Attested { question, sign };
            self.attesting.start(request, move |event| match event {
                Event::Attested(readings) => {
                    self.failure.set(None);
                    self.attested.set(Some(AttestedHere { question: asked.clone(), sign, readings }));
                }
                Event::Failed(failure) => self.fail(failure),
                _ => {}
            });
        });
    }

    /// Looks several gaps up, and tells what was found when all have been; a gap that could not be looked up is left
    /// out.
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
            self.ask_attested(CorpusRequest::Attested { question: question.clone(), sign }, move |event| match event {
                Event::Attested(readings) => drop(found.borrow_mut().insert(sign, readings)),
                Event::Done | Event::Failed(_) => {
                    left.set(left.get().saturating_sub(1));
                    if let Some(told) = (left.get() == 0).then(|| told.take()).flatten() {
                        told(found.take());
                    }
                }
                _ => {}
            });
        }
    }

    /// Looks lines of a text up, once the selection rests.
    pub fn look_lines_up(self, text: (String, ReadingOptions), lines: Range<usize>) {
        let is_known = |known: &ParallelsHere| known.lines == lines && known.text == text;
        if self.parallels.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        self.comparing.cancel();
        self.comparing.debounce(REST, move || {
            let asked = (text.clone(), lines.clone());
            let (text, reading) = text;
            let request = CorpusRequest::Parallels { text, reading, lines, most: PARALLELS };
            self.comparing.start(request, move |event| match event {
                Event::Parallels(found) => {
                    let (text, lines) = asked.clone();
                    self.failure.set(None);
                    self.parallels.set(Some(ParallelsHere { text, lines, found }));
                }
                Event::Failed(failure) => self.fail(failure),
                _ => {}
            });
        });
    }

    /// Looks the words of a text up in the lexicon, once the typing rests.
    pub fn look_words_up(self, text: (String, ReadingOptions)) {
        if self.glossed.with_untracked(|known| known.as_ref().is_some_and(|known| known.text == text)) {
            return;
        }
        self.glossing.cancel();
        self.glossing.debounce(REST, move || {
            let (asked, (text, reading)) = (text.clone(), text);
            self.glossing.start(CorpusRequest::Gloss { text, reading }, move |event| match event {
                Event::Glossed(found) => {
                    self.failure.set(None);
                    self.glossed.set(Some(OfText { text: asked.clone(), found: Arc::new(found) }));
                }
                Event::Failed(failure) => self.fail(failure),
                _ => {}
            });
        });
    }

    /// Finds where a text may be from, once the typing rests.
    pub fn look_origin_up(self, text: (String, ReadingOptions)) {
        if self.attributed.with_untracked(|known| known.as_ref().is_some_and(|known| known.text == text)) {
            return;
        }
        self.attributing.cancel();
        self.attributing.debounce(REST, move || {
            let (asked, (text, reading)) = (text.clone(), text);
            self.attributing.start(CorpusRequest::Attribute { text, reading }, move |event| match event {
                Event::Attributed(found) => {
                    self.failure.set(None);
                    self.attributed.set(Some(OfText { text: asked.clone(), found }));
                }
                Event::Failed(failure) => self.fail(failure),
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
