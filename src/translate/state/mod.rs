//! Signals of the translation card, and the actions of the user. Requests to the engine are in `session`.

pub mod names;
pub mod passages;
pub mod rendering;
pub mod session;
pub mod settings;
pub mod shelf;
pub mod stored_shelf;
pub mod translator;
pub mod writing;

use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::frame::notice::Notice;
use crate::kit::storage;
use crate::kit::timing::Debounce;
use crate::restore::export::line_number;
use crate::restore::state::Workbench;
use crate::translate::workers::Workers;
use leptos::prelude::*;
use passages::{ShownTranslation, remaining, show};
use rendering::{Doubt, Provenance, Rendering};
use settings::{Extent, Settings};
use shelf::{Shelf, Translation};
use std::collections::BTreeSet;
use std::sync::Arc;
use stored_shelf::{MAX_STORED_BYTES, ShelfWriter};
use translator::TranslatorChoice;
use tuppum_protocol::translation::{Passage, Question, Translated};
use tuppum_protocol::{Failure, ModelRef, OwnPair};
use writing::{BeingWritten, FinishedQueue, Writing};

/// Milliseconds without a change after which changes are stored.
const STORE_AFTER_MS: u32 = 300;
/// Milliseconds between two stores while passages come in: writing all translations takes as long as drawing several
/// passages.
const STORE_INTERVAL_MS: u32 = 3_000;

/// Last change that the user can undo.
#[derive(Clone, Debug, PartialEq)]
pub enum UndoableChange {
    /// A translation, or some passages of one, that were deleted.
    Deleted(Translation),
    /// A translation before one rendering of a name was written everywhere in it.
    Named(Translation),
}

/// Signals of the card, provided as context; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct Translating {
    /// Workbench with the text and its accepted restorations.
    pub workbench: Workbench,
    /// Choice of the translator.
    pub choice: TranslatorChoice,
    pub settings: RwSignal<Settings>,
    /// All stored translations.
    pub shelf: RwSignal<Shelf>,
    /// Texts known to differ from the present one: their translations are not shown for it.
    others: Memo<BTreeSet<String>>,
    /// Translation shown for the present text.
    pub shown: Memo<ShownTranslation>,
    pub(super) workers: Workers,
    /// Translator in the first worker, which the whole page shares.
    pub translator: Model,
    /// The running translation.
    pub job: Job,
    /// Passage being written.
    pub writing: BeingWritten,
    /// Finished passages that are not shown yet.
    pub(super) finished: FinishedQueue,
    /// `true` while a translation waits for the translator to open.
    pub queued: RwSignal<bool>,
    /// Last deletion or renaming, until the next one.
    pub undoable: RwSignal<Option<UndoableChange>>,
    /// Failure of the last translation.
    pub failure: RwSignal<Option<Failure>>,
    /// Text that a screen reader announces.
    pub announced: RwSignal<String>,
}

impl Translating {
    /// Returns the card's state at the beginning of a visit, with what the browser stored; `others` are texts known to
    /// differ from the present one.
    pub fn begin(workbench: Workbench, choice: TranslatorChoice, others: Memo<BTreeSet<String>>) -> Self {
        let settings: Settings = storage::stored(storage::TRANSLATING).unwrap_or_default();
        let (workers, job) = (Workers::new(workbench.engine), Job::new(workbench.engine));
        let shelf = RwSignal::new(stored_shelf::read(storage::stored_text(storage::TRANSLATIONS).as_deref()));
        let translating = Self {
            workbench,
            choice,
            settings: RwSignal::new(settings.in_range()),
            shelf,
            others,
            shown: Memo::new(move |_| shelf.with(|shelf| others.with(|others| show(workbench, shelf, others)))),
            workers,
            translator: workers.first().translator,
            job,
            writing: BeingWritten::new(),
            finished: FinishedQueue::new(job.pace()),
            queued: RwSignal::new(false),
            undoable: RwSignal::new(None),
            failure: RwSignal::new(None),
            announced: RwSignal::new(String::new()),
        };
        translating.store_on_change();
        translating.follow_choice();
        translating
    }

