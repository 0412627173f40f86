//! The card with which a corpus or texts are imported: choose, drop or paste them, or take a sample.

use crate::kit::format;
use crate::train::{Choices, ReplacedText, Training};
use leptos::ev::{DragEvent, Event};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{File, HtmlInputElement};

/// Largest text shown in the field, in bytes; larger ones would make the page slow.
const MAX_SHOWN_BYTES: usize = 200_000;

/// Labels, signals and functions of one import card.
#[derive(Clone, Copy)]
pub struct Material {
    /// Prefix of the identifiers in the card.
    pub name: &'static str,
    pub title: &'static str,
    /// Explanation under the title: accepted formats, and what happens to the data.
    pub hint: &'static str,
    /// Accepted kinds of files, in the syntax of the attribute `accept`.
    pub accept: &'static str,
    /// Label of the button that loads the sample.
    pub sample: &'static str,
    pub sample_file: &'static str,
    /// Source and limits of the sample, shown while the sample is loaded.
    pub sample_source: &'static str,
    /// Label of the text field.
    pub label: &'static str,
    /// Lines of the text field.
    pub rows: u8,
    /// Line breaking in the field: `soft` or `off`.
    pub wrap: &'static str,
    pub placeholder: &'static str,
    /// Name shown for pasted data, which has no file.
    pub unnamed: &'static str,
    /// The present text.
    pub typed: RwSignal<Arc<str>>,
    /// The text that the present one replaced.
    pub before: RwSignal<Option<ReplacedText>>,
    /// Name of the present text's file.
    pub file: fn(&Choices) -> &str,
    /// Takes text as the user types it.
    pub type_in: fn(Training, String),
    /// Replaces the present text by another; the last argument is its file's name.
    pub take: fn(Training, String, &str),
    /// Reads a file.
    pub open: fn(Training, File),
    /// Fetches the sample.
    pub open_sample: fn(Training),
}

/// The import card; `children` show what was read, below the field.
#[component]
pub fn ImportCard(material: Material, children: Children) -> impl IntoView {
    let training = expect_context::<Training>();
    let over = RwSignal::new(false);
    let drop = move |event: DragEvent| {
        over.set(false);
        if let Some(file) = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0)) {
            event.prevent_default();
            (material.open)(training, file);
        }
    };
    view! {
        <section
            id=format!("train-{}", material.name)
            class="card"
            class:over=over
            aria-labelledby=format!("train-{}-title", material.name)
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=drop
        >
            <h2 id=format!("train-{}-title", material.name) tabindex="-1">
                {material.title}
            </h2>
            <p class="hint">{material.hint}</p>
            <Ways material />
            <Field material />
            <p
                id=format!("{}-unread", material.name)
                class="warning-line"
                role="alert"
                hidden=move || training.unread.with(Option::is_none)
            >
                {move || training.unread.get()}
            </p>
            {children()}
        </section>
    }
}

/// Buttons that choose a file, load the sample, clear the field or bring the previous text back.
#[component]
fn Ways(material: Material) -> impl IntoView {
    let training = expect_context::<Training>();
    let Material { name, typed, before, sample_file, .. } = material;
    let pick = move |event: Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            (material.open)(training, file);
        }
        // Without this, choosing the same file again would fire no event.
        input.set_value("");
    };
    let restore_replaced = move |_| {
        if let Some(earlier) = before.get_untracked() {
            (material.take)(training, earlier.text.to_string(), &earlier.file);
        }
    };
    let empty = Memo::new(move |_| typed.with(|typed| typed.is_empty()));
    view! {
        <p class="buttons">
            <label class="file">
                <input id=format!("{name}-file") type="file" accept=material.accept class="unseen" on:change=pick />
                "Choose a file …"
            </label>
            <button id=format!("{name}-sample") type="button" on:click=move |_| (material.open_sample)(training)>
                {material.sample}
            </button>
            <button
                id=format!("{name}-clear")
                type="button"
                class="quiet"
                hidden=move || empty.get()
                on:click=move |_| (material.take)(training, String::new(), "")
            >
                "Clear"
            </button>
            <button
                id=format!("{name}-back")
                type="button"
                class="quiet"
                hidden=move || before.with(Option::is_none)
                on:click=restore_replaced
            >
                "Bring back what was here before"
            </button>
        </p>
        <p class="hint" hidden=move || training.choices.with(|choices| (material.file)(choices) != sample_file)>
            {material.sample_source}
        </p>
    }
}

/// The text field; for a text that is too large for it, only the size is shown.
#[component]
fn Field(material: Material) -> impl IntoView {
    let training = expect_context::<Training>();
    let Material { name, typed, .. } = material;
    let large = Memo::new(move |_| typed.with(|typed| typed.len() > MAX_SHOWN_BYTES));
    let value = move || if large.get() { String::new() } else { typed.with(|typed| typed.to_string()) };
    let sentence = move || {
        let file = training.choices.with(|choices| (material.file)(choices).to_owned());
        let file = if file.is_empty() { material.unnamed.to_owned() } else { file };
        let size = typed.with(|typed| format::bytes(typed.len() as u64));
        format!("{file} has {size}, which is too much to show here in full.")
    };
    let id = format!("{name}-text");
    view! {
        <div hidden=move || large.get()>
            <label for=id.clone()>{material.label}</label>
            <textarea
                id=id
                rows=material.rows.to_string()
                spellcheck="false"
                autocomplete="off"
                wrap=material.wrap
                placeholder=material.placeholder
                prop:value=value
                on:input=move |event| (material.type_in)(training, event_target_value(&event))
            ></textarea>
        </div>
        <p hidden=move || !large.get()>{sentence}</p>
    }
}
