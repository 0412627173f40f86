//! The state of the workbench: its signals, and the text as it is read. What is asked of the engine is in `session`,
//! the steps that a user can take are in `steps`.

use super::history::History;
use super::shown::{Origin, Shown};
use super::work::{AcceptedReading, Mapping, Work};
use crate::corpora::state::Corpora;
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::engine::shared::Engine;
use crate::kit::timing::Debounce;
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tuppum_protocol::{Answer, DevicePreference, Failure, GapAnswer, JointReading, ModelRef, Proposal, Question, Task};
use tuppum_text::{Document, ReadingOptions, SignIndex};

/// Texts up to this many bytes are read at every keystroke, longer ones when the typing rests.
const READ_AT_ONCE: usize = 20_000;
/// How long typing must rest before a long text is read, in milliseconds.
const REST: u32 = 350;
/// How many lines the reading view draws at first, and how many more at a time.
pub const LINES_AT_ONCE: usize = 150;

/// A part of the page that fills it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Where texts are restored.
    Workbench,
    /// The sign tree on the disk.
    Tree,
    /// What the translator looks at.
    Attention,
    /// The lesson.
    Learn,
    /// Training on the user's own corpus.
    Train,
    /// The models that the browser keeps.
    Models,
}

/// A sentence that confirms something or says that it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What happened.
    pub text: String,
    /// Whether it failed.
    pub failed: bool,
}

impl Notice {
    /// Something worked.
    pub fn done(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: false }
    }

    /// Something failed.
    pub fn failure(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: true }
    }
}

/// How much each sign moved a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// The gap asked about.
    pub sign: SignIndex,
    /// The reading asked about, as written.
    pub written: String,
    /// Weight of each sign, 1 the strongest.
    pub weights: HashMap<SignIndex, f32>,
}

/// The signals of the workbench; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Workbench {
    /// The work with its undo steps.
    pub history: RwSignal<History>,
    /// The present work.
    pub work: Memo<Work>,
    /// Which part of the page is shown.
    pub page: RwSignal<Page>,
    /// The text as read.
    pub document: RwSignal<Arc<Document>>,
    /// The sign whose proposals are open.
    pub selected: RwSignal<Option<SignIndex>>,
    /// The answer on the page.
    pub shown: RwSignal<Option<Shown>>,
    /// The last proposals for gaps that have been filled since.
    pub earlier: RwSignal<HashMap<SignIndex, GapAnswer>>,
    /// Which signs a proposal leaned on.
    pub influence: RwSignal<Option<Influence>>,
    /// The engine, which all parts of the page share.
    pub engine: Engine,
    /// The restorer in the engine.
    pub restorer: Model,
    /// The corpora in the engine.
    pub corpora: Corpora,
    /// What the restorer was asked.
    pub job: Job,
    /// What went wrong.
    pub failure: RwSignal<Option<Failure>>,
    /// The gaps that were asked about last; none where all were.
    pub only: RwSignal<Option<Vec<SignIndex>>>,
    /// Whether a restoration waits for the restorer.
    pub queued: RwSignal<bool>,
    /// The newest confirmation.
    pub notice: RwSignal<Option<Notice>>,
    /// Why the browser does not keep the work, if so.
    pub storage_refusal: RwSignal<Option<String>>,
    /// Work set aside for the text of the address.
    pub previous: RwSignal<Option<History>>,
    /// The restorer that comes with the page.
    pub shipped: StoredValue<ModelRef>,
    /// The restorer in use: that one, or one that was trained here.
    pub model: RwSignal<ModelRef>,
    /// The translator that the address asked for, if it did.
    pub translator: StoredValue<Option<ModelRef>>,
    /// Whether the engine may keep the weights in the browser.
    pub storing: StoredValue<bool>,
    /// Which device the user wants.
    pub device: RwSignal<DevicePreference>,
    /// Whether glyphs stand above the signs.
    pub glyphs: RwSignal<bool>,
    /// Whether proposals are listed by sign.
    pub by_sign: RwSignal<bool>,
    /// How many lines of the text are drawn.
    pub lines_drawn: RwSignal<usize>,
    /// The newest complete answers.
    pub(super) answers: StoredValue<Vec<(Question, Arc<Answer>, Origin)>>,
    typing: Debounce,
    /// How the document was read.
    read_as: StoredValue<ReadingOptions>,
}

impl Workbench {
    /// A workbench that begins with this work.
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
            model: RwSignal::new(super::restorer_choice::begin(&shipped)),
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

    /// Shows a sentence to the user.
    pub fn notify(self, notice: Notice) {
        self.notice.set(Some(notice));
    }

    /// Takes over what stands in the text field.
    pub fn type_text(self, text: String) {
        let long = text.len() > READ_AT_ONCE;
        // A step keeps the work before it, whose decisions must then be those of its text.
        if self.history.with_untracked(|history| history.begins_step(&text)) {
            self.read();
        }
        self.history.update(|history| history.type_text(text));
        if long {
            self.typing.start(REST, move || self.read());
        } else {
            self.read();
        }
    }

    /// Reads the text now if it has changed, and takes all decisions over to it.
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

    /// The present text as read, if it, or the way in which it is to be read, is another than that of the document.
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

    /// Takes the answer and the selection over to an edited text.
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

    /// Draws a text anew after undo, redo or replacement, when it is not the one that was read.
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

    /// Whether a gap of those asked about waits for a reading.
    pub fn has_open_gaps(self) -> bool {
        !self.open_gaps(self.only.get().as_deref()).is_empty()
    }

    /// The gaps among some, or among all, that wait for a reading.
    pub fn open_gaps(self, among: Option<&[SignIndex]>) -> Vec<SignIndex> {
        let work = self.work.get();
        let is_open =
            |sign: &SignIndex| work.accepted_at(*sign).is_none() && among.is_none_or(|among| among.contains(sign));
        self.gaps().into_iter().filter(is_open).collect()
    }

    /// The numbers of all gaps, filled ones included.
    pub fn gaps(self) -> Vec<SignIndex> {
        let work = self.work.get();
        let document = self.document.get();
        document.signs().enumerate().filter(|(index, sign)| work.is_gap(*index, sign)).map(|(index, _)| index).collect()
    }

    /// The proposals for a gap: of the answer on the page, or from before it was filled.
    pub fn gap_answer(self, sign: SignIndex) -> Option<GapAnswer> {
        let of = |shown: &Shown| shown.answer.gaps.iter().find(|gap| gap.sign == sign).cloned();
        self.shown
            .with(|shown| shown.as_ref().and_then(of))
            .or_else(|| self.earlier.with(|earlier| earlier.get(&sign).cloned()))
    }

    /// The question that the present work puts to the engine. Where the corpora could not be opened, the network
    /// answers alone. Followed as a signal.
    pub fn question(self) -> Question {
        let question = self.work.with(Work::question);
        let contexts = question.contexts && !self.corpora.has_failed();
        let only = self.only.get().map(|only| self.open_gaps(Some(&only)));
        Question { contexts, only, ..question }
    }

    /// Whether the answer on the page answers another question than the one that stands there now. With every gap
    /// filled there is nothing to ask, and what was proposed stays as it was. That the corpora could not be opened
    /// since is no change of the user's.
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