    /// Follows the choice of the translator: drops the one that the address names once another is chosen, and closes
    /// the open one.
    fn follow_choice(self) {
        Effect::new(move |before: Option<ModelRef>| {
            let model = self.choice.model();
            if self.workbench.device.translator.get_value().is_some_and(|asked| asked != model) {
                self.workbench.device.translator.set_value(None);
            }
            if before.is_some_and(|before| before != model) && !self.translator.is_opening() {
                self.translator.close();
            }
            model
        });
    }

    /// Stores translations and settings: soon after each change, every few seconds while passages come in, and at once
    /// when the page goes away.
    fn store_on_change(self) {
        let debounce = Debounce::new();
        // State that this tab read or stored last, in memory and as written.
        let before = StoredValue::new((self.shelf.get_untracked(), storage::stored_text(storage::TRANSLATIONS)));
        let writer = StoredValue::new(ShelfWriter::default());
        let store_now = move || {
            if !debounce.cancel() {
                return; // nothing has changed since the last store
            }
            let theirs = storage::stored_text(storage::TRANSLATIONS);
            if before.with_value(|(_, written)| *written != theirs) {
                let shelf = stored_shelf::read(theirs.as_deref());
                before.with_value(|(known, _)| self.shelf.update(|own| own.merge(known, shelf.clone())));
                before.set_value((shelf, theirs));
            }
            let shelf = self.shelf.get_untracked();
            let Some((written, lost)) = writer.try_update_value(|writer| writer.write(&shelf, MAX_STORED_BYTES)) else {
                return;
            };
            let outcome = storage::store_text(storage::TRANSLATIONS, &written);
            if outcome.is_ok() {
                before.set_value((shelf, Some(written)));
            }
            if lost {
                self.workbench.notify(Notice::failure(
                    "There is no room to store your wordings of the oldest texts for the next visit. Copy them, or \
                     delete translations that you no longer need.",
                ));
            }
            let settings = self.settings.with_untracked(|settings| storage::store(storage::TRANSLATING, settings));
            if let (Err(reason), None) = (outcome.and(settings), self.workbench.storage_refusal.get_untracked()) {
                self.workbench.notify(Notice::failure(format!(
                    "This browser does not keep the translation: {}. Copy what you need before you close the tab.",
                    reason.trim_end_matches('.')
                )));
            }
        };
        self.store_in_time(debounce, store_now);
    }

    /// Calls `store_now` when it is due; `debounce` is the timer that `store_now` waits for.
    fn store_in_time(self, debounce: Debounce, store_now: impl Fn() + Copy + 'static) {
        Effect::new(move |before: Option<()>| {
            self.shelf.track();
            self.settings.track();
            if before.is_none() {
                return;
            }
            match self.job.is_running_untracked() {
                true if debounce.waits() => {}
                true => debounce.start(STORE_INTERVAL_MS, store_now),
                false => debounce.start(STORE_AFTER_MS, store_now),
            }
        });
        Effect::new(move |_| {
            if !self.job.is_running() && debounce.waits() {
                debounce.start(STORE_AFTER_MS, store_now);
            }
        });
        let leave = move || {
            if self.finished.show_now() {
                debounce.start(STORE_AFTER_MS, store_now);
            }
            store_now();
        };
        let leaving = window_event_listener_untyped("pagehide", move |_| leave());
        // Browsers may close a hidden tab without another event.
        let hiding = window_event_listener_untyped("visibilitychange", move |_| {
            if document().hidden() {
                leave();
            }
        });
        on_cleanup(move || {
            leaving.remove();
            hiding.remove();
        });
    }

    /// Returns the number, in the document, of the line with the chosen sign.
    pub fn chosen_line(self) -> Option<usize> {
        let sign = self.workbench.text.selected.get()?;
        self.workbench.text.document.with(|document| line_number(document, sign))
    }

    /// Returns the label of the chosen line.
    pub fn chosen_line_label(self) -> Option<String> {
        let line = self.chosen_line()?;
        Some(self.workbench.text.document.with(|document| passages::lines_of(document, &(line..line + 1))))
    }

