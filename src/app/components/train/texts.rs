//! Step 1 for a restorer: the user's texts, pasted, dropped, chosen or sampled, and what was read of them.

use crate::app::format;
use crate::app::training::{PreparedTexts, SAMPLE_FILE, Training};
use leptos::ev::DragEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Longer texts are not put into the field, which would make the page slow.
const MOST_SHOWN: usize = 200_000;

/// The step.
#[component]
pub fn Texts() -> impl IntoView {
    let training = expect_context::<Training>();
    let over = RwSignal::new(false);
    view! {
        <section
            id="train-texts"
            class="card"
            class:over=over
            aria-labelledby="train-texts-title"
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
                    training.open_texts(file);
                }
            }
        >
            <h2 id="train-texts-title">"1. Your texts"</h2>
            <p class="hint">
                "Transliterations in any convention that the workbench reads, up to 4 MB. A line such as &P361583 begins a text and gives its number; without such lines an empty line does. Whole texts are set aside to measure with. Nothing leaves this device."
            </p>
            <Ways />
            <Field />
            <p id="texts-unread" class="warning-line" role="alert" hidden=move || training.unread.with(Option::is_none)>
                {move || training.unread.get()}
            </p>
            <p class="hint" hidden=move || training.texts_not_kept.with(Option::is_none)>
                {move || training.texts_not_kept.get().map(|reason| format!("The texts are not kept for your next visit: {}. Keep their file.", reason.trim_end_matches('.')))}
            </p>
            {move || training.texts.get().map(|prepared| told(&prepared))}
        </section>
    }
}

/// The ways to bring texts.
#[component]
fn Ways() -> impl IntoView {
    let training = expect_context::<Training>();
    let pick = move |event: leptos::ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            training.open_texts(file);
        }
        // The same file can then be chosen again.
        input.set_value("");
    };
    let empty = Memo::new(move |_| training.texts_typed.with(|typed| typed.is_empty()));
    view! {
        <p class="buttons">
            <label class="file">
                <input id="texts-file" type="file" accept=".txt,.atf,text/plain" class="unseen" on:change=pick />
                "Choose a file …"
            </label>
            <button id="texts-sample" type="button" on:click=move |_| training.open_texts_sample()>
                "Take the sample: 40 Old Assyrian letters"
            </button>
            <button
                id="texts-clear"
                type="button"
                class="quiet"
                hidden=move || empty.get()
                on:click=move |_| training.take_texts(String::new(), "")
            >
                "Clear"
            </button>
            <button
                id="texts-back"
                type="button"
                class="quiet"
                hidden=move || training.texts_before.with(Option::is_none)
                on:click=move |_| training.bring_texts_back()
            >
                "Bring back what was here before"
            </button>
        </p>
        <p class="hint" hidden=move || training.choices.with(|choices| choices.texts_file != SAMPLE_FILE)>
            "Sample: tablets from Kültepe, Cuneiform Digital Library Initiative (cdli.earth), re-used with mention of the source. Tuppum’s restorer has learnt from these letters already, so what it gains on them here says nothing of other texts; they show how training goes."
        </p>
    }
}

#[component]
fn Field() -> impl IntoView {
    let training = expect_context::<Training>();
    let large = Memo::new(move |_| training.texts_typed.with(|typed| typed.len() > MOST_SHOWN));
    let value = move || if large.get() { String::new() } else { training.texts_typed.with(|typed| typed.to_string()) };
    let told = move || {
        let name = training.choices.with(|choices| choices.texts_file.clone());
        let name = if name.is_empty() { "The text".to_owned() } else { name };
        format!(
            "{name} has {}, too much to show here as a whole.",
            training.texts_typed.with(|typed| format::bytes(typed.len() as u64))
        )
    };
    view! {
        <div hidden=move || large.get()>
            <label for="texts-text">"Texts"</label>
            <textarea
                id="texts-text"
                rows="6"
                spellcheck="false"
                autocomplete="off"
                placeholder="&P361583&#10;1. um-ma A-šur-i-dí-ma&#10;2. a-na Pu-šu-ke-en₆ qí-bi-ma"
                prop:value=value
                on:input=move |event| training.type_texts(event_target_value(&event))
            ></textarea>
        </div>
        <p hidden=move || !large.get()>{told}</p>
    }
}

/// Counts, and how the signs are preserved beside how many are masked.
fn told(prepared: &PreparedTexts) -> impl IntoView + use<> {
    let [trained, held_out] = prepared.sides;
    let counts = format!(
        "{}, {}: {} to train on, {} set aside to measure with.",
        format::plural(prepared.texts.len(), "text", "texts"),
        format::plural(prepared.lines, "line", "lines"),
        format::count(trained as u64),
        format::count(held_out as u64),
    );
    let too_small = (prepared.too_small > 0).then(|| {
        let texts = format::plural(prepared.too_small, "text has", "texts have");
        format!("{texts} too few signs that can be read and no part in it.")
    });
    let (rate, signs) = (prepared.damage.rate(), prepared.damage.signs);
    let damage = rate.map(|rate| {
        format!(
            "Of their {} signs, {} are damaged, restored or illegible. Training masks 5 to 50 % of the legible ones, anew each time, and the model learns to say what stood there; illegible signs are never asked for.",
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
