//! The help button and its dialog.

use super::help_text::HelpText;
use crate::kit::dialog::{CloseButton, open_dialog};
use crate::kit::later::{NotFetched, later};
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

/// The help button and its dialog, whose text is drawn when it is first opened.
#[component]
pub fn HelpButton() -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let asked = RwSignal::new(false);
    let open = move |_| {
        asked.set(true);
        open_dialog(dialog);
    };
    view! {
        <button id="help" type="button" class="quiet" on:click=open>
            "Help and about"
        </button>
        <dialog id="help-dialog" node_ref=dialog aria-labelledby="help-title">
            <div class="dialog-head">
                <h2 id="help-title">"Help and about"</h2>
                <CloseButton dialog />
            </div>
            <Show when=move || asked.get()>{later(help)}</Show>
        </dialog>
    }
}

/// Text of the help, fetched together with the cards beside the text (`crate::parts`).
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
fn help() -> Result<AnyView, NotFetched> {
    Ok(view! { <HelpText /> }.into_any())
}
