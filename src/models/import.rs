//! Import of a model: from a hub, where nothing large is fetched before the user has read what is offered and agrees,
//! or from files that the user chooses or drops. The page does not read files: the engine does.

use crate::kit::format;
use crate::models::Models;
use crate::restore::state::Workbench;
use leptos::ev::{DragEvent, SubmitEvent};
use leptos::prelude::*;
use tuppum_protocol::{Offer, plain_name};
use wasm_bindgen::JsCast;
use web_sys::{File, FileList};

/// Limit of a tab's memory on any device: addresses have 32 bits.
const MAX_TAB_BYTES: u64 = 1 << 32;

/// Form that looks up a model on a hub, with the hub's offer.
#[component]
pub fn Hub() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let ask = move |event: SubmitEvent| {
        event.prevent_default();
        if !models.asking.is_running_untracked() {
            models.ask();
        }
    };
    view! {
        <section class="card" aria-labelledby="hub-title">
            <h2 id="hub-title">"From a hub"</h2>
            <p class="hint">
                "A hub is a server with published models. Only when you look one up or fetch it does this page ask \
                 another server, and it sends "
                "nothing but the name."
            </p>
            <form on:submit=ask>
                <Field id="hub-id" label="Repository" value=models.id placeholder="google/byt5-small" />
                <details>
                    <summary>"Settings"</summary>
                    <Field id="hub-address" label="Hub" value=models.hub placeholder="https://…" />
                    <Field id="hub-revision" label="Revision" value=models.revision placeholder="main" />
                </details>
                <button id="hub-ask" type="submit" aria-disabled=move || models.asking.is_running().to_string()>
                    {move || if models.asking.is_running() { "Asking …" } else { "Look it up" }}
                </button>
            </form>
            {move || models.offer.get().map(|offer| offered(models, workbench, offer))}
        </section>
    }
}

#[component]
fn Field(id: &'static str, label: &'static str, value: RwSignal<String>, placeholder: &'static str) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                id=id
                type="text"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                placeholder=placeholder
                prop:value=move || value.get()
                on:input=move |event| value.set(event_target_value(&event))
            />
        </label>
    }
}

/// Description of a hub's offer, and the question whether to fetch it.
fn offered(models: Models, workbench: Workbench, offer: Offer) -> impl IntoView {
    let missing = offer.bytes().saturating_sub(offer.present);
    let too_much = offer
        .free
        .filter(|room| missing > *room)
        .map(|room| format!("Too little room: only {} more can be stored. Delete a model first.", format::bytes(room)));
    let too_large = offer.memory > MAX_TAB_BYTES;
    let refused = too_much.is_some();
    let here = match offer.present {
        0 => String::new(),
        present => format!(", {} of it already here", format::bytes(present)),
    };
    let room = offer.free.map_or_else(|| "the browser does not say".to_owned(), format::bytes);
    let repository = offer.repository.clone();
    let fetch = move |_| {
        if !refused {
            models.fetch(workbench, repository.clone());
        }
    };
    view! {
        <div id="hub-offer" role="group" aria-label="What the hub offers">
            <h3>{offer.repository.id.clone()}</h3>
            <dl class="facts">
                <dt>"Parameters"</dt>
                <dd class="figure">{format::count(offer.parameters)}</dd>
                <dt>"To fetch"</dt>
                <dd class="figure">{format!("{}{here}", format::bytes(offer.bytes()))}</dd>
                <dt>"Memory in use"</dt>
                <dd class="figure">{format!("about {}", format::bytes(offer.memory))}</dd>
                <dt>"Room, by the browser’s own estimate"</dt>
                <dd class="figure">{room}</dd>
            </dl>
            <p class="warning-line" hidden=!too_large>
                "This is more memory than a tab can use on the processor (4.29 GB). It may work on a graphics device."
            </p>
            <p id="hub-refused" class="warning-line" hidden=!refused>
                {too_much}
            </p>
            <p class="buttons">
                <button
                    id="hub-fetch"
                    type="button"
                    class="primary"
                    aria-disabled=refused.to_string()
                    aria-describedby=refused.then_some("hub-refused")
                    on:click=fetch
                >
                    {format!("Fetch {}", format::bytes(missing))}
                </button>
                <button type="button" class="quiet" on:click=move |_| models.offer.set(None)>
                    "Not now"
                </button>
            </p>
        </div>
    }
}

/// Area where a model's files are dropped or chosen.
#[component]
pub fn Files() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let name = RwSignal::new(String::new());
    let over = RwSignal::new(false);
    let import = move |files: Option<FileList>| {
        let typed = name.get_untracked();
        let named = if typed.trim().is_empty() { "my-model" } else { typed.trim() };
        models.import_files(workbench, plain_name(named), listed(files.as_ref()));
    };
    let pick = move |event: leptos::ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        import(input.files());
        // Without this, choosing the same files again would fire no event.
        input.set_value("");
    };
    view! {
        <section
            id="model-drop"
            class="card"
            class:over=over
            aria-labelledby="files-title"
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                over.set(false);
                import(event.data_transfer().and_then(|data| data.files()));
            }
        >
            <h2 id="files-title">"From files"</h2>
            <p class="hint">
                "Drop all files of a model here: "<code>"config.json"</code>" and "<code>"model.safetensors"</code>
                ", or "<code>"pytorch_model.bin"</code>", or the pieces with their index; or the files of a run \
                that you saved on the page “Train”. Nothing leaves this device."
            </p>
            <label class="field">
                <span>"Name"</span>
                <input
                    id="model-name"
                    type="text"
                    autocomplete="off"
                    placeholder="my-model"
                    on:input=move |event| name.set(event_target_value(&event))
                />
            </label>
            <label class="file">
                <input id="model-files" type="file" multiple=true class="unseen" on:change=pick />
                "Choose files …"
            </label>
        </section>
    }
}

fn listed(files: Option<&FileList>) -> Vec<File> {
    let Some(files) = files else { return Vec::new() };
    (0..files.length()).filter_map(|number| files.get(number)).collect()
}
