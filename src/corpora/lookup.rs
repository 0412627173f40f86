//! What is asked of the corpora while a text is worked on: the gap that is selected, and the line that it stands in.

use super::state::{AttestedHere, Corpora, ParallelsHere};
use leptos::prelude::*;
use std::ops::Range;
use tuppum_protocol::{CorpusRequest, Event, Failure, FailureKind, Question};
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

    fn fail(self, failure: Failure) {
        if failure.kind != FailureKind::Cancelled {
            self.failure.set(Some(failure));
        }
    }
}
