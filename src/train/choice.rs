//! One of the models that a run can begin with.

use crate::train::{Choices, Training};
use leptos::prelude::*;

/// The model with what is told of it; `get` and `set` say where the choice lies.
#[component]
pub fn Choice(
    base: String,
    name: String,
    told: String,
    get: fn(&Choices) -> String,
    set: fn(&mut Choices, String),
) -> impl IntoView {
    let training = expect_context::<Training>();
    let checked = {
        let base = base.clone();
        move || training.choices.with(|choices| get(choices) == base)
    };
    let value = base.clone();
    view! {
        <label class="choice">
            <input
                type="radio"
                name="train-base"
                value=value
                prop:checked=checked
                on:change=move |_| training.choose(|choices| set(choices, base.clone()))
            />
            <span>
                {name} " " <span class="hint">{told}</span>
            </span>
        </label>
    }
}
