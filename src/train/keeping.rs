//! What of the Train view the browser keeps between visits.

use super::choices::Choices;
use super::state::Training;
use crate::shell::{format, storage};
use leptos::prelude::*;

/// A corpus of more bytes is not kept: browsers allow about 5 MB for all that a site keeps, in two bytes a letter.
const MOST_KEPT: usize = 1_200_000;

impl Training {
    /// Brings back what was kept, once a visit.
    pub fn begin(self) {
        if self.begun.try_update_value(|begun| std::mem::replace(begun, true)) != Some(false) {
            return;
        }
        if let Some(choices) = storage::kept::<Choices>(storage::TRAINING) {
            self.choices.set(choices);
        }
        if let Some(ablation) = storage::kept(storage::ABLATION) {
            self.ablation.set(ablation);
        }
        if let Some(typed) = storage::kept::<String>(storage::TEXTS).filter(|typed| !typed.is_empty()) {
            self.texts_typed.set(typed.into());
            self.read_texts();
        }
        if let Some(text) = storage::kept::<String>(storage::CORPUS).filter(|text| !text.is_empty()) {
            self.text.set(text.into());
            self.read_again();
        }
    }

    /// Changes the choices, and keeps them.
    pub fn choose(self, change: impl FnOnce(&mut Choices)) {
        self.choices.update(change);
        let outcome = self.choices.with_untracked(|choices| storage::keep(storage::TRAINING, choices));
        self.choices_not_kept.set(outcome.err());
    }

    /// Keeps the corpus if it is not too large; says so where it is not kept.
    pub fn keep_corpus(self) {
        let outcome = self.text.with_untracked(|text| match text.len() {
            0..=MOST_KEPT => storage::keep(storage::CORPUS, &&**text),
            _ => Err(format!("it has more than {}", format::bytes(MOST_KEPT as u64))),
        });
        if outcome.is_err() {
            storage::forget(storage::CORPUS);
        }
        self.not_kept.set(outcome.err());
    }
}
