//! What dialogs share: opening them, and the button that closes them.

use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens a dialog; the browser gives the focus back when it closes.
pub fn open_dialog(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked()
        && !dialog.open()
    {
        // It fails only for a dialog that is open or not in the page.
        let _ = dialog.show_modal();
    }
}

/// Opens a dialog while something is to be decided in it, and closes it afterwards. Followed as a signal.
pub fn open_while(dialog: NodeRef<Dialog>, is_asked: impl Fn() -> bool + 'static) {
    Effect::new(move |_| match is_asked() {
        true => open_dialog(dialog),
        false => {
            if let Some(dialog) = dialog.get_untracked() {
                dialog.close();
            }
        }
    });
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
