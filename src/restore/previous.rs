//! Work that the text of an address set aside, and the way back to it.

use crate::restore::state::{Notice, Workbench};
use crate::shell::storage;
use leptos::prelude::*;

/// Says that there is previous work, if there is.
#[component]
pub fn Previous() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let forget = move || {
        workbench.previous.set(None);
        storage::forget(storage::PREVIOUS);
    };
    let restore_previous = move |_| {
        let Some(previous) = workbench.previous.get_untracked() else { return };
        workbench.restore_previous(previous);
        forget();
        workbench.notify(Notice::done("Your previous work is back. Undo shows the text of the link again."));
    };
    view! {
        <Show when=move || workbench.previous.with(Option::is_some)>
            <section id="previous" class="band" aria-label="Previous work">
                <p>"This page opened with the text of its link. Your previous work is on the shelf."</p>
                <button id="previous-restore" type="button" on:click=restore_previous>
                    "Bring it back"
                </button>
                <button id="previous-forget" type="button" class="quiet" on:click=move |_| forget()>
                    "Leave it there"
                </button>
            </section>
        </Show>
    }
}
