//! The help's button and dialog, and what dialogs share.

use super::later::later;
use super::parts;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The button and its dialog, whose text is fetched when it is first opened.
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
            <Show when=move || asked.get()>{later(parts::help)}</Show>
        </dialog>
    }
}

/// Opens a dialog; the browser gives the focus back when it closes.
pub fn open_dialog(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked()
        && !dialog.open()
    {
        // It fails only for a dialog that is open or not in the page.
        let _ = dialog.show_modal();
    }
}

/// Closes its dialog.
#[component]
pub fn CloseButton(
    /// The dialog to close.
    dialog: NodeRef<Dialog>,
) -> impl IntoView {
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    view! {
        <button type="button" class="quiet" on:click=close>
            "Close"
        </button>
    }
}
