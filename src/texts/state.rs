//! State of the shelf: which texts it holds, and which of them is on the workbench.

use super::kept::{self, KeptText};
use super::likeness::is_wording_of;
use crate::frame::notice::Notice;
use crate::kit::storage;
use crate::kit::timing::Debounce;
use crate::restore::state::Workbench;
use crate::restore::state::history::History;
use crate::restore::state::start;
use crate::restore::state::work::Work;
use leptos::prelude::*;
use std::collections::BTreeSet;
use tuppum_text::examples;
use wasm_bindgen::JsCast;

/// Milliseconds without a change before a text of the shelf is stored.
const STORE_AFTER_MS: u32 = 800;

/// Message for a text that the shelf has no room for.
const ON_WORKBENCH: &str = "It stays on the workbench";

/// The shelf; cheap to copy, provided as context.
#[derive(Clone, Copy)]
pub struct Texts {
    /// All texts with their storage keys, newest first.
    pub all: RwSignal<Vec<(String, KeptText)>>,
    /// Key of the text on the workbench, if the shelf has it.
    pub open: RwSignal<Option<String>>,
    /// Key of the text whose deletion waits for confirmation.
    pub to_delete: RwSignal<Option<String>>,
    /// The open text as this tab last read or stored it. A difference to the workbench is a change made here; a
    /// difference to the shelf was made in another tab.
    known: StoredValue<Option<Work>>,
    workbench: Workbench,
}

impl Texts {
    /// Loads the shelf at the beginning of a visit.
    pub fn begin(workbench: Workbench) -> Self {
        let texts = Self {
            all: RwSignal::new(kept::all()),
            open: RwSignal::new(None),
            to_delete: RwSignal::new(None),
            known: StoredValue::new(None),
            workbench,
        };
        texts.attach();
        texts.keep_displaced();
        texts.store_on_change();
        texts.follow_other_tabs();
        texts
    }

    /// Returns `true` if a text of the shelf has exactly this work. Not tracked.
    pub fn has(self, work: &Work) -> bool {
        self.find(work).is_some()
    }

    /// Puts the work that the address displaced on the shelf: the next link would displace it for good.
    fn keep_displaced(self) {
        let displaced = self.workbench.text.previous.get_untracked();
        if let Some(history) = displaced.filter(|history| self.find(&history.present).is_none()) {
            let present = self.known.get_value();
            if self.store(&kept::new_key(), &history, "It is kept beside the shelf until the next link is opened") {
                // Otherwise the next visit would put it on the shelf again, even if it was changed or deleted there.
                storage::forget(storage::PREVIOUS);
            }
            self.known.set_value(present);
        }
    }

    /// Puts the present text on the shelf and begins an empty one.
    pub fn begin_new(self) {
        if !self.put_by() {
            return;
        }
        let empty = self.workbench.text.work.with_untracked(|work| work.settings_on(String::new()));
        self.open.set(None);
        // The period belonged to the text before.
        self.workbench.begin_with(History::beginning_with(Work { period: None, ..empty }));
    }

    /// Puts the present text on the shelf and opens another.
    pub fn take(self, key: &str) {
        if self.is_open(key) || !self.put_by() {
            return;
        }
        // Another tab may have changed the stored text.
        let Some(text) = storage::stored::<KeptText>(key) else {
            self.all.set(kept::all());
            return self.workbench.notify(Notice::failure("This text is no longer on the shelf; another tab took it."));
        };
        self.known.set_value(Some(text.history.present.clone()));
        self.open.set(Some(key.to_owned()));
        self.workbench.begin_with(text.history);
        self.workbench.notify(Notice::done(format!("“{}” is on the workbench.", text.name)));
    }

    /// Deletes a text. If it is on the workbench, it stays there.
    pub fn delete(self, key: &str) {
        storage::forget(key);
        if self.is_open(key) {
            self.open.set(None);
        }
        self.all.update(|all| all.retain(|(own, _)| own != key));
    }

    /// Returns `true` if this text is on the workbench. Tracked as a signal.
    pub fn is_open(self, key: &str) -> bool {
        self.open.with(|open| open.as_deref() == Some(key))
    }

