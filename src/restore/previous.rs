//! A band that offers work set aside for the text of an address.

use crate::frame::notice::Notice;
use crate::kit::storage;
use crate::restore::state::Workbench;
use crate::texts::state::Texts;
use leptos::prelude::*;

/// The band; absent if no work was set aside.
#[component]
pub fn Previous() -> impl IntoView {
    let (workbench, texts) = (expect_context::<Workbench>(), expect_context::<Texts>());
    // Asked once a visit: a user who deletes the work from the shelf later knows where it went.
    let on_shelf = workbench
        .previous
        .with_untracked(|previous| previous.as_ref().is_some_and(|previous| texts.has(&previous.present)));
    let forget = move || {
        workbench.previous.set(None);
        storage::forget(storage::PREVIOUS);
    };
    let leave = move |_| match on_shelf {
        true => forget(),
        // This is the only copy, so it stays in storage.
        false => workbench.previous.set(None),
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
                <p>
                    "This page opened with the text of its link. "
                    {if on_shelf {
                        "Your previous work is on the shelf."
                    } else {
                        "Your previous work is kept in this browser, but the shelf had no room for it."
                    }}
                </p>
                <button id="previous-restore" type="button" on:click=restore_previous>
                    "Bring it back"
                </button>
                <button id="previous-forget" type="button" class="quiet" on:click=leave>
                    "Leave it there"
                </button>
            </section>
        </Show>
    }
}
