//! A number field that explains why it rejects a value.

use leptos::ev::Event;
use leptos::prelude::*;
use std::str::FromStr;
use web_sys::HtmlInputElement;

/// Names of a number field.
#[derive(Clone, Debug)]
pub struct NumberNames {
    pub id: String,
    pub name: &'static str,
    /// Description of the accepted numbers: “a whole number from 1 to 20”.
    pub takes: &'static str,
}

/// Sets `number` to the typed value if it parses and fits; returns `false` otherwise.
pub fn set_if<T: FromStr>(number: &mut T, typed: &str, fits: impl Fn(&T) -> bool) -> bool {
    let Some(typed) = typed.parse().ok().filter(|typed| fits(typed)) else { return false };
    *number = typed;
    true
}

/// A field for a number with a decimal point or comma. A value that `take` rejects is reset and explained.
#[component]
pub fn NumberField(
    names: NumberNames,
    /// The present number as text.
    #[prop(into)]
    value: Signal<String>,
    /// Accepts a typed number or returns `false`.
    take: impl Fn(&str) -> bool + 'static,
) -> impl IntoView {
    let NumberNames { id, name, takes } = names;
    let refused = RwSignal::new(None::<String>);
    let change = move |event: Event| {
        let field: HtmlInputElement = event_target(&event);
        let typed = field.value();
        let is_taken = take(&typed.trim().replace(',', "."));
        field.set_value(&value.get_untracked());
        refused.set((!is_taken).then(|| typed.trim().to_owned()));
    };
    let refusal = move || {
        let value = value.get();
        refused.get().map(|typed| format!("“{typed}” is not {takes}; it stays at {value}."))
    };
    let refusal_id = format!("{id}-refused");
    view! {
        <label class="field">
            <span>{name}</span>
            <input
                id=id
                type="text"
                inputmode="decimal"
                autocomplete="off"
                prop:value=value
                aria-invalid=move || refused.with(Option::is_some).to_string()
                aria-describedby=refusal_id.clone()
                on:change=change
            />
            <span id=refusal_id class="refused" role="status">
                {refusal}
            </span>
        </label>
    }
}
