//! The signals of the translation card, and the steps that a user can take. What concerns the engine is in `session`.

use super::finished::ToBeShown;
use super::plan::{Present, remaining};
use super::rendering::{Doubt, Made, Rendering};
use super::settings::{Extent, Settings};
use super::shelf::{Shelf, Translation};
use super::stored_shelf::{self, MOST_BYTES, ShelfWriter};
use super::workers::Workers;
use super::writing::{BeingWritten, Writing};
use super::{labels, names};
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::frame::notice::Notice;
use crate::kit::storage;
use crate::kit::timing::Debounce;
use crate::restore::export::line_number;
use crate::restore::state::Workbench;
use crate::restore::state::work::Accepted;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use tuppum_protocol::translation::{Passage, Question, Translated};
use tuppum_protocol::{Failure, ModelRef, OwnPair};

/// How long changes must rest before they are kept, in milliseconds.
const REST: u32 = 300;
/// While passages come in, and each of them changes something, all is kept this often, in milliseconds: to write it
/// takes as long as to draw several of them.
const BETWEEN: u32 = 3_000;

/// What the user can have back.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// A translation, or some passages of one.
    Deleted(Translation),
    /// A translation as it was before a name was rendered alike in it.
    Named(Translation),
}

/// A translation as it stands to the text on the workbench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The passages with the one of the present text that each translates now; none for an outdated one.
    pub passages: Vec<(Rendering, Option<Passage>)>,
}

impl Shown {
    /// The passages, apart from how they stand.
    pub fn unzip(&self) -> (Vec<Rendering>, Vec<Option<Passage>>) {
        self.passages.iter().cloned().unzip()
    }

    /// How many are outdated.
    pub fn outdated(&self) -> usize {
        self.passages.iter().filter(|(_, now)| now.is_none()).count()
    }
}

/// The signals of the card; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Translating {
    /// The text and what is accepted in it.
    pub workbench: Workbench,
    /// Which translator is used.
    pub choice: TranslatorChoice,
    /// How the user wants it.
    pub settings: RwSignal<Settings>,
    /// What is kept.
    pub shelf: RwSignal<Shelf>,
    /// The texts that are known to be others than the present one: no translation of theirs is shown for it.
    others: Memo<BTreeSet<String>>,
    /// What is shown for the present text.
    pub shown: Memo<Shown>,
    /// The workers, and the translator in each.
    pub(super) workers: Workers,
    /// The translator in the first of them, which the whole page shares.
    pub translator: Model,
    /// What is translated.
    pub job: Job,
    /// The passage being written.
    pub writing: BeingWritten,
    /// The finished passages that are still to be shown.
    pub(super) finished: ToBeShown,
    /// Whether a translation waits for the translator.
    pub queued: RwSignal<bool>,
    /// What was taken away or written over last, until something else is.
    pub taken: RwSignal<Option<Taken>>,
    /// What went wrong.
    pub failure: RwSignal<Option<Failure>>,
    /// What a screen reader announces.
    pub announced: RwSignal<String>,
}

