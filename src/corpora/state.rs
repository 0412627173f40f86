//! State of the corpora in the worker, and the look-ups while a text is worked on: the selected gap, its line, words,
//! origin.

use crate::engine::Engine;
use crate::engine::job::{Job, TimedProgress};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use tuppum_protocol::{
    AttestedReading, Attribution, CorpusEvent, CorpusReport, CorpusRequest, Cover, Failure, FailureKind, FindingEvent,
    GlossedLine, ModelRef, OpenCorpora, OwnArchive, OwnArchives, ParallelPassages, PassageEvent, Question,
    RememberedTranslation, Reply, WordEvent,
};
use tuppum_text::{ReadingOptions, SignIndex};

/// Corpora that come with the page.
pub const CORPORA: ModelRef = ModelRef::shipped("models/corpus/");

/// Results by source text as the translator reads it; `None` while a result is being looked up.
pub type AnswersBySource<T> = RwSignal<HashMap<String, Option<Arc<T>>>>;

/// State of the corpora.
#[derive(Clone, Debug, PartialEq)]
pub enum CorpusState {
    /// Not asked for, or stopped by the user.
    Closed,
    /// Being fetched and read.
    Opening,
    /// Open.
    Ready(CorpusReport),
    /// Failed to open.
    Failed(Failure),
}

/// Attested readings for a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct AttestedForGap {
    /// Question that describes the text and its fillings.
    pub question: Question,
    /// The gap.
    pub sign: SignIndex,
    /// Readings, most likely first.
    pub readings: Vec<AttestedReading>,
}

/// Lines of a text with their parallels.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelsOfLines {
    /// The text and the options for reading it.
    pub text: (String, ReadingOptions),
    /// Lines of the text, counted from 0.
    pub lines: Range<usize>,
    /// The most similar passages.
    pub found: ParallelPassages,
}

/// Result for a whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextResult<T> {
    /// The text and the options for reading it.
    pub text: (String, ReadingOptions),
    /// The result.
    pub found: T,
}

/// The corpora as the page knows them; cheap to copy, a part of the workbench.
#[derive(Clone, Copy)]
pub struct Corpora {
    /// Present state.
    pub state: RwSignal<CorpusState>,
    /// Attested readings for the selected gap.
    pub attested: RwSignal<Option<AttestedForGap>>,
    /// Parallels of some lines.
    pub parallels: RwSignal<Option<ParallelsOfLines>>,
    /// Words of a text with their glosses, and the names among them.
    pub glossed: RwSignal<Option<TextResult<Arc<Vec<GlossedLine>>>>>,
    /// Likely origin of a text.
    pub attributed: RwSignal<Option<TextResult<Attribution>>>,
    /// Published translations nearest to passages.
    pub remembered: AnswersBySource<RememberedTranslation>,
    /// Passages covered by clauses of the formulary.
    pub covers: AnswersBySource<Cover>,
    /// The user's own archives; `None` until the engine has listed them.
    pub own: RwSignal<Option<OwnArchives>>,
    /// Archive to keep once the user has named it.
    pub to_keep: RwSignal<Option<OwnArchive>>,
    /// Archive to delete once the user has agreed.
    pub to_forget: RwSignal<Option<String>>,
    /// Failure of the last look-up.
    pub failure: RwSignal<Option<Failure>>,
    pub(super) attesting: Job,
    pub(super) comparing: Job,
    pub(super) glossing: Job,
    pub(super) attributing: Job,
    opening: Job,
    engine: Engine,
    /// Number of the worker in which the corpora were opened.
    worker: StoredValue<u32>,
}

impl Corpora {
    /// Creates closed corpora.
    pub fn new(engine: Engine) -> Self {
        Self {
            state: RwSignal::new(CorpusState::Closed),
            attested: RwSignal::new(None),
            parallels: RwSignal::new(None),
            glossed: RwSignal::new(None),
            attributed: RwSignal::new(None),
            remembered: RwSignal::new(HashMap::new()),
            covers: RwSignal::new(HashMap::new()),
            own: RwSignal::new(None),
            to_keep: RwSignal::new(None),
            to_forget: RwSignal::new(None),
            failure: RwSignal::new(None),
            attesting: Job::new(engine),
            comparing: Job::new(engine),
            glossing: Job::new(engine),
            attributing: Job::new(engine),
            opening: Job::new(engine),
            engine,
            worker: StoredValue::new(0),
        }
    }

    /// Opens the corpora. `ended` is called with the outcome.
    pub fn open(self, store: bool, mut ended: impl FnMut(Result<(), Failure>) + 'static) {
        self.state.set(CorpusState::Opening);
        // Failed look-ups are repeated.
        self.failure.set(None);
        let mut report = None;
        self.opening.start(CorpusRequest::Open(OpenCorpora { corpora: CORPORA, store }), move |event| match event {
            Reply::Answer(CorpusEvent::Corpus(found)) => report = Some(found),
            Reply::Answer(CorpusEvent::Own(found)) => self.own.set(Some(found)),
            Reply::Done => {
                self.state.set(report.take().map_or(CorpusState::Closed, CorpusState::Ready));
                ended(Ok(()));
            }
            Reply::Failed(failure) => {
                self.state.set(match failure.kind {
                    FailureKind::Cancelled => CorpusState::Closed,
                    _ => CorpusState::Failed(failure.clone()),
                });
                ended(Err(failure));
            }
            _ => {}
        });
        self.worker.set_value(self.engine.worker_number());
    }

