//! Step 1 for a translator: import of pairs. They are read in short stretches, so that the page stays responsive.

use super::columns::Mapping;
use super::import::{ImportCard, Material};
use crate::kit::timing::now;
use crate::kit::{files, format};
use crate::restore::state::Workbench;
use crate::train::{PreparedPairs, ReplacedText, Training};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::translation::{Scope, passages};
use tuppum_protocol::{DeviceMemory, LongestPair, OwnArchive, OwnPair};
use tuppum_text::Document;
use tuppum_text::augment::Rates;
use tuppum_text::pair_table::{Columns, Damage, Import, ImportedPair, ImportedPairs, LARGEST, Table, leaks};

/// Address of the bundled sample, relative to the page.
const SAMPLE_ADDRESS: &str = "assets/old-assyrian-pairs.tsv";
/// Name shown for the bundled sample.
const PAIRS_SAMPLE: &str = "old-assyrian-pairs.tsv";
/// Delay between the last keystroke and the reading of the corpus, in milliseconds.
const READ_AFTER_MS: u32 = 300;
/// Longest time of reading without giving the browser a turn, in milliseconds.
const STRETCH_MS: f64 = 25.0;

impl Training {
    /// Replaces the present corpus; `file` is the name of its file, or empty.
    pub fn take(self, text: String, file: &str) {
        let file_before = self.choices.with_untracked(|choices| choices.file.clone());
        let present = ReplacedText { text: self.text.get_untracked(), file: file_before };
        self.corpus_before.update(|before| *before = ReplacedText::of(present, &text, before.take()));
        self.unread.set(None);
        self.text.set(text.into());
        self.choose(|choices| {
            file.clone_into(&mut choices.file);
            (choices.shape, choices.header, choices.columns) = (None, None, None);
        });
        self.store_corpus();
        self.read_again();
    }

    /// Takes the corpus as the user types it, and reads it when the typing pauses.
    pub fn type_corpus(self, text: String) {
        self.unread.set(None);
        self.text.set(text.into());
        self.typing_pairs.start(READ_AFTER_MS, move || {
            self.choose(|choices| choices.file.clear());
            self.store_corpus();
            self.read_again();
        });
    }

    /// Reads a file that the user chose or dropped.
    pub fn open_file(self, file: web_sys::File) {
        leptos::task::spawn_local(async move {
            match files::read_text(&file, LARGEST, "tuppum train").await {
                Ok(text) => self.take(text, &file.name()),
                Err(problem) => self.unread.set(Some(problem)),
            }
        });
    }

    /// Fetches the bundled sample.
    pub fn open_sample(self) {
        leptos::task::spawn_local(async move {
            match files::fetch_text(SAMPLE_ADDRESS).await {
                Ok(text) => self.take(text, PAIRS_SAMPLE),
                Err(reason) => self.unread.set(Some(format!("The sample could not be fetched: {reason}."))),
            }
        });
    }

    /// Reads the present corpus with the present settings.
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
            self.read_rows(reading, Import::new(table, columns));
        } else {
            self.importing.set(None);
        }
    }

    /// Reads rows for one stretch, then gives the browser a turn.
    fn read_rows(self, reading: u32, mut import: Import) {
        let begun = now();
        let mut more = true;
        while more && now() - begun < STRETCH_MS {
            more = import.go_on(8, read);
        }
        if more {
            self.importing.set(Some(import.progress()));
            gloo::timers::callback::Timeout::new(0, move || {
                if self.reading.try_get_value() == Some(reading) {
                    self.read_rows(reading, import);
                }
            })
            .forget();
            return;
        }
        self.importing.set(None);
        self.corpus.set(Some(Arc::new(self.prepared(import.finish()))));
    }

    /// Divides the pairs into training and held-out pairs, and finds the pairs to leave out.
    fn prepared(self, corpus: ImportedPairs) -> PreparedPairs {
        let plan = self.choices.with_untracked(|choices| choices.plan(&corpus, &[], None, DeviceMemory::PROCESSOR));
        let [training, held_out] = plan.split();
        let leaks = leaks(&corpus.pairs, &training, &held_out);
        let split = [training.len(), held_out.len() - leaks.len()];
        let too_long = corpus.pairs.len() - training.len() - held_out.len();
        let kept = (0..).zip(&plan.pairs).filter(|(number, _)| leaks.binary_search(number).is_err());
        let longest = LongestPair::of(kept.map(|(_, pair)| pair.bytes()), plan.settings.longest);
        PreparedPairs { corpus, split, leaks, too_long, longest }
    }
}

