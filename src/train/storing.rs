//! What of the Train view the browser stores at every change.

use super::choices::Choices;
use super::state::Training;
use crate::kit::{format, storage};
use leptos::prelude::*;

/// A corpus of more bytes is not stored: browsers allow about 5 MB for all that a site stores, in two bytes a letter.
const LARGEST_CORPUS: usize = 1_200_000;
/// The same of texts.
const LARGEST_TEXTS: usize = 1_000_000;

impl Training {
    /// Changes the choices, and stores them.
    pub fn choose(self, change: impl FnOnce(&mut Choices)) {
        self.choices.update(change);
        let outcome = self.choices.with_untracked(|choices| storage::store(storage::TRAINING, choices));
        self.choices_not_stored.set(outcome.err());
    }

    /// Stores the corpus if it is not too large; notes why it is not stored.
    pub fn store_corpus(self) {
        let corpus = self.text.get_untracked();
        self.corpus_not_stored.set(store_up_to(LARGEST_CORPUS, storage::CORPUS, &corpus, "it has"));
    }

    /// Stores the texts if they are not too large; notes why they are not stored.
    pub fn store_texts(self) {
        let texts = self.texts_typed.get_untracked();
        self.texts_not_stored.set(store_up_to(LARGEST_TEXTS, storage::TEXTS, &texts, "they have"));
    }
}

/// Stores a text of at most so many bytes. Why it is not stored, and nothing is in its place, if so.
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
