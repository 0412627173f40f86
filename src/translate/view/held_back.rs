//! Notice in place of a machine translation that is expected to be mostly wrong, with a button that shows it all the
//! same.

use crate::shell::format;
use crate::translate::Translating;
use crate::translate::state::rendering::{Doubt, Rendering};
use crate::translate::state::standing::{Key, Standing};
use leptos::html::P;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The notice; empty unless the translation is held back.
#[component]
pub fn HeldBack(key: StoredValue<Key>, standing: Standing) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let reason = Memo::new(move |_| {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, _)| rendering.is_held_back())?;
            reason(rendering)
        })
    });
    let body = NodeRef::<P>::new();
    let show = move |_| {
        let passage = body.get_untracked().and_then(|body| body.closest(".passage").ok().flatten());
        key.with_value(|key| translating.change_passage(key, |rendering| rendering.asked_for = true));
        // The button is gone by then: the focus moves to the first word, for those who use the keyboard.
        request_animation_frame(move || {
            let word = passage.and_then(|passage| passage.query_selector(".english [data-word]").ok().flatten());
            if let Some(word) = word.and_then(|word| word.dyn_into::<HtmlElement>().ok()) {
                // `focus` never fails for an element of the page.
                let _ = word.focus();
            }
        });
    };
    move || {
        let reason = reason.get()?;
        Some(view! {
            <p node_ref=body class="held-back">
                {format!("The machine’s translation is held back: {reason}")} " "
                <button type="button" class="quiet" on:click=show>
                    "Show it all the same"
                </button>
            </p>
        })
    }
}

/// Returns the reason why the translation is held back.
fn reason(rendering: &Rendering) -> Option<String> {
    let candidate = rendering.candidate()?;
    if let Some(right) = candidate.right.filter(|_| candidate.held_back) {
        return Some(format!(
            "about {} of the words of such a translation are right, the rest is invented.",
            format::percent(right)
        ));
    }
    Some(match rendering.doubt? {
        Doubt::Unlike(like) => format!(
            "nothing like this passage has been edited with a translation (the nearest is {} like it), and of such \
             passages it gets more than half of the words wrong.",
            format::percent(like)
        ),
        Doubt::OldAssyrian => {
            "this is Old Assyrian, of which it learnt little; the clauses of the formulary are right far more often."
                .to_owned()
        }
        Doubt::UnsureInFormulary(right) => format!(
            "a part of this stands in clauses of the Old Assyrian formulary; of such lines it learnt little, and it \
             expects only {} of its words to be right.",
            format::percent(right)
        ),
    })
}
