//! Step 1: the user's pairs, pasted, dropped, chosen or sampled, and what was read of them.

use super::columns::Mapping;
use crate::app::format;
use crate::app::training::{Prepared, Training};
use leptos::ev::DragEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A longer corpus is not put into the field, which would make the page slow.
const MOST_SHOWN: usize = 200_000;
/// How many rows that are left out are listed.
const LISTED: usize = 200;

/// The step.
#[component]
pub fn Corpus() -> impl IntoView {
    let training = expect_context::<Training>();
    let over = RwSignal::new(false);
    view! {
        <section
            id="train-corpus"
            class="card"
            class:over=over
            aria-labelledby="train-corpus-title"
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                over.set(false);
                let files = event.data_transfer().and_then(|data| data.files());
                if let Some(file) = files.and_then(|files| files.get(0)) {
                    event.prevent_default();
                    training.open_file(file);
                }
            }
        >
            <h2 id="train-corpus-title" tabindex="-1">
                "1. Your corpus"
            </h2>
            <p class="hint">
                "Pairs of a transliteration and its translation, one a row: TSV, CSV, or JSON objects a line, up to 20 MB. The name of the text that a row is from helps to measure honestly. Nothing leaves this device."
            </p>
            <Ways />
            <Field />
            <Trouble />
            <Mapping />
            <Reading />
            {move || training.corpus.get().map(|prepared| told(training, &prepared))}
        </section>
    }
}

/// The ways to bring a corpus.
#[component]
fn Ways() -> impl IntoView {
    let training = expect_context::<Training>();
    let pick = move |event: leptos::ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            training.open_file(file);
        }
        // The same file can then be chosen again.
        input.set_value("");
    };
    let empty = Memo::new(move |_| training.text.with(|text| text.is_empty()));
    view! {
        <p class="buttons">
            <label class="file">
                <input id="corpus-file" type="file" accept=".tsv,.csv,.txt,.jsonl,.json,text/plain" class="unseen" on:change=pick />
                "Choose a file …"
            </label>
            <button id="corpus-sample" type="button" on:click=move |_| training.open_sample()>
                "Take the sample: 60 Old Assyrian pairs"
            </button>
            <button
                id="corpus-clear"
                type="button"
                class="quiet"
                hidden=move || empty.get()
                on:click=move |_| training.take(String::new(), "")
            >
                "Clear"
            </button>
            <button
                id="corpus-back"
                type="button"
                class="quiet"
                hidden=move || training.corpus_before.with(Option::is_none)
                on:click=move |_| training.bring_corpus_back()
            >
                "Bring back what was here before"
            </button>
        </p>
        <p class="hint" hidden=move || training.choices.with(|choices| choices.file != "old-assyrian-pairs.tsv")>
            "Sample: segments of 15 tablets from Kültepe, Cuneiform Digital Library Initiative (cdli.earth), re-used with mention of the source. Too few to learn from; they show how training goes."
        </p>
    }
}

#[component]
fn Field() -> impl IntoView {
    let training = expect_context::<Training>();
    let large = Memo::new(move |_| training.text.with(|text| text.len() > MOST_SHOWN));
    let value = move || if large.get() { String::new() } else { training.text.with(|text| text.to_string()) };
    let told = move || {
        let name = training.choices.with(|choices| choices.file.clone());
        let name = if name.is_empty() { "The corpus".to_owned() } else { name };
        format!(
            "{name} has {}, too much to show here as a whole.",
            training.text.with(|text| format::bytes(text.len() as u64))
        )
    };
    view! {
        <div hidden=move || large.get()>
            <label for="corpus-text">"Pairs"</label>
            <textarea
                id="corpus-text"
                rows="5"
                spellcheck="false"
                autocomplete="off"
                wrap="off"
                placeholder="a-na a-lim{KI} e-ra-ab⇥I shall enter the City."
                prop:value=value
                on:input=move |event| training.type_corpus(event_target_value(&event))
            ></textarea>
        </div>
        <p hidden=move || !large.get()>{told}</p>
    }
}

