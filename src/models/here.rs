//! Whether a model is in this browser already, and how much is fetched before it can be asked: a restorer that is here
//! is opened at once, and nothing large is fetched before somebody wants it and has read its size.

use crate::corpora::state::CORPORA;
use crate::engine::model::ModelState;
use crate::frame::address::DEFAULT_MODEL;
use crate::frame::page::Page;
use crate::kit::storage;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::translate::shipped::SHIPPED;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;
use serde::Deserialize;
use tuppum_protocol::{ModelRef, ShippedModel, StorageEvent, StorageRequest, Told};

/// The files of the restorer that comes with the page, with their sizes.
const RESTORER_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/restorer/manifest.json"));
/// Those of the translator.
const TRANSLATOR_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/translator/manifest.json"));
/// Those of the edited texts.
const CORPUS_FILES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/corpus/manifest.json"));

/// Where a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// The engine has not said yet what is stored.
    Unknown,
    /// In this browser; nothing is fetched.
    Here,
    /// On the server. So many bytes are fetched before it answers, where the page knows that.
    Away(Option<u64>),
}

impl Models {
    /// Asks the engine what is stored, unless it was asked already.
    pub fn look(self) {
        if self.looked.get_value() {
            return;
        }
        self.looked.set_value(true);
        self.engine.ask(StorageRequest::ListModels, move |event| match event {
            Told::Answer(StorageEvent::Storage(usage)) => self.usage.set(Some(usage)),
            // Why the engine does not answer is said when it is asked for more than a list.
            Told::Failed(_) => self.unlisted.set(true),
            _ => {}
        });
    }

    /// Where the chosen restorer is, with the edited texts where these count. Followed as a signal.
    pub fn restorer(self, workbench: Workbench) -> Whereabouts {
        with_texts(workbench.device.model.with(|model| self.whereabouts(model)), self.texts(workbench))
    }

    /// Where the edited texts are; as good as here where they do not count. Followed as a signal.
    pub fn texts(self, workbench: Workbench) -> Whereabouts {
        match workbench.text.work.with(|work| work.contexts) {
            true => self.whereabouts(&CORPORA),
            false => Whereabouts::Here,
        }
    }

    /// Where the chosen translator is. Followed as a signal.
    pub fn translator(self, choice: TranslatorChoice) -> Whereabouts {
        self.whereabouts(&choice.model())
    }

    fn whereabouts(self, model: &ModelRef) -> Whereabouts {
        let unlisted = self.unlisted.get();
        self.usage.with(|usage| {
            let stored = usage.as_ref().map(|usage| usage.shipped.as_slice());
            whereabouts(model, stored.or(unlisted.then_some(&[])))
        })
    }
}

/// Notes whether there is a network, now and whenever that changes.
pub fn watch_the_network(models: Models) {
    let look = move || models.online.set(window().navigator().on_line());
    look();
    for change in ["online", "offline"] {
        let listener = window_event_listener_untyped(change, move |_| look());
        on_cleanup(move || listener.remove());
    }
}

/// Opens the restorer as soon as the workbench is shown and the restorer is known to be here, once in a visit; the
/// other parts of the page need none. What had to be fetched is noted when it is open, the edited texts too.
pub fn open_what_is_here(workbench: Workbench, models: Models) {
    let is_shown = Memo::new(move |_| workbench.page.get() == Page::Workbench);
    let found = Memo::new(move |_| models.restorer(workbench));
    Effect::new(move |done: Option<bool>| {
        if done == Some(true) || !is_shown.get() {
            return done.unwrap_or(false);
        }
        untrack(|| models.look());
        let is_closed = workbench.restoring.restorer.state.with_untracked(|state| *state == ModelState::Closed);
        match found.get() {
            Whereabouts::Here if is_closed => untrack(|| workbench.open_restorer()),
            Whereabouts::Here => {}
            Whereabouts::Unknown | Whereabouts::Away(_) => return false,
        }
        true
    });
    list_what_came(models, Memo::new(move |_| workbench.restoring.restorer.is_ready()), found);
    list_what_came(
        models,
        Memo::new(move |_| workbench.corpora.is_ready()),
        Memo::new(move |_| models.texts(workbench)),
    );
}

/// Lists what is stored once something that was away is open, so that nothing is said to be away that has come.
pub fn list_what_came(models: Models, ready: Memo<bool>, found: Memo<Whereabouts>) {
    Effect::new(move |_| {
        if ready.get() && matches!(found.get_untracked(), Whereabouts::Away(_)) {
            models.list();
        }
    });
}

/// `stored` is what comes with the page and lies in this browser, once that is known.
fn whereabouts(model: &ModelRef, stored: Option<&[ShippedModel]>) -> Whereabouts {
    let ModelRef::Shipped(folder) = model else { return Whereabouts::Here };
    match stored {
        None => Whereabouts::Unknown,
        Some(stored) if stored.iter().any(|own| own.name == folder.name()) => Whereabouts::Here,
        Some(_) => {
            let files = [(DEFAULT_MODEL, RESTORER_FILES), (SHIPPED, TRANSLATOR_FILES), (CORPORA, CORPUS_FILES)];
            let known = files.iter().find(|(own, _)| own.is_same(model));
            Whereabouts::Away(known.and_then(|(_, files)| bytes_of(files)))
        }
    }
}

/// A restorer that is away is fetched with the texts that are asked beside it. One that is here is not kept waiting for
/// them.
fn with_texts(restorer: Whereabouts, texts: Whereabouts) -> Whereabouts {
    match (restorer, texts) {
        (Whereabouts::Away(own), Whereabouts::Away(more)) => {
            Whereabouts::Away(own.zip(more).map(|(own, more)| own + more))
        }
        (restorer, _) => restorer,
    }
}

/// The bytes of all files of a manifest.
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

    /// Bytes of the files of a folder that the page has beside it, those for readers left out.
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
            assert_eq!(whereabouts(&model, Some(&[])), Whereabouts::Away(Some(on_disk(&model))), "{model}");
        }
        let [restorer, texts] = [DEFAULT_MODEL, CORPORA].map(|model| whereabouts(&model, Some(&[])));
        let both = on_disk(&DEFAULT_MODEL) + on_disk(&CORPORA);
        assert_eq!(with_texts(restorer, texts), Whereabouts::Away(Some(both)));
        assert_eq!(with_texts(restorer, Whereabouts::Here), restorer);
        assert_eq!(with_texts(Whereabouts::Here, texts), Whereabouts::Here);
    }

    #[test]
    fn what_is_stored_is_here() {
        let tiny = ModelRef::shipped("models/tiny/");
        assert_eq!(whereabouts(&DEFAULT_MODEL, None), Whereabouts::Unknown);
        assert_eq!(whereabouts(&DEFAULT_MODEL, Some(&stored(&["restorer"]))), Whereabouts::Here);
        assert_eq!(whereabouts(&tiny, Some(&stored(&["restorer"]))), Whereabouts::Away(None));
        assert_eq!(whereabouts(&tiny, Some(&stored(&["tiny"]))), Whereabouts::Here);
        assert_eq!(whereabouts(&ModelRef::stored("mine"), None), Whereabouts::Here, "it is nowhere else");
    }
}
