//! What stands in the place of a machine translation that is expected to be mostly wrong, and the way to see it all the
//! same.

use super::standing::{Key, Standing};
use crate::shell::format;
use crate::translate::Translating;
use leptos::html::P;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The reason and the button; nothing where the translation stands.
#[component]
pub fn HeldBack(
    /// Which passage.
    key: StoredValue<Key>,
    /// The passage.
    standing: Standing,
) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let right = Memo::new(move |_| {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, _)| rendering.is_held_back())?;
            rendering.candidate()?.right
        })
    });
    let body = NodeRef::<P>::new();
    let show = move |_| {
        let passage = body.get_untracked().and_then(|body| body.closest(".passage").ok().flatten());
        key.with_value(|key| translating.change_passage(key, |rendering| rendering.asked_for = true));
        // The button is gone then; who pressed it goes on with the words.
        request_animation_frame(move || {
            let word = passage.and_then(|passage| passage.query_selector(".english [data-word]").ok().flatten());
            if let Some(word) = word.and_then(|word| word.dyn_into::<HtmlElement>().ok()) {
                // An element in the page can always be focused.
                let _ = word.focus();
            }
        });
    };
    move || {
        let right = format::percent(right.get()?);
        Some(view! {
            <p node_ref=body class="held-back">
                {format!(
                    "The machine’s translation is held back: measured on texts that it has not seen, about {right} of \
                     the words of such a translation are right, and the rest is invented.",
                )} " "
                <button type="button" class="quiet" on:click=show>
                    "Show it all the same"
                </button>
            </p>
        })
    }
}