/// What is not read and what is not kept.
#[component]
fn Trouble() -> impl IntoView {
    let training = expect_context::<Training>();
    let kept = move || {
        training.not_kept.get().map(|reason| {
            format!("The corpus is not kept for your next visit: {}. Keep its file.", reason.trim_end_matches('.'))
        })
    };
    view! {
        <p id="corpus-unread" class="warning-line" role="alert" hidden=move || training.unread.with(Option::is_none)>
            {move || training.unread.get()}
        </p>
        <p id="corpus-not-kept" class="hint" hidden=move || training.not_kept.with(Option::is_none)>
            {kept}
        </p>
    }
}

/// How far the reading is.
#[component]
fn Reading() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.importing.with(Option::is_some));
    let (done, total) = (
        move || training.importing.get().map_or(0, |(done, _)| done),
        move || training.importing.get().map_or(1, |(_, total)| total.max(1)),
    );
    view! {
        <p id="corpus-reading" class="progress" hidden=move || !there.get()>
            <span class="phase">"Reading the rows"</span>
            <progress aria-label="Reading the rows" max=move || total().to_string() value=move || done().to_string()></progress>
            <span class="figure">{move || format!("{} of {}", format::count(done() as u64), format::count(total() as u64))}</span>
        </p>
    }
}

/// Counts, what is left out, and how the signs are preserved.
fn told(training: Training, prepared: &Prepared) -> impl IntoView + use<> {
    let corpus = &prepared.corpus;
    let [trained, held_out] = prepared.sides;
    let counts = match corpus.pairs.is_empty() {
        true => "No row is a pair.".to_owned(),
        false => format!(
            "{}: {} to train on, {} set aside to measure with, by whole texts.",
            format::plural(corpus.pairs.len(), "pair", "pairs"),
            format::count(trained as u64),
            format::count(held_out as u64),
        ),
    };
    let leaks = (!prepared.leaks.is_empty()).then(|| {
        let pairs = format::plural(prepared.leaks.len(), "more pair", "more pairs");
        format!("{pairs} would be set aside, but the same transliteration stands in a text to train on. They are used for neither.")
    });
    let too_long = (prepared.too_long > 0).then(|| {
        format!("{} longer than 512 bytes and left out.", format::plural(prepared.too_long, "pair is", "pairs are"))
    });
    let left_out = corpus.left_out.len();
    let rows = corpus.left_out.iter().take(LISTED);
    let rows = rows.map(|fault| view! { <li>{format!("Line {}: {}", fault.line, fault.reason)}</li> }).collect_view();
    let more = left_out.saturating_sub(LISTED);
    let damage = corpus.damage;
    view! {
        <p id="corpus-counts" role="status">{counts}</p>
        {leaks.map(|leaks| view! { <p id="corpus-leaks" class="hint">{leaks}</p> })}
        {too_long.map(|too_long| view! { <p class="hint">{too_long}</p> })}
        <details id="corpus-left-out" open={(1..=5).contains(&left_out)} hidden={left_out == 0}>
            <summary>{format!("⚠ {} left out", format::plural(left_out, "row is", "rows are"))}</summary>
            <ul class="plain-list">{rows}</ul>
            <p class="hint" hidden={more == 0}>{format!("… and {} more.", format::count(more as u64))}</p>
        </details>
        {damage
            .rate()
            .map(|rate| {
                let signs = format::count(damage.signs as u64);
                let share = format::percent(rate as f32);
                view! {
                    <p id="corpus-damage">
                        {format!("Of its {signs} signs, {share} are damaged, restored or illegible; training loses 15 % of the legible ones unless you say otherwise. ")}
                        <button id="use-own-rate" type="button" on:click=move |_| training.choose(|choices| choices.rates.drop = (rate * 100.0).round() / 100.0)>
                            {format!("Lose {:.0} % instead", rate * 100.0)}
                        </button>
                    </p>
                }
            })}
    }
}
