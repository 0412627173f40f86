//! Field for the user's own wording of a passage.

use crate::translate::Translating;
use crate::translate::state::rendering::Rendering;
use crate::translate::state::standing::{Key, Standing};
use leptos::ev::KeyboardEvent;
use leptos::html::{Button, Textarea};
use leptos::prelude::*;
use web_sys::HtmlElement;

/// Button that opens the field, and the field.
#[component]
pub fn Edit(key: StoredValue<Key>, standing: Standing) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let (field, button) = (NodeRef::<Textarea>::new(), NodeRef::<Button>::new());
    let draft = move || standing.with(|one| one.as_ref().and_then(|(rendering, _)| rendering.draft.clone()));
    let open = Memo::new(move |_| draft().is_some());
    let finished = Memo::new(move |_| standing.with(|one| one.as_ref().is_some_and(|(one, _)| !one.is_unfinished())));
    let hidden = move || open.get() || !finished.get();
    let change = move |change: &dyn Fn(&mut Rendering)| key.with_value(|key| translating.change_passage(key, change));
    // Each keystroke is stored in the translation at once, so that no update of the passage loses it.
    let begin = move |_| {
        change(&|rendering| rendering.draft = Some(rendering.text().to_owned()));
        request_animation_frame(move || focus(field.get_untracked().as_deref()));
    };
    let end = move |keep: bool| {
        change(&|rendering| {
            if let Some(draft) = rendering.draft.take().filter(|_| keep) {
                rendering.edit(&draft);
            }
        });
        request_animation_frame(move || focus(button.get_untracked().as_deref()));
    };
    let typed = move |event| {
        let text = event_target_value(&event);
        change(&|rendering| rendering.draft = Some(text.clone()));
    };
    let press = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            end(false);
        }
    };
    view! {
        <button node_ref=button type="button" class="quiet edit" hidden=hidden on:click=begin>
            "Edit"
        </button>
        <Show when=move || open.get()>
            <div class="editing">
                <label>
                    <span>"Your wording"</span>
                    <textarea
                        node_ref=field
                        rows="2"
                        lang="en"
                        prop:value=untrack(draft).unwrap_or_default()
                        on:input=typed
                        on:keydown=press
                    ></textarea>
                </label>
                <p class="buttons">
                    <button type="button" data-edit="save" on:click=move |_| end(true)>
                        "Keep"
                    </button>
                    <button type="button" class="quiet" data-edit="cancel" on:click=move |_| end(false)>
                        "Cancel"
                    </button>
                </p>
            </div>
        </Show>
    }
}

/// Focuses an element, if there is one.
fn focus(element: Option<&HtmlElement>) {
    if let Some(element) = element {
        // `focus` never fails for an element of the page.
        let _ = element.focus();
    }
}
