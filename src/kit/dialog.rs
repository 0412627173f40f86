//! Dialogs: opening and closing them, and the question before something is deleted.

use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens a dialog. The browser returns the focus when it closes.
pub fn open_dialog(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked()
        && !dialog.open()
    {
        // This fails only for a dialog that is open or not in the page.
        let _ = dialog.show_modal();
    }
}

/// Opens a dialog while `is_asked` holds and closes it afterwards.
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

/// A button that closes its dialog.
#[component]
pub fn CloseButton(
    /// Dialog that the button closes.
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

/// Asks whether to delete something, while `is_asked` holds. “Keep it” has the focus; closing the dialog also keeps it.
#[component]
pub fn DeletionQuestion(
    /// Id of the dialog.
    id: &'static str,
    /// Id of the button that deletes.
    delete_id: &'static str,
    #[prop(into)] is_asked: Signal<bool>,
    /// The question, naming what would be deleted.
    #[prop(into)]
    question: Signal<String>,
    /// Explanation of what deleting means.
    #[prop(into)]
    consequence: Signal<String>,
    on_delete: impl Fn() + 'static,
    on_keep: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    open_while(dialog, move || is_asked.get());
    let title = format!("{id}-title");
    let labelled_by = title.clone();
    view! {
        <dialog id=id node_ref=dialog aria-labelledby=labelled_by on:close=move |_| on_keep()>
            <h2 id=title>{question}</h2>
            <p>{consequence}</p>
            <p class="buttons">
                <button id=delete_id type="button" on:click=move |_| on_delete()>
                    "Delete"
                </button>
                <button type="button" class="quiet" autofocus=true on:click=move |_| on_keep()>
                    "Keep it"
                </button>
            </p>
        </dialog>
    }
}
