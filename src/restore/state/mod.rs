//! State of the workbench: its signals, and the text as read. Requests to the engine are in `session`, the user's steps
//! in `steps`.

pub mod decisions;
pub mod history;
pub mod session;
pub mod start;
pub mod steps;
pub mod work;

use crate::corpora::state::Corpora;
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::engine::shared::Engine;
use crate::frame::notice::Notice;
use crate::frame::page::Page;
use crate::kit::timing::Debounce;
use crate::restore::state::history::History;
use crate::restore::state::work::{AcceptedReading, Mapping, Work};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tuppum_protocol::{Answer, DevicePreference, Failure, GapAnswer, JointReading, ModelRef, Proposal, Question, Task};
use tuppum_text::{Document, ReadingOptions, SignIndex};

/// Size in bytes up to which texts are read at every keystroke; longer ones are read when typing rests.
const MAX_BYTES_READ_AT_ONCE: usize = 20_000;
/// Milliseconds without typing before a long text is read.
const READ_AFTER_MS: u32 = 350;
/// Number of lines that the reading view draws at first; “Show more” adds twice as many.
pub const LINES_AT_ONCE: usize = 150;

/// Origin of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Computed in advance with the shipped model and delivered with the page.
    Stored,
    /// Computed by the engine.
    Engine,
}

/// The answer on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Question that was answered.
    pub question: Question,
    pub answer: Arc<Answer>,
    pub origin: Origin,
    /// `true` if the engine has finished the answer.
    pub complete: bool,
}

/// Influence of each sign on a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// Gap of the proposal.
    pub sign: SignIndex,
    /// Reading of the proposal, as written.
    pub written: String,
    /// Weight of each sign; the strongest has 1.
    pub weights: HashMap<SignIndex, f32>,
}

/// Signals of the workbench; cheap to copy, provided as context.
#[derive(Clone, Copy)]
pub struct Workbench {
    /// The work with its undo steps.
    pub history: RwSignal<History>,
    /// The present work.
    pub work: Memo<Work>,
    /// The view that is shown.
    pub page: RwSignal<Page>,
    /// The text as read.
    pub document: RwSignal<Arc<Document>>,
    /// The selected sign.
    pub selected: RwSignal<Option<SignIndex>>,
    /// The answer on the page.
    pub shown: RwSignal<Option<Shown>>,
    /// The last proposals for gaps that have been filled since.
    pub earlier: RwSignal<HashMap<SignIndex, GapAnswer>>,
    /// Influence of the signs on a proposal, while it is shown.
    pub influence: RwSignal<Option<Influence>>,
    /// The engine, shared by all parts of the page.
    pub engine: Engine,
    /// The restorer in the engine.
    pub restorer: Model,
    /// The corpora in the engine.
    pub corpora: Corpora,
    /// The running request to the restorer.
    pub job: Job,
    /// The failure on the page.
    pub failure: RwSignal<Option<Failure>>,
    /// Gaps of the last request; `None` if it was about all.
    pub only: RwSignal<Option<Vec<SignIndex>>>,
    /// `true` while a restoration waits for the restorer.
    pub queued: RwSignal<bool>,
    /// The latest notice.
    pub notice: RwSignal<Option<Notice>>,
    /// Reason for which the browser does not store the work, if it refuses.
    pub storage_refusal: RwSignal<Option<String>>,
    /// Work set aside for the text of the address.
    pub previous: RwSignal<Option<History>>,
    /// The restorer that comes with the page.
    pub shipped: StoredValue<ModelRef>,
    /// The restorer in use: the shipped one, or one that was trained here.
    pub model: RwSignal<ModelRef>,
    /// Translator named by the address.
    pub translator: StoredValue<Option<ModelRef>>,
    /// `true` if the engine may store weights in the browser.
    pub storing: StoredValue<bool>,
    /// Preferred device.
    pub device: RwSignal<DevicePreference>,
    /// `true` if glyphs are shown with the signs.
    pub glyphs: RwSignal<bool>,
    /// `true` if proposals are listed by sign.
    pub by_sign: RwSignal<bool>,
    /// Maximum number of lines drawn.
    pub lines_drawn: RwSignal<usize>,
    /// Latest complete answers.
    pub(super) answers: StoredValue<Vec<(Question, Arc<Answer>, Origin)>>,
    typing: Debounce,
    /// Options with which the document was read.
    read_as: StoredValue<ReadingOptions>,
}

