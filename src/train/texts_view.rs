//! Step 1 for a restorer: import of texts, and what was read of them.

use super::import::{Import, Material};
use crate::shell::format;
use crate::train::{PreparedTexts, TEXTS_SAMPLE, Training};
use leptos::prelude::*;

/// The step.
#[component]
pub fn Texts() -> impl IntoView {
    let training = expect_context::<Training>();
    let corpus_not_stored = move || {
        training.texts_not_stored.get().map(|reason| {
            format!("The texts are not stored for your next visit: {}. Keep their file.", reason.trim_end_matches('.'))
        })
    };
    view! {
        <Import material=material(training)>
            <p class="hint" hidden=move || training.texts_not_stored.with(Option::is_none)>
                {corpus_not_stored}
            </p>
            {move || training.texts.get().map(|prepared| told(&prepared))}
        </Import>
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
fn told(prepared: &PreparedTexts) -> impl IntoView + use<> {
    let [trained, held_out] = prepared.sides;
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