    /// Looks up something about a passage, once. `found` extracts the result from the answer. A failed look-up is
    /// repeated when the passage is drawn again.
    pub(super) fn look_up<T: Send + Sync + 'static>(
        self,
        source: &str,
        answers: AnswersBySource<T>,
        request: fn(String) -> CorpusRequest,
        found: fn(PassageEvent) -> Option<T>,
    ) {
        if answers.with_untracked(|all| all.contains_key(source)) {
            return;
        }
        let source = source.to_owned();
        answers.update(|all| drop(all.insert(source.clone(), None)));
        self.engine.ask(request(source.clone()), move |event| match event {
            Reply::Failed(_) => answers.update(|all| drop(all.remove(&source))),
            Reply::Answer(event) => {
                if let Some(answer) = found(event) {
                    answers.update(|all| drop(all.insert(source.clone(), Some(Arc::new(answer)))));
                }
            }
            _ => {}
        });
    }

    /// Returns `true` if the user keeps lists of names. Not tracked.
    pub fn has_own_names(self) -> bool {
        let has = |own: &OwnArchives| own.archives.iter().any(|archive| archive.names > 0);
        self.own.with_untracked(|own| own.as_ref().is_some_and(has))
    }

    /// Sends a request outside the jobs of this state.
    pub(crate) fn ask<A: DeserializeOwned + 'static>(
        self,
        request: CorpusRequest,
        handle: impl FnMut(Reply<A>) + 'static,
    ) {
        self.engine.ask(request, handle);
    }

    /// Stops opening at the user's request.
    pub fn stop_opening(self) {
        self.opening.stop();
    }

    /// Returns the progress of opening. Tracked as a signal.
    pub fn progress(self) -> Option<TimedProgress> {
        self.opening.progress()
    }

    /// Returns `true` if the corpora can be asked. Tracked as a signal, which also changes with the user's own
    /// archives, so that results are looked up again.
    pub fn is_ready(self) -> bool {
        self.own.track();
        self.state.with(|state| matches!(state, CorpusState::Ready(_)))
    }

    /// Returns `true` while the corpora are being opened. Not tracked.
    pub fn is_opening(self) -> bool {
        self.state.with_untracked(|state| *state == CorpusState::Opening)
    }

    /// Returns `true` if the corpora could not be opened. Tracked as a signal.
    pub fn has_failed(self) -> bool {
        self.state.with(|state| matches!(state, CorpusState::Failed(_)))
    }

    /// Returns `true` if the corpora must be opened before they can be asked: never opened, or lost with their worker.
    /// Not tracked.
    pub fn is_to_open(self) -> bool {
        let is_lost = || self.worker.get_value() != self.engine.worker_number();
        self.state.with_untracked(|state| match state {
            CorpusState::Closed => true,
            CorpusState::Ready(_) | CorpusState::Opening => is_lost(),
            CorpusState::Failed(_) => false,
        })
    }
}

/// Milliseconds without a new selection before it is looked up.
const LOOK_UP_AFTER_MS: u32 = 120;
/// Maximum number of parallels.
const MAX_PARALLELS: usize = 8;

impl Corpora {
    /// Looks up a gap, once the selection rests.
    pub fn look_gap_up(self, question: Question, sign: SignIndex) {
        let is_known = |known: &AttestedForGap| known.sign == sign && known.question == question;
        if self.attested.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        let request = CorpusRequest::Attested { question: question.clone(), sign };
        self.ask_when_rested(self.attesting, request, move |event| {
            if let FindingEvent::Attested(readings) = event {
                self.attested.set(Some(AttestedForGap { question: question.clone(), sign, readings }));
            }
        });
    }

    /// Looks up several gaps and calls `done` with the readings after the last answer. Gaps that could not be looked up
    /// are missing.
    pub fn look_gaps_up(
        self,
        question: &Question,
        gaps: Vec<SignIndex>,
        done: impl FnOnce(HashMap<SignIndex, Vec<AttestedReading>>) + 'static,
    ) {
        let left = Rc::new(Cell::new(gaps.len()));
        let (found, done) = (Rc::new(RefCell::new(HashMap::new())), Rc::new(Cell::new(Some(done))));
        for sign in gaps {
            let (left, found, done) = (left.clone(), found.clone(), done.clone());
            self.ask(CorpusRequest::Attested { question: question.clone(), sign }, move |event| match event {
                Reply::Answer(FindingEvent::Attested(readings)) => drop(found.borrow_mut().insert(sign, readings)),
                Reply::Done | Reply::Failed(_) => {
                    left.set(left.get().saturating_sub(1));
                    if let Some(done) = (left.get() == 0).then(|| done.take()).flatten() {
                        done(found.take());
                    }
                }
                _ => {}
            });
        }
    }

    /// Looks up parallels of lines, once the selection rests.
    pub fn look_lines_up(self, text: (String, ReadingOptions), lines: Range<usize>) {
        let is_known = |known: &ParallelsOfLines| known.lines == lines && known.text == text;
        if self.parallels.with_untracked(|known| known.as_ref().is_some_and(is_known)) {
            return;
        }
        let (source, reading) = text.clone();
        let request = CorpusRequest::Parallels { text: source, reading, lines: lines.clone(), most: MAX_PARALLELS };
        self.ask_when_rested(self.comparing, request, move |event| {
            if let FindingEvent::Parallels(found) = event {
                let (text, lines) = (text.clone(), lines.clone());
                self.parallels.set(Some(ParallelsOfLines { text, lines, found }));
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
                self.glossed.set(Some(TextResult { text: text.clone(), found: Arc::new(found) }));
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
                self.attributed.set(Some(TextResult { text: text.clone(), found }));
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
        job.debounce(LOOK_UP_AFTER_MS, move || {
            job.start(request, move |event| match event {
                Reply::Failed(failure) => self.fail(failure),
                Reply::Answer(answer) => {
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