    /// Returns all other texts: the shelf without the open text, and the examples, but no earlier wording of the open
    /// text. Tracked as a signal.
    pub fn others(self) -> BTreeSet<String> {
        let open = self.open.get();
        let examples = examples::ALL.iter().map(|example| example.text.to_owned());
        let mut others: BTreeSet<String> = self.all.with(|all| {
            let others = all.iter().filter(|(key, _)| Some(key) != open.as_ref());
            others.map(|(_, kept)| kept.history.present.text.clone()).chain(examples).collect()
        });
        self.workbench.text.history.with(|history| {
            for own in history.past().chain([&history.present]) {
                others.remove(&own.text);
            }
        });
        others
    }

    /// Puts the present text on the shelf, unless it is not worth keeping or is there already. Returns `true` if the
    /// workbench is free for another text; otherwise the user was told why.
    fn put_by(self) -> bool {
        self.workbench.read();
        if self.follow() {
            return true;
        }
        let is_example = |text: &str| examples::ALL.iter().any(|example| example.text == text);
        let history = self.workbench.text.history.get_untracked();
        let Some(history) = kept::worth_keeping(&history, |work| start::is_worth_keeping(work, is_example)) else {
            return true;
        };
        self.find(&history.present).is_some() || self.store(&kept::new_key(), &history, ON_WORKBENCH)
    }

    /// Updates the open text of the shelf. Returns `true` if the shelf has the present text. A text that has become
    /// another one, or that another tab has changed, is no longer the open text; both are then kept.
    fn follow(self) -> bool {
        let history = self.workbench.text.history.get_untracked();
        let Some(key) = self.open.get_untracked() else { return self.attach() };
        let of_shelf = self.all.with_untracked(|all| {
            all.iter().find(|(own, _)| *own == key).map(|(_, text)| text.history.present.clone())
        });
        let known = self.known.get_value();
        match of_shelf {
            Some(_) if known.as_ref() == Some(&history.present) => true,
            Some(theirs) if known.as_ref() == Some(&theirs) && is_wording_of(&history.present.text, &theirs.text) => {
                self.store(&key, &history, ON_WORKBENCH)
            }
            _ => self.attach(),
        }
    }

    /// Makes the text of the shelf that equals the workbench the open one. Returns `true` if there is one.
    fn attach(self) -> bool {
        let present = self.workbench.text.history.with_untracked(|history| history.present.clone());
        let key = self.find(&present);
        let is_there = key.is_some();
        self.known.set_value(Some(present));
        if self.open.get_untracked() != key {
            self.open.set(key);
        }
        is_there
    }

    fn find(self, work: &Work) -> Option<String> {
        let is_it = |(_, kept): &&(String, KeptText)| kept.history.present == *work;
        self.all.with_untracked(|all| all.iter().find(is_it).map(|(key, _)| key.clone()))
    }

    /// Stores a text as the newest. Returns `true` if the browser took it; otherwise the user is told, with `elsewhere`
    /// for where the text is.
    fn store(self, key: &str, history: &History, elsewhere: &str) -> bool {
        let text = KeptText::of(history, js_sys::Date::now());
        if let Err(reason) = storage::store(key, &text) {
            self.workbench.notify(Notice::failure(format!(
                "There is no room for “{}” on the shelf: {}. {elsewhere}; save texts that you no longer need as a \
                 file and delete them.",
                text.name,
                reason.trim_end_matches('.')
            )));
            return false;
        }
        self.known.set_value(Some(history.present.clone()));
        self.all.update(|all| {
            all.retain(|(own, _)| own != key);
            all.insert(0, (key.to_owned(), text));
        });
        true
    }

    /// Stores the open text: soon after each change, and at once when the page goes away.
    fn store_on_change(self) {
        let debounce = Debounce::new();
        let follow = move || {
            debounce.cancel();
            self.follow();
        };
        Effect::new(move |_| {
            self.workbench.text.history.track();
            debounce.start(STORE_AFTER_MS, follow);
        });
        let leaving = window_event_listener_untyped("pagehide", move |_| follow());
        on_cleanup(move || leaving.remove());
    }

    fn follow_other_tabs(self) {
        let changed = window_event_listener_untyped("storage", move |event| {
            let key = event.dyn_ref::<web_sys::StorageEvent>().and_then(web_sys::StorageEvent::key);
            if key.is_none_or(|key| kept::is_key(&key)) {
                self.all.set(kept::all());
            }
        });
        on_cleanup(move || changed.remove());
    }
}
