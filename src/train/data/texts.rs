//! Step 1 for a restorer: import of texts, and what was read of them.

use super::import::{ImportCard, Material};
use crate::kit::{files, format};
use crate::train::{PreparedTexts, ReplacedText, Training};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::restoring::MIN_LEGIBLE_SIGNS;
use tuppum_protocol::texts::texts;

/// Address of the bundled sample, relative to the page.
const SAMPLE_ADDRESS: &str = "assets/old-assyrian-letters.txt";
/// Name shown for the bundled sample.
const TEXTS_SAMPLE: &str = "old-assyrian-letters.txt";
/// Delay between the last keystroke and the reading of the texts, in milliseconds.
const READ_AFTER_MS: u32 = 300;
/// Largest size of the texts, in bytes. Larger files are for the command line: the page reads all texts at once and
/// holds them twice in memory.
const MAX_BYTES: usize = 4_000_000;

impl Training {
    /// Replaces the present texts; `file` is the name of their file, or empty.
    pub fn take_texts(self, typed: String, file: &str) {
        let file_before = self.choices.with_untracked(|choices| choices.texts_file.clone());
        let present = ReplacedText { text: self.texts_typed.get_untracked(), file: file_before };
        self.texts_before.update(|before| *before = ReplacedText::of(present, &typed, before.take()));
        self.unread.set(None);
        self.texts_typed.set(typed.into());
        self.choose(|choices| file.clone_into(&mut choices.texts_file));
        self.store_texts();
        self.read_texts();
    }

    /// Takes texts as the user types them, and reads them when the typing pauses.
    pub fn type_texts(self, typed: String) {
        self.unread.set(None);
        self.texts_typed.set(typed.into());
        self.typing_texts.start(READ_AFTER_MS, move || {
            self.choose(|choices| choices.texts_file.clear());
            self.store_texts();
            self.read_texts();
        });
    }

    /// Reads a file that the user chose or dropped.
    pub fn open_texts(self, file: web_sys::File) {
        leptos::task::spawn_local(async move {
            match files::read_text(&file, MAX_BYTES, "tuppum train-restorer").await {
                Ok(text) => self.take_texts(text, &file.name()),
                Err(problem) => self.unread.set(Some(problem)),
            }
        });
    }

    /// Fetches the bundled sample.
    pub fn open_texts_sample(self) {
        leptos::task::spawn_local(async move {
            match files::fetch_text(SAMPLE_ADDRESS).await {
                Ok(text) => self.take_texts(text, TEXTS_SAMPLE),
                Err(reason) => self.unread.set(Some(format!("The sample could not be fetched: {reason}."))),
            }
        });
    }

    /// Reads the present texts.
    pub fn read_texts(self) {
        self.typing_texts.cancel();
        let typed = self.texts_typed.get_untracked();
        if typed.len() > MAX_BYTES {
            let [there, most] = [typed.len(), MAX_BYTES].map(|bytes| format::bytes(bytes as u64));
            self.unread.set(Some(format!("These texts have {there}; at most {most} are read here. Cut them.")));
            self.texts.set(None);
            return;
        }
        let read = (!typed.trim().is_empty()).then(|| Arc::new(PreparedTexts::of(texts(&typed))));
        self.texts.set(read);
    }

    /// Returns why a restorer cannot be trained on these texts, as a sentence; `None` if it can.
    pub fn why_not_these_texts(self) -> Option<String> {
        let Some(prepared) = self.texts.get() else { return Some("Load some texts first.".into()) };
        (prepared.split[0] == 0).then(|| format!("No text to train on has {MIN_LEGIBLE_SIGNS} signs that can be read."))
    }
}

/// Step 1 for a restorer: import of texts.
#[component]
pub fn Texts() -> impl IntoView {
    let training = expect_context::<Training>();
    let corpus_not_stored = move || {
        training.texts_not_stored.get().map(|reason| {
            format!("The texts are not stored for your next visit: {}. Keep their file.", reason.trim_end_matches('.'))
        })
    };
    view! {
        <ImportCard material=material(training)>
            <p class="hint" hidden=move || training.texts_not_stored.with(Option::is_none)>
                {corpus_not_stored}
            </p>
            {move || training.texts.get().map(|prepared| summary(&prepared))}
        </ImportCard>
    }
}

fn material(training: Training) -> Material {
    Material {
        name: "texts",
        title: "1. Your texts",
        hint: "Transliterations in any convention that the workbench reads, up to 4 MB. A line such as &P361583 begins \
            a text and gives its number; without such lines, an empty line begins a new text. Whole texts are set \
            aside to measure on. Nothing leaves this device.",
        accept: ".txt,.atf,text/plain",
        sample: "Take the sample: 40 Old Assyrian letters",
        sample_file: TEXTS_SAMPLE,
        sample_source: "Sample: tablets from Kültepe, Cuneiform Digital Library Initiative (cdli.earth), re-used with \
            credit. Tuppum’s restorer was already trained on these letters, so what it gains on them here says nothing \
            about other texts; they only show how training works.",
        label: "Texts",
        rows: 6,
        wrap: "soft",
        placeholder: "&P361583\n1. um-ma A-šur-i-dí-ma\n2. a-na Pu-šu-ke-en₆ qí-bi-ma",
        unnamed: "The text",
        typed: training.texts_typed,
        before: training.texts_before,
        file: |choices| &choices.texts_file,
        type_in: Training::type_texts,
        take: Training::take_texts,
        open: Training::open_texts,
        open_sample: Training::open_texts_sample,
    }
}

/// Numbers of texts and lines, and the share of damaged signs beside the share that training masks.
fn summary(prepared: &PreparedTexts) -> impl IntoView + use<> {
    let [trained, held_out] = prepared.split;
    let counts = format!(
        "{}, {}: {} to train on, {} set aside to measure on.",
        format::plural(prepared.texts.len(), "text", "texts"),
        format::plural(prepared.lines, "line", "lines"),
        format::count(trained as u64),
        format::count(held_out as u64),
    );
    let too_small = (prepared.too_small > 0).then(|| {
        let texts = format::plural(prepared.too_small, "text has", "texts have");
        format!("{texts} too few signs that can be read and will not be used.")
    });
    let (rate, signs) = (prepared.damage.rate(), prepared.damage.signs);
    let damage = rate.map(|rate| {
        format!(
            "Of their {} signs, {} are damaged, restored or illegible. Training masks 5 to 50 % of the legible ones, \
             others each time, and the model learns to say what was there; it is never asked about illegible signs.",
            format::count(signs as u64),
            format::percent(rate as f32)
        )
    });
    view! {
        <p id="texts-counts" role="status">{counts}</p>
        {too_small.map(|text| view! { <p class="hint">{text}</p> })}
        {damage.map(|text| view! { <p id="texts-damage" class="hint">{text}</p> })}
    }
}
