//! Import of a model from a hub: the user names it, the page shows what the hub offers, and nothing large is fetched
//! before the user agrees.

use crate::models::Models;
use crate::restore::state::Workbench;
use crate::shell::format;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use tuppum_protocol::Offer;

/// Limit of a tab's memory on any device: addresses have 32 bits.
const MOST_MEMORY: u64 = 1 << 32;

/// The form and its result.
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
    let too_large = offer.memory > MOST_MEMORY;
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
