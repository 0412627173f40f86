//! The dialog that asks for the name of an archive.

use crate::kit::dialog::open_while;
use crate::restore::state::Workbench;
use leptos::ev::SubmitEvent;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The dialog; it opens when an archive is to be kept.
#[component]
pub fn NameDialog() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    let dialog = NodeRef::<Dialog>::new();
    let name = RwSignal::new(String::new());
    Effect::new(move |_| {
        if let Some(archive) = corpora.to_keep.get() {
            name.set(archive.name);
            if corpora.own.with_untracked(Option::is_none) {
                corpora.list_own();
            }
        }
    });
    open_while(dialog, move || corpora.to_keep.with(Option::is_some));
    let called = move || name.with(|name| name.trim().to_owned());
    let keep = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(archive) = corpora.to_keep.get_untracked().filter(|_| !untrack(called).is_empty()) {
            corpora.keep_own(workbench, tuppum_protocol::OwnArchive { name: untrack(called), ..archive });
            corpora.to_keep.set(None);
        }
    };
    view! {
        <dialog
            id="own-name-dialog"
            node_ref=dialog
            aria-labelledby="own-name-title"
            on:close=move |_| corpora.to_keep.set(None)
        >
            <form on:submit=keep>
                <Purpose />
                <Name name />
                <p class="buttons">
                    <button id="own-name-keep" type="submit" class="primary">
                        "Keep"
                    </button>
                    <button type="button" class="quiet" on:click=move |_| corpora.to_keep.set(None)>
                        "Cancel"
                    </button>
                </p>
            </form>
        </dialog>
    }
}

/// The field for the name, with a warning if the name is taken.
#[component]
fn Name(name: RwSignal<String>) -> impl IntoView {
    let corpora = expect_context::<Workbench>().corpora;
    let is_taken = move || {
        let name = name.with(|name| name.trim().to_owned());
        corpora.own.with(|own| own.as_ref().is_some_and(|own| own.archives.iter().any(|one| one.name == name)))
    };
    view! {
        <label class="field">
            <span>"Name"</span>
            <input
                id="own-name"
                type="text"
                autocomplete="off"
                required
                aria-describedby="own-name-taken"
                prop:value=move || name.get()
                on:input=move |event| name.set(event_target_value(&event))
            />
        </label>
        <p id="own-name-taken" class="hint" role="status">
            {move || is_taken().then_some("It takes the place of what you kept under this name.")}
        </p>
    }
}

/// Explanation of what keeping does.
#[component]
fn Purpose() -> impl IntoView {
    view! {
        <h2 id="own-name-title">"Keep among your own texts"</h2>
        <p class="hint">
            "It stands beside the edited texts from now on, on this device only: what it reads is shown for gaps and \
             lines of other texts, and its names in them, marked as yours. You find it on the page “Models”."
        </p>
    }
}