impl Workbench {
    /// Creates a workbench with this work.
    pub fn new(history: History, shipped: ModelRef, device: DevicePreference) -> Self {
        let reading = history.present.reading;
        let document = Arc::new(Document::read_with(&history.present.text, &reading));
        let (history, engine) = (RwSignal::new(history), Engine::default());
        Self {
            history,
            work: Memo::new(move |_| history.with(|history| history.present.clone())),
            page: RwSignal::new(Page::Workbench),
            document: RwSignal::new(document),
            selected: RwSignal::new(None),
            shown: RwSignal::new(None),
            earlier: RwSignal::new(HashMap::new()),
            influence: RwSignal::new(None),
            engine,
            restorer: Model::new(engine, Task::Restoration),
            corpora: Corpora::new(engine),
            job: Job::new(engine),
            failure: RwSignal::new(None),
            only: RwSignal::new(None),
            queued: RwSignal::new(false),
            notice: RwSignal::new(None),
            storage_refusal: RwSignal::new(None),
            previous: RwSignal::new(None),
            model: RwSignal::new(crate::restore::state::start::restorer(&shipped)),
            shipped: StoredValue::new(shipped),
            translator: StoredValue::new(None),
            storing: StoredValue::new(true),
            device: RwSignal::new(device),
            glyphs: RwSignal::new(false),
            by_sign: RwSignal::new(false),
            lines_drawn: RwSignal::new(LINES_AT_ONCE),
            answers: StoredValue::new(Vec::new()),
            typing: Debounce::new(),
            read_as: StoredValue::new(reading),
        }
    }

    /// Shows a notice.
    pub fn notify(self, notice: Notice) {
        self.notice.set(Some(notice));
    }

    /// Takes over the text of the text field.
    pub fn type_text(self, text: String) {
        let long = text.len() > MAX_BYTES_READ_AT_ONCE;
        // A step keeps the work before it, whose decisions must belong to the text before it.
        if self.history.with_untracked(|history| history.begins_step(&text)) {
            self.read();
        }
        self.history.update(|history| history.type_text(text));
        if long {
            self.typing.start(READ_AFTER_MS, move || self.read());
        } else {
            self.read();
        }
    }

    /// Reads the text if it has changed, and moves all decisions to the new reading.
    pub fn read(self) {
        self.typing.cancel();
        let old = self.document.get_untracked();
        let Some(new) = self.unread() else { return };
        let mapping = Mapping::between(&old, &new);
        if !mapping.is_identity() {
            self.history.update(|history| history.present.carry(&mapping));
            self.carry_view(&mapping);
        }
        self.influence.set(None);
        self.document.set(new);
    }

    /// Reads the present text; `None` if the document is up to date.
    fn unread(self) -> Option<Arc<Document>> {
        let (text, reading) =
            self.history.with_untracked(|history| (history.present.text.clone(), history.present.reading));
        let is_read = reading == self.read_as.get_value();
        if is_read && self.document.with_untracked(|document| document.source == text) {
            return None;
        }
        self.read_as.set_value(reading);
        Some(Arc::new(Document::read_with(&text, &reading)))
    }

