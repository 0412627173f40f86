//! Availability of the models: whether a model is stored in this browser, and how many bytes must be fetched otherwise.
//! A stored restorer is opened at once; nothing large is fetched before the user asks for it and has read its size.

use crate::corpora::state::CORPORA;
use crate::engine::model::ModelState;
use crate::frame::address::DEFAULT_MODEL;
use crate::frame::page::Page;
use crate::kit::storage;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::translate::state::translator::SHIPPED;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use serde::Deserialize;
use tuppum_protocol::{ModelRef, Reply, ShippedModel, StorageEvent, StorageRequest};

/// Manifest of the shipped restorer, with the sizes of its files.
const RESTORER_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/restorer/manifest.json"));
/// Manifest of the shipped translator.
const TRANSLATOR_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/translator/manifest.json"));
/// Manifest of the edited texts.
const CORPUS_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/corpus/manifest.json"));

/// Availability of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// The engine has not yet reported what is stored.
    Unknown,
    /// Stored in this browser; nothing is fetched.
    Stored,
    /// On the server; this many bytes must be fetched first, if the page knows how many.
    Remote(Option<u64>),
}

impl Models {
    /// Asks the engine what is stored, unless it was asked before.
    pub fn list_once(self) {
        if self.looked.get_value() {
            return;
        }
        self.looked.set_value(true);
        self.engine.ask(StorageRequest::ListModels, move |event| match event {
            Reply::Answer(StorageEvent::Storage(usage)) => self.usage.set(Some(usage)),
            // The reason is shown when the engine is asked for more than a list.
            Reply::Failed(_) => self.listing_failed.set(true),
            _ => {}
        });
    }

    /// Returns the availability of the chosen restorer, together with the edited texts if the search uses them. Tracks
    /// signals.
    pub fn restorer_availability(self, workbench: Workbench) -> Availability {
        with_texts(workbench.device.model.with(|model| self.availability(model)), self.texts_availability(workbench))
    }

    /// Returns the availability of the edited texts; [`Availability::Stored`] if the search does not use them. Tracks
    /// signals.
    pub fn texts_availability(self, workbench: Workbench) -> Availability {
        match workbench.text.work.with(|work| work.contexts) {
            true => self.availability(&CORPORA),
            false => Availability::Stored,
        }
    }

    /// Returns the availability of the chosen translator. Tracks signals.
    pub fn translator_availability(self, choice: TranslatorChoice) -> Availability {
        self.availability(&choice.model())
    }

    fn availability(self, model: &ModelRef) -> Availability {
        let listing_failed = self.listing_failed.get();
        self.usage.with(|usage| {
            let stored = usage.as_ref().map(|usage| usage.shipped.as_slice());
            availability(model, stored.or(listing_failed.then_some(&[])))
        })
    }
}

/// Tracks whether the browser has a network.
pub fn watch_the_network(models: Models) {
    let look = move || models.online.set(window().navigator().on_line());
    look();
    for change in ["online", "offline"] {
        let listener = window_event_listener_untyped(change, move |_| look());
        on_cleanup(move || listener.remove());
    }
}

/// Opens the restorer once a visit, as soon as the workbench is shown and the restorer is known to be stored; other
/// pages need no restorer. Updates the list of models when a restorer or edited texts that had to be fetched are open.
pub fn open_stored_restorer(workbench: Workbench, models: Models) {
    let is_shown = Memo::new(move |_| workbench.page.get() == Page::Workbench);
    let found = Memo::new(move |_| models.restorer_availability(workbench));
    Effect::new(move |done: Option<bool>| {
        if done == Some(true) || !is_shown.get() {
            return done.unwrap_or(false);
        }
        untrack(|| models.list_once());
        let is_closed = workbench.restoring.restorer.state.with_untracked(|state| *state == ModelState::Closed);
        match found.get() {
            Availability::Stored if is_closed => untrack(|| workbench.open_restorer()),
            Availability::Stored => {}
            Availability::Unknown | Availability::Remote(_) => return false,
        }
        true
    });
    list_when_open(models, Memo::new(move |_| workbench.restoring.restorer.is_ready()), found);
    list_when_open(
        models,
        Memo::new(move |_| workbench.corpora.is_ready()),
        Memo::new(move |_| models.texts_availability(workbench)),
    );
}

