//! Storage of settings, corpus and texts in the browser, at every change.

use super::choices::Choices;
use super::state::Training;
use crate::shell::{format, storage};
use leptos::prelude::*;

/// Largest corpus that is stored, in bytes: browsers allow about 5 MB for all that a site stores, and take two bytes
/// for a letter.
const LARGEST_CORPUS: usize = 1_200_000;
/// Largest texts for a restorer that are stored, in bytes.
const LARGEST_TEXTS: usize = 1_000_000;

impl Training {
    /// Changes the settings and stores them.
    pub fn choose(self, change: impl FnOnce(&mut Choices)) {
        self.choices.update(change);
        let outcome = self.choices.with_untracked(|choices| storage::store(storage::TRAINING, choices));
        self.choices_not_stored.set(outcome.err());
    }

    /// Stores the corpus if it is not too large, and notes the reason if it is not stored.
    pub fn store_corpus(self) {
        let corpus = self.text.get_untracked();
        self.corpus_not_stored.set(store_up_to(LARGEST_CORPUS, storage::CORPUS, &corpus, "it has"));
    }

    /// Stores the texts if they are not too large, and notes the reason if they are not stored.
    pub fn store_texts(self) {
        let texts = self.texts_typed.get_untracked();
        self.texts_not_stored.set(store_up_to(LARGEST_TEXTS, storage::TEXTS, &texts, "they have"));
    }
}

/// Stores a text of at most `most` bytes. Otherwise deletes what was stored under `key` and returns the reason.
fn store_up_to(most: usize, key: &str, text: &str, has: &str) -> Option<String> {
    let reason = match text.len() <= most {
        true => storage::store(key, &text).err(),
        false => Some(format!("{has} more than {}", format::bytes(most as u64))),
    };
    if reason.is_some() {
        storage::forget(key);
    }
    reason
}