/// Returns the text that the network is given of a transliteration, exactly as for translating.
fn read(document: &Document) -> String {
    let passages = passages(document, &[], Scope::Lines);
    passages.iter().map(|passage| passage.as_read().text).collect::<Vec<_>>().join(" ")
}

/// Number of rows listed among those left out.
const MAX_LISTED_ROWS: usize = 200;

/// Step 1 for a translator: import of pairs.
#[component]
pub fn Pairs() -> impl IntoView {
    let training = expect_context::<Training>();
    view! {
        <ImportCard material=material(training)>
            <NotStored />
            <Mapping />
            <ReadingProgress />
            {move || training.corpus.get().map(|prepared| summary(training, &prepared))}
            <KeepPairs />
        </ImportCard>
    }
}

fn material(training: Training) -> Material {
    Material {
        name: "corpus",
        title: "1. Your corpus",
        hint: "Pairs of a transliteration and its translation, one in each row: TSV, CSV, or one JSON object in each \
            line, up to 20 MB. Needed are these two columns; the name of the text that a row comes from helps to \
            measure honestly, and all others are ignored. Nothing leaves this device.",
        accept: ".tsv,.csv,.txt,.jsonl,.json,text/plain",
        sample: "Take the sample: 60 Old Assyrian pairs",
        sample_file: PAIRS_SAMPLE,
        sample_source: "Sample: segments of 15 tablets from Kültepe, Cuneiform Digital Library Initiative \
            (cdli.earth), re-used with credit. Too few to learn from; they only show how training works.",
        label: "Pairs",
        rows: 5,
        wrap: "off",
        placeholder: "a-na a-lim{KI} e-ra-ab⇥I shall enter the City.",
        unnamed: "The corpus",
        typed: training.text,
        before: training.corpus_before,
        file: |choices| &choices.file,
        type_in: Training::type_corpus,
        take: Training::take,
        open: Training::open_file,
        open_sample: Training::open_sample,
    }
}

/// Button that keeps the pairs among the user's own texts, as a translation memory.
#[component]
fn KeepPairs() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    let has_none =
        move || training.corpus.with(|prepared| prepared.as_ref().is_none_or(|all| all.corpus.pairs.is_empty()));
    let keep = move |_| {
        let pair = |pair: &ImportedPair| OwnPair { source: pair.source.clone(), target: pair.target.clone() };
        let pairs = training.corpus.get_untracked().map(|prepared| prepared.corpus.pairs.iter().map(pair).collect());
        let file = training.choices.with_untracked(|choices| choices.file.clone());
        let name = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let name = if name.is_empty() { "My pairs" } else { name }.to_owned();
        let pairs = pairs.unwrap_or_default();
        workbench.corpora.to_keep.set(Some(OwnArchive { name, pairs, ..OwnArchive::default() }));
    };
    view! {
        <p class="buttons" hidden=has_none>
            <button id="keep-pairs" type="button" class="quiet" on:click=keep>
                "Keep these pairs among your own texts"
            </button>
        </p>
    }
}

/// Warning that the corpus is not stored, with the reason.
#[component]
fn NotStored() -> impl IntoView {
    let training = expect_context::<Training>();
    let stored = move || {
        training.corpus_not_stored.get().map(|reason| {
            format!("The corpus is not stored for your next visit: {}. Keep its file.", reason.trim_end_matches('.'))
        })
    };
    view! {
        <p id="corpus-not-kept" class="hint" hidden=move || training.corpus_not_stored.with(Option::is_none)>
            {stored}
        </p>
    }
}

/// Progress of the reading.
#[component]
fn ReadingProgress() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.importing.with(Option::is_some));
    let (done, total) = (
        move || training.importing.get().map_or(0, |(done, _)| done),
        move || training.importing.get().map_or(1, |(_, total)| total.max(1)),
    );
    view! {
        <p id="corpus-reading" class="progress" hidden=move || !there.get()>
            <span class="phase">"Reading the rows"</span>
            <progress
                aria-label="Reading the rows"
                max=move || total().to_string()
                value=move || done().to_string()
            ></progress>
            <span class="figure">
                {move || format!("{} of {}", format::count(done() as u64), format::count(total() as u64))}
            </span>
        </p>
    }
}

