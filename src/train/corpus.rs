//! Reading the user's corpus, a little at a time, so that the page stays alive.

use super::earlier::Earlier;
use super::state::{Prepared, Training};
use crate::shell::fetch;
use crate::shell::file;
use crate::shell::timing::now;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::translation::{Scope, passages};
use tuppum_protocol::{DeviceMemory, LongestPair};
use tuppum_text::Document;
use tuppum_text::pair_table::{Columns, Corpus, Import, LARGEST, Table, leaks};

/// The bundled sample, relative to the page.
const SAMPLE: &str = "assets/old-assyrian-pairs.tsv";
/// Name of the sample, as of a file.
pub const PAIRS_SAMPLE: &str = "old-assyrian-pairs.tsv";
/// How long typing must rest before the corpus is read, in milliseconds.
const REST: u32 = 300;
/// Longest stretch of reading without a turn for the browser, in milliseconds.
const STRETCH: f64 = 25.0;

impl Training {
    /// Takes a corpus in place of the present one, from a file of this name or from none.
    pub fn take(self, text: String, file: &str) {
        let file_before = self.choices.with_untracked(|choices| choices.file.clone());
        let present = Earlier { text: self.text.get_untracked(), file: file_before };
        self.corpus_before.update(|before| *before = Earlier::of(present, &text, before.take()));
        self.unread.set(None);
        self.text.set(text.into());
        self.choose(|choices| {
            file.clone_into(&mut choices.file);
            (choices.shape, choices.header, choices.columns) = (None, None, None);
        });
        self.store_corpus();
        self.read_again();
    }

    /// Takes what is being typed; it is read when the typing rests.
    pub fn type_corpus(self, text: String) {
        self.unread.set(None);
        self.text.set(text.into());
        self.typing_pairs.start(REST, move || {
            self.choose(|choices| choices.file.clear());
            self.store_corpus();
            self.read_again();
        });
    }

    /// Reads a file of the user's.
    pub fn open_file(self, file: web_sys::File) {
        leptos::task::spawn_local(async move {
            match file::text(&file, LARGEST, "tuppum train").await {
                Ok(text) => self.take(text, &file.name()),
                Err(problem) => self.unread.set(Some(problem)),
            }
        });
    }

    /// Fetches the bundled sample.
    pub fn open_sample(self) {
        leptos::task::spawn_local(async move {
            match fetch::text(SAMPLE).await {
                Ok(text) => self.take(text, PAIRS_SAMPLE),
                Err(reason) => self.unread.set(Some(format!("The sample could not be fetched: {reason}."))),
            }
        });
    }

    /// Reads the present text with the present choices.
    pub fn read_again(self) {
        self.typing_pairs.cancel();
        let reading = self.reading.get_value() + 1;
        self.reading.set_value(reading);
        let text = self.text.get_untracked();
        if text.trim().is_empty() {
            self.table.set(None);
            self.corpus.set(None);
            self.importing.set(None);
            return;
        }
        let (shape, header, columns) =
            self.choices.with_untracked(|choices| (choices.shape, choices.header, choices.columns));
        let table = Table::read(&text, shape, header);
        let there = |columns: &Columns| columns.chosen().iter().flatten().all(|column| *column < table.columns.len());
        let columns = columns.filter(there).unwrap_or_else(|| Columns::guess(&table));
        self.columns.set(columns);
        let possible = columns.problem(&table).is_none();
        self.table.set(Some(Arc::new(table.clone())));
        self.corpus.set(None);
        if possible {
            self.importing.set(Some((0, table.rows.len())));
            self.go_on(reading, Import::new(table, columns));
        } else {
            self.importing.set(None);
        }
    }

    /// Reads rows for a moment, then lets the browser have its turn.
    fn go_on(self, reading: u32, mut import: Import) {
        let begun = now();
        let mut more = true;
        while more && now() - begun < STRETCH {
            more = import.go_on(8, read);
        }
        if more {
            self.importing.set(Some(import.progress()));
            gloo::timers::callback::Timeout::new(0, move || {
                if self.reading.try_get_value() == Some(reading) {
                    self.go_on(reading, import);
                }
            })
            .forget();
            return;
        }
        self.importing.set(None);
        self.corpus.set(Some(Arc::new(self.prepared(import.finish()))));
    }

    /// Finds the two sides, and what leaks from the one into the other.
    fn prepared(self, corpus: Corpus) -> Prepared {
        let plan = self.choices.with_untracked(|choices| choices.plan(&corpus, &[], None, DeviceMemory::PROCESSOR));
        let [training, held_out] = plan.split();
        let leaks = leaks(&corpus.pairs, &training, &held_out);
        let sides = [training.len(), held_out.len() - leaks.len()];
        let too_long = corpus.pairs.len() - training.len() - held_out.len();
        let kept = (0..).zip(&plan.pairs).filter(|(number, _)| leaks.binary_search(number).is_err());
        let longest = LongestPair::of(kept.map(|(_, pair)| pair.bytes()), plan.settings.longest);
        Prepared { corpus, sides, leaks, too_long, longest }
    }
}

/// What the translator reads of a transliteration, as the network is given it when it translates.
fn read(document: &Document) -> String {
    let passages = passages(document, &[], Scope::Lines);
    passages.iter().map(|passage| passage.as_read().text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_train_with_what_the_network_is_given_when_it_translates() {
        assert_eq!(
            read(&Document::read("1. a-na 1(u) 4(disz) GIN2 KU3\n2. 2(u) 3(disz)-ma")),
            "a-na 14 GIN₂ KU₃ 23-ma"
        );
    }
}
