//! A field for one number of the choices.

use crate::train::{Choices, Training};
use leptos::prelude::*;

/// A number as typed; what makes no sense is put back to what it was.
#[component]
pub fn Number(
    id: &'static str,
    name: &'static str,
    get: fn(&Choices) -> String,
    set: fn(&mut Choices, &str) -> Option<()>,
) -> impl IntoView {
    let training = expect_context::<Training>();
    let change = move |event| {
        training.choose(|choices| {
            // Out of bounds: the field shows what holds.
            let _ = set(choices, event_target_value(&event).trim());
        });
    };
    view! {
        <label class="field">
            <span>{name}</span>
            <input
                id=id
                type="text"
                inputmode="decimal"
                autocomplete="off"
                prop:value=move || training.choices.with(get)
                on:change=change
            />
        </label>
    }
}