/// Updates the list of models once something that had to be fetched is open.
pub fn list_when_open(models: Models, ready: Memo<bool>, found: Memo<Availability>) {
    Effect::new(move |_| {
        if ready.get() && matches!(found.get_untracked(), Availability::Remote(_)) {
            models.list();
        }
    });
}

/// Returns the availability of a model; `stored` lists the shipped models in this browser, if known.
fn availability(model: &ModelRef, stored: Option<&[ShippedModel]>) -> Availability {
    let ModelRef::Shipped(folder) = model else { return Availability::Stored };
    match stored {
        None => Availability::Unknown,
        Some(stored) if stored.iter().any(|own| own.name == folder.name()) => Availability::Stored,
        Some(_) => {
            let files = [(DEFAULT_MODEL, RESTORER_FILES), (SHIPPED, TRANSLATOR_FILES), (CORPORA, CORPUS_FILES)];
            let known = files.iter().find(|(own, _)| own.is_same(model));
            Availability::Remote(known.and_then(|(_, files)| bytes_of(files)))
        }
    }
}

/// Returns the availability of restorer and edited texts together: their bytes are added up if both must be fetched. A
/// stored restorer does not wait for the texts.
fn with_texts(restorer: Availability, texts: Availability) -> Availability {
    match (restorer, texts) {
        (Availability::Remote(own), Availability::Remote(more)) => {
            Availability::Remote(own.zip(more).map(|(own, more)| own + more))
        }
        (restorer, _) => restorer,
    }
}

/// Returns the total bytes of the files in a manifest.
fn bytes_of(manifest: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct File {
        bytes: u64,
    }
    #[derive(Deserialize)]
    struct Manifest {
        files: Vec<File>,
    }
    let manifest: Manifest = storage::read_json(manifest)?;
    Some(manifest.files.iter().map(|file| file.bytes).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the total bytes of the files in a folder of the repository, without those that only people read.
    fn on_disk(model: &ModelRef) -> u64 {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(model.to_string());
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        let fetched = files.filter(|file| !["README.md", "manifest.json"].iter().any(|name| file.file_name() == *name));
        fetched.map(|file| file.metadata().unwrap().len()).sum()
    }

    fn stored(names: &[&str]) -> Vec<ShippedModel> {
        names.iter().map(|name| ShippedModel { name: (*name).to_owned(), bytes: 1 }).collect()
    }

    #[test]
    fn the_size_is_said_that_is_fetched() {
        for model in [DEFAULT_MODEL, SHIPPED, CORPORA] {
            assert_eq!(availability(&model, Some(&[])), Availability::Remote(Some(on_disk(&model))), "{model}");
        }
        let [restorer, texts] = [DEFAULT_MODEL, CORPORA].map(|model| availability(&model, Some(&[])));
        let both = on_disk(&DEFAULT_MODEL) + on_disk(&CORPORA);
        assert_eq!(with_texts(restorer, texts), Availability::Remote(Some(both)));
        assert_eq!(with_texts(restorer, Availability::Stored), restorer);
        assert_eq!(with_texts(Availability::Stored, texts), Availability::Stored);
    }

    #[test]
    fn what_is_stored_is_here() {
        let tiny = ModelRef::shipped("models/tiny/");
        assert_eq!(availability(&DEFAULT_MODEL, None), Availability::Unknown);
        assert_eq!(availability(&DEFAULT_MODEL, Some(&stored(&["restorer"]))), Availability::Stored);
        assert_eq!(availability(&tiny, Some(&stored(&["restorer"]))), Availability::Remote(None));
        assert_eq!(availability(&tiny, Some(&stored(&["tiny"]))), Availability::Stored);
        assert_eq!(availability(&ModelRef::stored("mine"), None), Availability::Stored, "it is nowhere else");
    }
}
