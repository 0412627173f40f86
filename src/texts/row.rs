//! The row above the text field (a button for a new text, and the shelf), and the band that offers work set aside for
//! the text of an address.

use crate::frame::notice::Notice;
use crate::kit::later::later;
use crate::kit::{format, storage};
use crate::parts;
use crate::restore::state::Workbench;
use crate::texts::state::Texts;
use leptos::prelude::*;

/// The button “New text”, and the button that shows the shelf.
#[component]
pub fn Shelf(
    /// Called after a new text has begun.
    #[prop(into)]
    changed: Callback<()>,
) -> impl IntoView {
    let texts = expect_context::<Texts>();
    let is_shown = RwSignal::new(false);
    let count = Memo::new(move |_| texts.all.with(Vec::len));
    let label = move || match count.get() {
        0 => "Shelf".to_owned(),
        some => format!("Shelf: {}", format::plural(some, "text", "texts")),
    };
    let begin = move |_| {
        texts.begin_new();
        changed.run(());
    };
    view! {
        <div class="buttons" role="group" aria-label="Texts">
            <button
                id="new-text"
                type="button"
                title="Puts this text on the shelf, on this device, and begins an empty one"
                on:click=begin
            >
                "New text"
            </button>
            <button
                id="shelf-button"
                type="button"
                aria-expanded=move || is_shown.get().to_string()
                aria-controls="shelf"
                on:click=move |_| is_shown.update(|shown| *shown = !*shown)
            >
                {label}
            </button>
        </div>
        <div id="shelf" hidden=move || !is_shown.get()>
            <Show when=move || is_shown.get()>{later(parts::shelf)}</Show>
        </div>
    }
}

/// The band; absent if no work was set aside.
#[component]
pub fn Previous() -> impl IntoView {
    let (workbench, texts) = (expect_context::<Workbench>(), expect_context::<Texts>());
    // Asked once a visit: a user who deletes the work from the shelf later knows where it went.
    let on_shelf = workbench
        .text
        .previous
        .with_untracked(|previous| previous.as_ref().is_some_and(|previous| texts.has(&previous.present)));
    let forget = move || {
        workbench.text.previous.set(None);
        storage::forget(storage::PREVIOUS);
    };
    let leave = move |_| match on_shelf {
        true => forget(),
        // This is the only copy, so it stays in storage.
        false => workbench.text.previous.set(None),
    };
    let restore_previous = move |_| {
        let Some(previous) = workbench.text.previous.get_untracked() else { return };
        workbench.restore_previous(previous);
        forget();
        workbench.notify(Notice::done("Your previous work is back. Undo shows the text of the link again."));
    };
    view! {
        <Show when=move || workbench.text.previous.with(Option::is_some)>
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
