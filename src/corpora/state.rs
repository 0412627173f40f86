//! Whether the corpora are open in the worker, and what was looked up in them.

use crate::engine::job::{Job, TimedProgress};
use crate::engine::shared::Engine;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use tuppum_protocol::{
    AttestedReading, Attribution, CorpusEvent, CorpusReport, CorpusRequest, Cover, Failure, FailureKind, GlossedLine,
    ModelRef, OpenCorpora, OwnArchive, OwnArchives, ParallelPassages, PassageEvent, Question, RememberedTranslation,
    Told,
};
use tuppum_text::{ReadingOptions, SignIndex};

/// The corpora that come with the page.
pub const CORPORA: ModelRef = ModelRef::shipped("models/corpus/");

/// What is known of passages, by what the translator reads of them; `None` while it is looked up.
pub type AnswersBySource<T> = RwSignal<HashMap<String, Option<Arc<T>>>>;

/// How the corpora are.
#[derive(Clone, Debug, PartialEq)]
pub enum CorpusState {
    /// Not asked for, or stopped by the user.
    Closed,
    /// Being fetched and read.
    Opening,
    /// Open.
    Ready(CorpusReport),
    /// They could not be opened.
    Failed(Failure),
}

/// What stands elsewhere in the place of a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct AttestedHere {
    /// The text and what was filled.
    pub question: Question,
    /// The gap.
    pub sign: SignIndex,
    /// The likeliest first.
    pub readings: Vec<AttestedReading>,
}

/// Lines of a text, and the passages that are like them.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelsHere {
    /// The text, and how it is read.
    pub text: (String, ReadingOptions),
    /// Its lines, counted from 0.
    pub lines: Range<usize>,
    /// The likest passages.
    pub found: ParallelPassages,
}

/// What was found for a whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct OfText<T> {
    /// The text, and how it is read.
    pub text: (String, ReadingOptions),
    /// What was found.
    pub found: T,
}

/// The corpora as the page knows them; copied freely, a part of the workbench.
#[derive(Clone, Copy)]
pub struct Corpora {
    /// How they are.
    pub state: RwSignal<CorpusState>,
    /// What was found for the gap that is selected.
    pub attested: RwSignal<Option<AttestedHere>>,
    /// What was found for some lines.
    pub parallels: RwSignal<Option<ParallelsHere>>,
    /// The words of a text with their glosses, and the names among them.
    pub glossed: RwSignal<Option<OfText<Arc<Vec<GlossedLine>>>>>,
    /// Where a text may be from.
    pub attributed: RwSignal<Option<OfText<Attribution>>>,
    /// The published translations nearest to passages, by what the translator reads; none while they are looked up.
    pub remembered: AnswersBySource<RememberedTranslation>,
    /// Passages covered by clauses of the formulary, by what the translator reads; none while they are looked up.
    pub covers: AnswersBySource<Cover>,
    /// The archives of the user's own; none until the engine has told.
    pub own: RwSignal<Option<OwnArchives>>,
    /// What is to be kept as an archive, once the user has named it.
    pub to_keep: RwSignal<Option<OwnArchive>>,
    /// The archive that is to be forgotten, once the user has agreed.
    pub to_forget: RwSignal<Option<String>>,
    /// Why the last look-up failed.
    pub failure: RwSignal<Option<Failure>>,
    pub(super) attesting: Job,
    pub(super) comparing: Job,
    pub(super) glossing: Job,
    pub(super) attributing: Job,
    opening: Job,
    engine: Engine,
    /// The worker that they were opened in.
    worker: StoredValue<u32>,
}

impl Corpora {
    /// Closed.
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

    /// Opens the corpora; `ended` is told when they are open, or why they are not.
    pub fn open(self, store: bool, mut ended: impl FnMut(Result<(), Failure>) + 'static) {
        self.state.set(CorpusState::Opening);
        // What failed is looked up anew.
        self.failure.set(None);
        let mut report = None;
        self.opening.start(CorpusRequest::Open(OpenCorpora { corpora: CORPORA, store }), move |event| match event {
            Told::Answer(CorpusEvent::Corpus(found)) => report = Some(found),
            Told::Answer(CorpusEvent::Own(found)) => self.own.set(Some(found)),
            Told::Done => {
                self.state.set(report.take().map_or(CorpusState::Closed, CorpusState::Ready));
                ended(Ok(()));
            }
            Told::Failed(failure) => {
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

    /// Looks something up about a passage, once. `found` takes it out of the answer. What fails is asked again when the
    /// passage is drawn again.
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
            Told::Failed(_) => answers.update(|all| drop(all.remove(&source))),
            Told::Answer(event) => {
                if let Some(answer) = found(event) {
                    answers.update(|all| drop(all.insert(source.clone(), Some(Arc::new(answer)))));
                }
            }
            _ => {}
        });
    }

    /// Whether the user keeps lists of names; not followed.
    pub fn has_own_names(self) -> bool {
        let has = |own: &OwnArchives| own.archives.iter().any(|archive| archive.names > 0);
        self.own.with_untracked(|own| own.as_ref().is_some_and(has))
    }

    /// Asks beside what the page shows.
    pub(crate) fn ask<A: DeserializeOwned + 'static>(
        self,
        request: CorpusRequest,
        heard: impl FnMut(Told<A>) + 'static,
    ) {
        self.engine.ask(request, heard);
    }

    /// Stops opening, at the user's wish.
    pub fn stop_opening(self) {
        self.opening.stop();
    }

    /// How far the opening is. Followed as a signal.
    pub fn progress(self) -> Option<TimedProgress> {
        self.opening.progress()
    }

    /// Whether they can be asked. Followed as a signal, which speaks also when other texts of the user's own stand
    /// beside them: then what was found is asked for anew.
    pub fn is_ready(self) -> bool {
        self.own.track();
        self.state.with(|state| matches!(state, CorpusState::Ready(_)))
    }

    /// Whether they are on their way; not followed.
    pub fn is_opening(self) -> bool {
        self.state.with_untracked(|state| *state == CorpusState::Opening)
    }

    /// Whether they could not be opened. Followed as a signal.
    pub fn has_failed(self) -> bool {
        self.state.with(|state| matches!(state, CorpusState::Failed(_)))
    }

    /// Whether they must be opened before they can be asked: never asked for, or lost with their worker; not followed.
    pub fn is_to_open(self) -> bool {
        let is_lost = || self.worker.get_value() != self.engine.worker_number();
        self.state.with_untracked(|state| match state {
            CorpusState::Closed => true,
            CorpusState::Ready(_) | CorpusState::Opening => is_lost(),
            CorpusState::Failed(_) => false,
        })
    }
}