impl Translating {
    /// The card's state at the beginning of a visit, with what the browser kept; `others` are the texts that are known
    /// to be others than the present one.
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
            finished: ToBeShown::new(job.pace()),
            queued: RwSignal::new(false),
            taken: RwSignal::new(None),
            failure: RwSignal::new(None),
            announced: RwSignal::new(String::new()),
        };
        translating.store_on_change();
        translating.follow_choice();
        translating
    }

    /// The address names its translator only as long as no other is chosen; what is told of one holds for no other.
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

    /// Keeps translations and settings: soon after each change, now and then while passages come in, and at once when
    /// the page goes away.
    fn store_on_change(self) {
        let debounce = Debounce::new();
        // What this tab read or kept last, as it was in memory and as it was written.
        let before = StoredValue::new((self.shelf.get_untracked(), storage::stored_text(storage::TRANSLATIONS)));
        let writer = StoredValue::new(ShelfWriter::default());
        let store_now = move || {
            if !debounce.cancel() {
                return; // nothing has changed since it was kept last
            }
            let theirs = storage::stored_text(storage::TRANSLATIONS);
            if before.with_value(|(_, written)| *written != theirs) {
                let shelf = stored_shelf::read(theirs.as_deref());
                before.with_value(|(known, _)| self.shelf.update(|own| own.merge(known, shelf.clone())));
                before.set_value((shelf, theirs));
            }
            let shelf = self.shelf.get_untracked();
            let Some((written, lost)) = writer.try_update_value(|writer| writer.write(&shelf, MOST_BYTES)) else {
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

    /// Stores when it is time to; `debounce` is what `store_now` waits for.
    fn store_in_time(self, debounce: Debounce, store_now: impl Fn() + Copy + 'static) {
        Effect::new(move |before: Option<()>| {
            self.shelf.track();
            self.settings.track();
            if before.is_none() {
                return;
            }
            match self.job.is_running_untracked() {
                true if debounce.waits() => {}
                true => debounce.start(BETWEEN, store_now),
                false => debounce.start(REST, store_now),
            }
        });
        Effect::new(move |_| {
            if !self.job.is_running() && debounce.waits() {
                debounce.start(REST, store_now);
            }
        });
        let leave = move || {
            if self.finished.show_now() {
                debounce.start(REST, store_now);
            }
            store_now();
        };
        let leaving = window_event_listener_untyped("pagehide", move |_| leave());
        // A tab that nobody sees may be closed without a word.
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

    /// The number, in the document, of the line in which the chosen sign stands.
    pub fn chosen_line(self) -> Option<usize> {
        let sign = self.workbench.text.selected.get()?;
        self.workbench.text.document.with(|document| line_number(document, sign))
    }

    /// The label of the chosen line.
    pub fn chosen_line_label(self) -> Option<String> {
        let line = self.chosen_line()?;
        Some(self.workbench.text.document.with(|document| labels::lines_of(document, &(line..line + 1))))
    }

    /// The question as the settings put it, about all passages that they name.
    fn whole_question(self) -> Question {
        let line = self.chosen_line();
        self.settings.with(|settings| self.workbench.text.work.with(|work| settings.question(work, line)))
    }

    /// With what the settings make translations now.
    pub fn made(self, question: &Question) -> Made {
        Made::by(self.choice.version(), question, self.settings.with(|settings| settings.restored))
    }

    /// The question about what is still to be translated; `None` when all of it is, in just this way.
    pub fn remaining(self) -> Option<Question> {
        let question = self.whole_question();
        let made = self.made(&question);
        let (renderings, standing) = self.shown.with(Shown::unzip);
        self.workbench.text.document.with(|document| remaining(&question, &made, document, &renderings, &standing))
    }

    /// Why nothing can be translated now, in words for the user; `None` when the button works.
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

    /// Changes the translation that is shown.
    fn change(self, change: impl FnOnce(&mut Translation)) {
        self.forget_names_before();
        self.change_shown(change);
    }

    /// Changes the translation that is shown; what could be taken back still can.
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

    /// What was written since a name was rendered alike is not to be written over by going back.
    fn forget_names_before(self) {
        if self.taken.with_untracked(|taken| matches!(taken, Some(Taken::Named(_)))) {
            self.taken.set(None);
        }
    }

    /// Changes one passage of it.
    pub fn change_passage(self, key: &(usize, String), change: impl FnOnce(&mut Rendering)) {
        self.change(|translation| {
            if let Some(rendering) = translation.find(key) {
                change(rendering);
            }
        });
    }

    /// Notes what there is to doubt about one passage: nobody wrote it, so that it stands in nobody's way.
    pub fn note_doubt(self, key: &(usize, String), doubt: Option<Doubt>) {
        self.change_shown(|translation| {
            if let Some(rendering) = translation.find(key) {
                rendering.doubt = doubt;
            }
        });
    }

    /// The passages of the present text that the user worded, with these wordings.
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

    /// Deletes the translation that is shown. It can be put back.
    pub fn delete(self) {
        let text = self.workbench.text.work.with_untracked(|work| work.text.clone());
        let deleted =
            self.others.with_untracked(|others| self.shelf.try_update(|shelf| shelf.delete(&text, others)).flatten());
        self.taken.set(deleted.map(Taken::Deleted));
    }

    /// Deletes one passage. It can be put back, and stays with the earlier wording of the text, if it was made for
    /// that.
    pub fn remove(self, key: &(usize, String)) {
        self.workbench.read();
        let (text, standing) = self.standing();
        let others = self.others.get_untracked();
        self.shelf.update(|shelf| shelf.adopt(&text, &others, &standing));
        self.change(|translation| {
            if let Some(place) = translation.renderings.iter().position(|rendering| rendering.is(key)) {
                let renderings = vec![translation.renderings.remove(place)];
                let text = translation.text.clone();
                self.taken.set(Some(Taken::Deleted(Translation { text, renderings, ..Translation::default() })));
            }
        });
    }

    /// Puts back what was deleted or written over last.
    pub fn put_back(self) {
        match self.taken.try_update(Option::take).flatten() {
            Some(Taken::Deleted(deleted)) => {
                self.shelf.update(|shelf| shelf.put_back(deleted));
                self.workbench.notify(Notice::done("What was deleted is back."));
            }
            Some(Taken::Named(before)) => {
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

    /// A kept translator was deleted: what it translated is no work of another one that gets its name.
    pub fn forget_translator(self, name: &str) {
        self.shelf.update(|shelf| {
            for translation in &mut shelf.translations {
                for rendering in &mut Arc::make_mut(translation).renderings {
                    rendering.made.model.note_deletion(name);
                }
            }
        });
    }

    /// Writes one rendering of a name everywhere.
    pub fn agree(self, name: &str, rendering: &str) {
        let mut changed = 0;
        self.change(|translation| {
            self.taken.set(Some(Taken::Named(translation.clone())));
            translation.names.insert(name.to_owned(), rendering.to_owned());
            changed = names::agree(translation, name, rendering, None);
        });
        let places = crate::kit::format::plural(changed, "place now reads", "places now read");
        self.workbench.notify(Notice::done(format!("{places} “{rendering}”, marked as your wording.")));
    }

    /// Begins the translation of the present text with what still holds of the one before.
    pub(super) fn begin_translation(self) {
        self.forget_names_before();
        let (text, standing) = self.standing();
        let others = self.others.get_untracked();
        self.shelf.update(|shelf| {
            shelf.begin(&text, &others, &standing);
        });
    }

    /// The present text, and which of its passages those of the translation that is shown translate.
    fn standing(self) -> (String, Vec<Option<Passage>>) {
        let standing = self.shown.with_untracked(|shown| shown.unzip().1);
        (self.workbench.text.work.with_untracked(|work| work.text.clone()), standing)
    }

    /// Puts passages into the translations of the texts that they were asked for.
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

/// The translation on the shelf that belongs to the present text, and how its passages stand to it.
fn show(workbench: Workbench, shelf: &Shelf, others: &BTreeSet<String>) -> Shown {
    let document = workbench.text.document.get();
    let filled: Vec<_> = workbench.text.work.with(|work| work.accepted.iter().map(Accepted::filled).collect());
    let Some(translation) = shelf.shown(&document.source, others) else { return Shown::default() };
    let standing = Present::new(&document, &filled).stand(&translation.renderings);
    // Which signs are restorations, the present text tells: a typed sign may have been restored since, and the reverse.
    let with_words = |(rendering, now): (&Rendering, Option<Passage>)| {
        let mut rendering = rendering.clone();
        if let Some(passage) = &now {
            rendering.translated.words = Translated::beginning(passage).words;
        }
        (rendering, now)
    };
    Shown { passages: translation.renderings.iter().zip(standing).map(with_words).collect() }
}

/// Whether anything at all is written of a passage.
pub(super) fn is_begun(translated: &Translated) -> bool {
    !translated.partial.is_empty() || !translated.candidates.is_empty()
}