    /// Moves answer and selection to an edited text.
    fn carry_view(self, mapping: &Mapping) {
        self.selected.update(|selected| *selected = selected.and_then(|sign| mapping.place(sign)));
        self.only.update(|only| {
            if let Some(only) = only {
                *only = only.iter().filter_map(|sign| mapping.place(*sign)).collect();
            }
        });
        self.earlier.update(|earlier| {
            let moved = earlier.drain().filter_map(|(sign, gap)| mapping.place(sign).map(|place| (place, gap)));
            *earlier = moved.collect();
        });
        self.shown.update(|shown| {
            let Some(shown) = shown else { return };
            let answer = Arc::make_mut(&mut shown.answer);
            answer.joint.clear();
            answer.gaps.retain_mut(|gap| match mapping.place(gap.sign) {
                Some(place) => {
                    gap.sign = place;
                    gap.lengths.iter_mut().flat_map(|length| &mut length.readings).for_each(|r| r.sign = place);
                    true
                }
                None => false,
            });
        });
    }

    /// Reads the text after undo, redo or replacement, and drops answer and selection if it changed.
    pub(super) fn text_changed(self) {
        let Some(new) = self.unread() else { return };
        self.selected.set(None);
        self.shown.set(None);
        self.only.set(None);
        self.influence.set(None);
        self.earlier.update(HashMap::clear);
        self.lines_drawn.set(LINES_AT_ONCE);
        self.document.set(new);
    }

    /// Returns `true` if a gap of the last request has no accepted reading.
    pub fn has_open_gaps(self) -> bool {
        !self.open_gaps(self.only.get().as_deref()).is_empty()
    }

    /// Returns the gaps without an accepted reading: all, or those in `among`.
    pub fn open_gaps(self, among: Option<&[SignIndex]>) -> Vec<SignIndex> {
        let work = self.work.get();
        let is_open =
            |sign: &SignIndex| work.accepted_at(*sign).is_none() && among.is_none_or(|among| among.contains(sign));
        self.gaps().into_iter().filter(is_open).collect()
    }

    /// Returns the numbers of all gaps, also of filled ones.
    pub fn gaps(self) -> Vec<SignIndex> {
        let work = self.work.get();
        let document = self.document.get();
        document.signs().enumerate().filter(|(index, sign)| work.is_gap(*index, sign)).map(|(index, _)| index).collect()
    }

    /// Returns the proposals for a gap: from the answer on the page, or from before the gap was filled.
    pub fn gap_answer(self, sign: SignIndex) -> Option<GapAnswer> {
        let of = |shown: &Shown| shown.answer.gaps.iter().find(|gap| gap.sign == sign).cloned();
        self.shown
            .with(|shown| shown.as_ref().and_then(of))
            .or_else(|| self.earlier.with(|earlier| earlier.get(&sign).cloned()))
    }

    /// Returns the present question. If the corpora could not be opened, the network answers alone. Tracked as a
    /// signal.
    pub fn question(self) -> Question {
        let question = self.work.with(Work::question);
        let contexts = question.contexts && !self.corpora.has_failed();
        let only = self.only.get().map(|only| self.open_gaps(Some(&only)));
        Question { contexts, only, ..question }
    }

    /// Returns `true` if the present question differs from the one that was answered. With every gap filled there is
    /// nothing to ask, so proposals stay valid. Corpora that failed to open since do not make an answer stale.
    pub fn is_stale(self) -> bool {
        let wanted = self.work.with(|work| work.question().contexts);
        let differs = |shown: &Shown| {
            let (asked, now) = (&shown.question, self.question());
            let same_corpora = [now.contexts, wanted].contains(&asked.contexts);
            !same_corpora || *asked != Question { contexts: asked.contexts, ..now }
        };
        self.shown.with(|shown| shown.as_ref().is_some_and(differs)) && self.has_open_gaps()
    }
}

impl From<&Proposal> for AcceptedReading {
    fn from(proposal: &Proposal) -> Self {
        Self {
            reading: proposal.reading.clone(),
            written: proposal.written.clone(),
            glyph: proposal.glyph.clone(),
            starts_word: proposal.starts_word,
            probability: proposal.probability,
        }
    }
}

impl From<&JointReading> for AcceptedReading {
    fn from(reading: &JointReading) -> Self {
        Self {
            reading: reading.reading.clone(),
            written: reading.written.clone(),
            glyph: reading.glyph.clone(),
            starts_word: reading.starts_word,
            probability: reading.probability,
        }
    }
}