    /// Returns the question by the settings, about all passages that they select.
    fn whole_question(self) -> Question {
        let line = self.chosen_line();
        self.settings.with(|settings| self.workbench.text.work.with(|work| settings.question(work, line)))
    }

    /// Returns the settings with which a question's passages are translated now.
    pub fn made(self, question: &Question) -> Provenance {
        Provenance::by(self.choice.version(), question, self.settings.with(|settings| settings.restored))
    }

    /// Returns the question about the passages still to be translated; `None` if all are translated with these
    /// settings.
    pub fn remaining(self) -> Option<Question> {
        let question = self.whole_question();
        let made = self.made(&question);
        let (renderings, standing) = self.shown.with(ShownTranslation::unzip);
        self.workbench.text.document.with(|document| remaining(&question, &made, document, &renderings, &standing))
    }

    /// Returns the reason, for the user, why nothing can be translated now; `None` if the button works.
    pub fn why_not(self) -> Option<&'static str> {
        if self.workbench.text.work.with(|work| work.text.trim().is_empty()) {
            return Some("Type or paste a transliteration first.");
        }
        let by_line = self.settings.with(|settings| settings.extent == Extent::Line);
        if by_line && self.chosen_line().is_none() {
            return Some("Choose a sign in the reading: its line is then translated.");
        }
        let question = self.whole_question();
        if self.workbench.text.document.with(|document| question.passages(document).is_empty()) {
            return Some(match by_line {
                true => "Nothing in the chosen line can be read, so there is nothing to translate.",
                false => "No line of this text has a sign that can be read, so there is nothing to translate.",
            });
        }
        self.remaining()
            .is_none()
            .then_some("All of this is already translated. Change the settings or the text to translate again.")
    }

    /// Changes the translation that is shown, and makes an earlier renaming final.
    fn change(self, change: impl FnOnce(&mut Translation)) {
        self.forget_names_before();
        self.change_shown(change);
    }

    /// Changes the translation that is shown; the last deletion or renaming can still be undone.
    fn change_shown(self, change: impl FnOnce(&mut Translation)) {
        self.workbench.read();
        let text = self.workbench.text.work.with_untracked(|work| work.text.clone());
        let others = self.others.get_untracked();
        self.shelf.update(|shelf| {
            if let Some(translation) = shelf.shown_mut(&text, &others) {
                change(translation);
            }
        });
    }

    /// Makes the last renaming final: undoing it would overwrite what was written since.
    fn forget_names_before(self) {
        if self.undoable.with_untracked(|change| matches!(change, Some(UndoableChange::Named(_)))) {
            self.undoable.set(None);
        }
    }

    /// Changes one passage of the translation that is shown.
    pub fn change_passage(self, key: &(usize, String), change: impl FnOnce(&mut Rendering)) {
        self.change(|translation| {
            if let Some(rendering) = translation.find(key) {
                change(rendering);
            }
        });
    }

    /// Stores the doubt about a passage. This is no change by the user, so a renaming can still be undone.
    pub fn note_doubt(self, key: &(usize, String), doubt: Option<Doubt>) {
        self.change_shown(|translation| {
            if let Some(rendering) = translation.find(key) {
                rendering.doubt = doubt;
            }
        });
    }

    /// Returns the passages of the present text for which the user wrote a wording, with these wordings.
    pub fn own_wordings(self) -> Vec<OwnPair> {
        self.shown.with_untracked(|shown| {
            let own = |(rendering, now): &(Rendering, Option<Passage>)| {
                let target = rendering.own_wording().filter(|_| now.is_some())?.trim().to_owned();
                let source = rendering.translated.source.clone();
                (!target.is_empty()).then_some(OwnPair { source, target })
            };
            shown.passages.iter().filter_map(own).collect()
        })
    }

    /// Deletes the translation that is shown; this can be undone.
    pub fn delete(self) {
        let text = self.workbench.text.work.with_untracked(|work| work.text.clone());
        let deleted =
            self.others.with_untracked(|others| self.shelf.try_update(|shelf| shelf.delete(&text, others)).flatten());
        self.undoable.set(deleted.map(UndoableChange::Deleted));
    }

    /// Deletes one passage; this can be undone. If it was translated for an earlier wording of the text, it stays in
    /// the translation of that wording.
    pub fn remove(self, key: &(usize, String)) {
        self.workbench.read();
        let (text, standing) = self.standing();
        let others = self.others.get_untracked();
        self.shelf.update(|shelf| shelf.adopt(&text, &others, &standing));
        self.change(|translation| {
            if let Some(place) = translation.renderings.iter().position(|rendering| rendering.is(key)) {
                let renderings = vec![translation.renderings.remove(place)];
                let text = translation.text.clone();
                self.undoable.set(Some(UndoableChange::Deleted(Translation {
                    text,
                    renderings,
                    ..Translation::default()
                })));
            }
        });
    }

    /// Undoes the last deletion or renaming.
    pub fn put_back(self) {
        match self.undoable.try_update(Option::take).flatten() {
            Some(UndoableChange::Deleted(deleted)) => {
                self.shelf.update(|shelf| shelf.put_back(deleted));
                self.workbench.notify(Notice::done("What was deleted is back."));
            }
            Some(UndoableChange::Named(before)) => {
                self.shelf.update(|shelf| {
                    if let Some(own) = shelf.of_mut(&before.text) {
                        own.go_back_to(before);
                    }
                });
                self.workbench.notify(Notice::done("The names are as they were."));
            }
            None => {}
        }
    }

    /// Marks all translations by a deleted translator, so that they do not count as the work of a later one with its
    /// name.
    pub fn forget_translator(self, name: &str) {
        self.shelf.update(|shelf| {
            for translation in &mut shelf.translations {
                for rendering in &mut Arc::make_mut(translation).renderings {
                    rendering.made.model.note_deletion(name);
                }
            }
        });
    }

    /// Writes one rendering of a name everywhere in the translation that is shown.
    pub fn agree(self, name: &str, rendering: &str) {
        let mut changed = 0;
        self.change(|translation| {
            self.undoable.set(Some(UndoableChange::Named(translation.clone())));
            translation.names.insert(name.to_owned(), rendering.to_owned());
            changed = names::agree(translation, name, rendering, None);
        });
        let places = crate::kit::format::plural(changed, "place now reads", "places now read");
        self.workbench.notify(Notice::done(format!("{places} “{rendering}”, marked as your wording.")));
    }

    /// Begins the translation of the present text with the still valid passages of the one shown before.
    pub(super) fn begin_translation(self) {
        self.forget_names_before();
        let (text, standing) = self.standing();
        let others = self.others.get_untracked();
        self.shelf.update(|shelf| {
            shelf.begin(&text, &others, &standing);
        });
    }

    /// Returns the present text, and the passage that each rendering of the shown translation translates.
    fn standing(self) -> (String, Vec<Option<Passage>>) {
        let standing = self.shown.with_untracked(|shown| shown.unzip().1);
        (self.workbench.text.work.with_untracked(|work| work.text.clone()), standing)
    }

    /// Inserts passages into the translations of the texts that they were asked for.
    pub(super) fn put(self, passages: Vec<Writing>) {
        if passages.is_empty() {
            return;
        }
        let ask = |Writing { text, rendering }: &Writing| Some((text.clone(), self.own_names_to_ask(rendering)?));
        let asked: Vec<_> = passages.iter().filter_map(ask).collect();
        self.shelf.update(|shelf| {
            for Writing { text, rendering } in passages {
                if let Some(translation) = shelf.of_mut(&text) {
                    names::put(translation, rendering);
                }
            }
        });
        for (text, (names, key)) in asked {
            self.prefer_own_names(&text, names, key);
        }
    }
}

/// Returns `true` if any text of a passage has been written.
pub(super) fn is_begun(translated: &Translated) -> bool {
    !translated.partial.is_empty() || !translated.candidates.is_empty()
}
