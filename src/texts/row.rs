//! The row above the text field: a button for a new text, and the shelf.

use super::state::Texts;
use crate::kit::format;
use crate::kit::later::later;
use crate::parts;
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