/// Number of pairs, rows left out, and the share of damaged signs.
fn summary(training: Training, prepared: &PreparedPairs) -> impl IntoView + use<> {
    let corpus = &prepared.corpus;
    let [trained, held_out] = prepared.split;
    let whole = match corpus.pairs.iter().any(|pair| !pair.text.is_empty()) {
        true => "in whole texts",
        false => "each as a text of its own, since no column names the text",
    };
    let counts = match corpus.pairs.is_empty() {
        true => "No row holds a pair.".to_owned(),
        false => format!(
            "{}: {} to train on, {} set aside to measure on, {whole}.",
            format::plural(corpus.pairs.len(), "pair", "pairs"),
            format::count(trained as u64),
            format::count(held_out as u64),
        ),
    };
    let leaks = (!prepared.leaks.is_empty()).then(|| {
        let pairs = format::plural(prepared.leaks.len(), "more pair", "more pairs");
        format!(
            "{pairs} would be set aside, but the same transliteration is also in a text to train on. They are used for \
             neither."
        )
    });
    let too_long = (prepared.too_long > 0).then(|| {
        format!("{} longer than 512 bytes and left out.", format::plural(prepared.too_long, "pair is", "pairs are"))
    });
    let left_out = corpus.left_out.len();
    let rows = corpus.left_out.iter().take(MAX_LISTED_ROWS);
    let rows = rows.map(|fault| view! { <li>{format!("Line {}: {}", fault.line, fault.reason)}</li> }).collect_view();
    let more = left_out.saturating_sub(MAX_LISTED_ROWS);
    view! {
        <p id="corpus-counts" role="status">{counts}</p>
        {leaks.map(|leaks| view! { <p id="corpus-leaks" class="hint">{leaks}</p> })}
        {too_long.map(|too_long| view! { <p class="hint">{too_long}</p> })}
        <details id="corpus-left-out" open={(1..=5).contains(&left_out)} hidden={left_out == 0}>
            <summary>{format!("⚠ {} left out", format::plural(left_out, "row is", "rows are"))}</summary>
            <ul class="plain-list">{rows}</ul>
            <p class="hint" hidden={more == 0}>{format!("… and {} more.", format::count(more as u64))}</p>
        </details>
        {damage_sentence(prepared.corpus.damage).map(|(summary, share)| {
            let lose = move |_| training.choose(|choices| choices.rates.drop = f64::from(share) / 100.0);
            view! {
                <p id="corpus-damage">
                    {summary}
                    <button id="use-own-rate" type="button" hidden={share == 0} on:click=lose>
                        {format!("Lose {share} % instead")}
                    </button>
                </p>
            }
        })}
    }
}

/// Returns a sentence on the share of damaged signs, and this share in whole percent as a suggested rate of lost signs.
/// The share is 0 for editions without brackets: a model that never sees a gap does not learn to read texts with gaps.
fn damage_sentence(damage: Damage) -> Option<(String, u8)> {
    let rate = damage.rate()?;
    let signs = format::count(damage.signs as u64);
    let usual = Rates::default().drop * 100.0;
    // A share is at most 100 %.
    let share = (rate * 100.0).round() as u8;
    let summary = match share {
        0 => format!(
            "Of its {signs} signs, {} is marked as damaged, restored or illegible: the corpus seems to be edited \
             without brackets and does not show what was broken. Training makes {usual:.0} % of the signs illegible \
             unless you choose otherwise, so that the model learns to read with gaps.",
            if damage.damaged == 0 { "none" } else { "hardly any" },
        ),
        _ => format!(
            "Of its {signs} signs, {} are damaged, restored or illegible; training makes {usual:.0} % of the legible \
             ones illegible unless you choose otherwise. ",
            format::percent(rate as f32),
        ),
    };
    Some((summary, share))
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

    #[test]
    fn a_corpus_without_brackets_suggests_no_share() {
        let shown = |damaged| damage_sentence(Damage { signs: 1_000, damaged }).unwrap();
        for damaged in [0, 4] {
            let (summary, share) = shown(damaged);
            assert!(share == 0 && summary.contains("edited without brackets") && summary.contains("15 %"), "{summary}");
        }
        let (summary, share) = shown(218);
        assert!(share == 22 && !summary.contains("without brackets"), "{summary}");
        assert_eq!(damage_sentence(Damage::default()), None);
    }
}
