//! The text on the workbench: the work on it, the text as read, the selected sign, and how much of it is shown.

use crate::kit::timing::Debounce;
use crate::restore::state::history::History;
use crate::restore::state::work::{Mapping, Work};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_text::{Document, ReadingOptions, SignIndex};

/// Number of lines that the reading view draws at first; “Show more” adds twice as many.
pub const LINES_AT_ONCE: usize = 150;

/// Signals of the text; cheap to copy, a part of the workbench.
#[derive(Clone, Copy)]
pub struct Text {
    /// The work with its undo steps.
    pub history: RwSignal<History>,
    /// The present work.
    pub work: Memo<Work>,
    /// The text as read.
    pub document: RwSignal<Arc<Document>>,
    /// The selected sign.
    pub selected: RwSignal<Option<SignIndex>>,
    /// `true` if glyphs are shown with the signs.
    pub glyphs: RwSignal<bool>,
    /// Maximum number of lines drawn.
    pub lines_drawn: RwSignal<usize>,
    /// Work set aside for the text of the address.
    pub previous: RwSignal<Option<History>>,
    pub(super) typing: Debounce,
    /// Options with which the document was read.
    read_as: StoredValue<ReadingOptions>,
}

impl Text {
    /// Creates the state of a text that begins with this work.
    pub fn new(history: History) -> Self {
        let reading = history.present.reading;
        let document = Arc::new(Document::read_with(&history.present.text, &reading));
        let history = RwSignal::new(history);
        Self {
            history,
            work: Memo::new(move |_| history.with(|history| history.present.clone())),
            document: RwSignal::new(document),
            selected: RwSignal::new(None),
            glyphs: RwSignal::new(false),
            lines_drawn: RwSignal::new(LINES_AT_ONCE),
            previous: RwSignal::new(None),
            typing: Debounce::new(),
            read_as: StoredValue::new(reading),
        }
    }

    /// Reads the present text; `None` if the document is up to date.
    pub(super) fn unread(self) -> Option<Arc<Document>> {
        let (text, reading) =
            self.history.with_untracked(|history| (history.present.text.clone(), history.present.reading));
        let is_read = reading == self.read_as.get_value();
        if is_read && self.document.with_untracked(|document| document.source == text) {
            return None;
        }
        self.read_as.set_value(reading);
        Some(Arc::new(Document::read_with(&text, &reading)))
    }

    /// Moves decisions and selection to an edited text.
    pub(super) fn carry(self, mapping: &Mapping) {
        self.history.update(|history| history.present.carry(mapping));
        self.selected.update(|selected| *selected = selected.and_then(|sign| mapping.place(sign)));
    }

    /// Returns the numbers of all gaps, also of filled ones.
    pub fn gaps(self) -> Vec<SignIndex> {
        let work = self.work.get();
        let document = self.document.get();
        document.signs().enumerate().filter(|(index, sign)| work.is_gap(*index, sign)).map(|(index, _)| index).collect()
    }

    /// Returns the gaps without an accepted reading: all, or those in `among`.
    pub fn open_gaps(self, among: Option<&[SignIndex]>) -> Vec<SignIndex> {
        let work = self.work.get();
        let is_open =
            |sign: &SignIndex| work.accepted_at(*sign).is_none() && among.is_none_or(|among| among.contains(sign));
        self.gaps().into_iter().filter(is_open).collect()
    }
}
