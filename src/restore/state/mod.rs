//! State of the workbench: the text, restoring, the device with its models. Requests to the engine are in `session`,
//! the user's steps in `steps`.

pub mod decisions;
pub mod history;
pub mod restoring;
pub mod session;
pub mod start;
pub mod steps;
pub mod text;
pub mod work;

use crate::corpora::state::Corpora;
use crate::engine::Engine;
use crate::frame::notice::Notice;
use crate::frame::page::Page;
use crate::restore::state::history::History;
use crate::restore::state::restoring::{Restoring, ShownAnswer};
use crate::restore::state::text::{LINES_AT_ONCE, Text};
use crate::restore::state::work::{Mapping, Work};
use leptos::prelude::*;
use tuppum_protocol::{DevicePreference, ModelRef, Question};

/// Size in bytes up to which texts are read at every keystroke; longer ones are read when typing rests.
const MAX_BYTES_READ_AT_ONCE: usize = 20_000;
/// Milliseconds without typing before a long text is read.
const READ_AFTER_MS: u32 = 350;

/// The device and the models to open on it; cheap to copy, a part of the workbench.
#[derive(Clone, Copy)]
pub struct Device {
    /// Preferred device.
    pub preference: RwSignal<DevicePreference>,
    /// `true` if the engine may store weights in the browser.
    pub storing: StoredValue<bool>,
    /// The restorer that comes with the page.
    pub shipped: StoredValue<ModelRef>,
    /// The restorer in use: the shipped one, or one that was trained here.
    pub model: RwSignal<ModelRef>,
    /// Translator named by the address.
    pub translator: StoredValue<Option<ModelRef>>,
}

/// State of the workbench and of what all parts of the page share; cheap to copy, provided as context.
#[derive(Clone, Copy)]
pub struct Workbench {
    pub text: Text,
    pub restoring: Restoring,
    pub device: Device,
    /// The corpora in the engine.
    pub corpora: Corpora,
    /// The engine, shared by all parts of the page.
    pub engine: Engine,
    /// The view that is shown.
    pub page: RwSignal<Page>,
    /// The latest notice.
    pub notice: RwSignal<Option<Notice>>,
    /// Reason for which the browser does not store the work, if it refuses.
    pub storage_refusal: RwSignal<Option<String>>,
}

impl Workbench {
    /// Creates a workbench with this work.
    pub fn new(history: History, shipped: ModelRef, device: DevicePreference) -> Self {
        let engine = Engine::default();
        Self {
            text: Text::new(history),
            restoring: Restoring::new(engine),
            device: Device {
                preference: RwSignal::new(device),
                storing: StoredValue::new(true),
                model: RwSignal::new(start::restorer(&shipped)),
                shipped: StoredValue::new(shipped),
                translator: StoredValue::new(None),
            },
            corpora: Corpora::new(engine),
            engine,
            page: RwSignal::new(Page::Workbench),
            notice: RwSignal::new(None),
            storage_refusal: RwSignal::new(None),
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
        if self.text.history.with_untracked(|history| history.begins_step(&text)) {
            self.read();
        }
        self.text.history.update(|history| history.type_text(text));
        if long {
            self.text.typing.start(READ_AFTER_MS, move || self.read());
        } else {
            self.read();
        }
    }

    /// Reads the text if it has changed, and moves all decisions to the new reading.
    pub fn read(self) {
        self.text.typing.cancel();
        let old = self.text.document.get_untracked();
        let Some(new) = self.text.unread() else { return };
        let mapping = Mapping::between(&old, &new);
        if !mapping.is_identity() {
            self.text.carry(&mapping);
            self.restoring.carry(&mapping);
        }
        self.restoring.influence.set(None);
        self.text.document.set(new);
    }

    /// Reads the text after undo, redo or replacement, and drops answer and selection if it changed.
    fn text_changed(self) {
        let Some(new) = self.text.unread() else { return };
        self.text.selected.set(None);
        self.restoring.clear();
        self.text.lines_drawn.set(LINES_AT_ONCE);
        self.text.document.set(new);
    }

    /// Returns `true` if a gap of the last request has no accepted reading.
    pub fn has_open_gaps(self) -> bool {
        !self.text.open_gaps(self.restoring.only.get().as_deref()).is_empty()
    }

    /// Returns the present question. If the corpora could not be opened, the network answers alone. Tracked as a
    /// signal.
    pub fn question(self) -> Question {
        let question = self.text.work.with(Work::question);
        let contexts = question.contexts && !self.corpora.has_failed();
        let only = self.restoring.only.get().map(|only| self.text.open_gaps(Some(&only)));
        Question { contexts, only, ..question }
    }

    /// Returns `true` if the present question differs from the one that was answered. With every gap filled there is
    /// nothing to ask, so proposals stay valid. Corpora that failed to open since do not make an answer stale.
    pub fn is_stale(self) -> bool {
        let wanted = self.text.work.with(|work| work.question().contexts);
        let differs = |shown: &ShownAnswer| {
            let (asked, now) = (&shown.question, self.question());
            let same_corpora = [now.contexts, wanted].contains(&asked.contexts);
            !same_corpora || *asked != Question { contexts: asked.contexts, ..now }
        };
        self.restoring.shown.with(|shown| shown.as_ref().is_some_and(differs)) && self.has_open_gaps()
    }
}
