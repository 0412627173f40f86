//! The user's own wording of a passage.

use super::passage::{Key, Standing};
use crate::app::translation::Translating;
use leptos::html::Textarea;
use leptos::prelude::*;

/// The button, and the field that it opens.
#[component]
pub fn Edit(
    /// Which passage.
    key: StoredValue<Key>,
    /// The passage.
    standing: Standing,
) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let open = RwSignal::new(false);
    let field = NodeRef::<Textarea>::new();
    let text = move || standing.with_untracked(|one| one.as_ref().map(|(rendering, _)| rendering.text().to_owned()));
    let finished = Memo::new(move |_| standing.with(|one| one.as_ref().is_some_and(|(one, _)| !one.is_unfinished())));
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // A field in the page can always be focused.
            let _ = field.focus();
        }
    });
    let save = move |_| {
        let Some(field) = field.get_untracked() else { return };
        key.with_value(|key| translating.change_passage(key, |rendering| rendering.edit(&field.value())));
        open.set(false);
    };
    view! {
        <button
            type="button"
            class="quiet edit"
            hidden=move || open.get() || !finished.get()
            on:click=move |_| open.set(true)
        >
            "Edit"
        </button>
        <Show when=move || open.get()>
            <div class="editing">
                <label>
                    <span>"Your wording"</span>
                    <textarea node_ref=field rows="2" lang="en" prop:value=move || text().unwrap_or_default()></textarea>
                </label>
                <p class="buttons">
                    <button type="button" data-edit="save" on:click=save>
                        "Keep"
                    </button>
                    <button type="button" class="quiet" data-edit="cancel" on:click=move |_| open.set(false)>
                        "Cancel"
                    </button>
                </p>
            </div>
        </Show>
    }
}
