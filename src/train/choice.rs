//! One of the models that a run can begin with.

use crate::train::{Choices, Training};
use leptos::prelude::*;
use tuppum_protocol::ModelRef;

/// The model with what is told of it; none is the restorer that comes with the page. `get` and `set` say where the
/// choice lies.
#[component]
pub fn Choice(
    base: Option<ModelRef>,
    name: String,
    told: String,
    get: fn(&Choices) -> Option<ModelRef>,
    set: fn(&mut Choices, Option<ModelRef>),
) -> impl IntoView {
    let training = expect_context::<Training>();
    let checked = {
        let base = base.clone();
        move || training.choices.with(|choices| get(choices) == base)
    };
    let value = base.as_ref().map(ModelRef::to_string).unwrap_or_default();
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
