//! A field for one number of the choices.

use crate::train::{Choices, Training};
use leptos::ev::Event;
use leptos::prelude::*;
use std::ops::RangeInclusive;
use std::str::FromStr;
use web_sys::HtmlInputElement;

/// A number of the choices: its field, and how it is read and set as typed.
#[derive(Clone, Copy)]
pub struct Number {
    /// Identifier of the field.
    pub id: &'static str,
    /// Label of the field.
    pub name: &'static str,
    /// The number as text.
    pub get: fn(&Choices) -> String,
    /// Takes the number, if it makes sense.
    pub set: fn(&mut Choices, &str),
}

/// Takes a number as typed, if it lies within these bounds.
pub fn set_within<T: FromStr + PartialOrd>(number: &mut T, typed: &str, bounds: RangeInclusive<T>) {
    if let Some(typed) = typed.parse().ok().filter(|typed| bounds.contains(typed)) {
        *number = typed;
    }
}

/// The field of a number. What makes no sense is put back to what it was.
pub fn field(Number { id, name, get, set }: Number) -> AnyView {
    let training = expect_context::<Training>();
    let change = move |event: Event| {
        let field: HtmlInputElement = event_target(&event);
        training.choose(|choices| set(choices, field.value().trim()));
        field.set_value(&training.choices.with_untracked(get));
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
    .into_any()
}
