//! The user's texts without translation, for a restorer.

use super::earlier::Earlier;
use super::prepared_texts::PreparedTexts;
use super::state::Training;
use crate::shell::file;
use crate::shell::{fetch, format};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::restoring::MIN_LEGIBLE_SIGNS;
use tuppum_protocol::texts::texts;

/// The bundled sample, relative to the page.
const SAMPLE: &str = "assets/old-assyrian-letters.txt";
/// Name of the sample, as of a file.
pub const TEXTS_SAMPLE: &str = "old-assyrian-letters.txt";
/// How long typing must rest before texts are read, in milliseconds.
const REST: u32 = 300;
/// Larger files are for the command line: they are read here at once, and kept in memory twice.
const LARGEST: usize = 4_000_000;

impl Training {
    /// Takes texts in place of the present ones, from a file of this name or from none.
    pub fn take_texts(self, typed: String, file: &str) {
        let file_before = self.choices.with_untracked(|choices| choices.texts_file.clone());
        let present = Earlier { text: self.texts_typed.get_untracked(), file: file_before };
        self.texts_before.update(|before| *before = Earlier::of(present, &typed, before.take()));
        self.unread.set(None);
        self.texts_typed.set(typed.into());
        self.choose(|choices| file.clone_into(&mut choices.texts_file));
        self.store_texts();
        self.read_texts();
    }

    /// Takes what is being typed; it is read when the typing rests.
    pub fn type_texts(self, typed: String) {
        self.unread.set(None);
        self.texts_typed.set(typed.into());
        self.typing_texts.start(REST, move || {
            self.choose(|choices| choices.texts_file.clear());
            self.store_texts();
            self.read_texts();
        });
    }

    /// Reads a file of the user's.
    pub fn open_texts(self, file: web_sys::File) {
        leptos::task::spawn_local(async move {
            match file::text(&file, LARGEST, "tuppum train-restorer").await {
                Ok(text) => self.take_texts(text, &file.name()),
                Err(problem) => self.unread.set(Some(problem)),
            }
        });
    }

    /// Fetches the bundled sample.
    pub fn open_texts_sample(self) {
        leptos::task::spawn_local(async move {
            match fetch::text(SAMPLE).await {
                Ok(text) => self.take_texts(text, TEXTS_SAMPLE),
                Err(reason) => self.unread.set(Some(format!("The sample could not be fetched: {reason}."))),
            }
        });
    }

    /// Reads the present texts.
    pub fn read_texts(self) {
        self.typing_texts.cancel();
        let typed = self.texts_typed.get_untracked();
        if typed.len() > LARGEST {
            let [there, most] = [typed.len(), LARGEST].map(|bytes| format::bytes(bytes as u64));
            self.unread.set(Some(format!("These texts have {there}; at most {most} are read here. Cut them.")));
            self.texts.set(None);
            return;
        }
        let read = (!typed.trim().is_empty()).then(|| Arc::new(PreparedTexts::of(texts(&typed))));
        self.texts.set(read);
    }

    /// Why a restorer cannot be trained on these texts, for the user; none where it can.
    pub(super) fn why_not_these_texts(self) -> Option<String> {
        let Some(prepared) = self.texts.get() else { return Some("Load some texts first.".into()) };
        (prepared.sides[0] == 0).then(|| format!("No text to train on has {MIN_LEGIBLE_SIGNS} signs that can be read."))
    }
}
