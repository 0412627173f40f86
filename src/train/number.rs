//! Input field for a number among the settings.

use crate::shell::number_field::{NumberField, NumberNames, set_if};
use crate::train::{Choices, Training};
use leptos::prelude::*;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Largest seed: JavaScript represents larger integers inexactly, so they would change on their way to the worker and
/// in the browser's storage.
pub const MOST_SEED: u64 = (1 << 53) - 1;

/// A number among the settings, with its field.
#[derive(Clone, Copy)]
pub struct Number {
    pub id: &'static str,
    pub name: &'static str,
    /// Description of the accepted numbers, such as “a whole number from 1 to 20”.
    pub takes: &'static str,
    /// Returns the number as text.
    pub get: fn(&Choices) -> String,
    /// Sets the number from typed text; returns `false` if the text is not accepted.
    pub set: fn(&mut Choices, &str) -> bool,
}

/// Sets `number` from typed text; returns `false` unless it lies within `bounds`.
pub fn set_within<T: FromStr + PartialOrd>(number: &mut T, typed: &str, bounds: RangeInclusive<T>) -> bool {
    set_if(number, typed, |typed| bounds.contains(typed))
}

/// The field.
pub fn field(Number { id, name, takes, get, set }: Number) -> AnyView {
    let training = expect_context::<Training>();
    let take = move |typed: &str| {
        let mut is_taken = false;
        training.choose(|choices| is_taken = set(choices, typed));
        is_taken
    };
    let names = NumberNames { id: id.to_owned(), name, takes };
    let value = Signal::derive(move || training.choices.with(get));
    view! { <NumberField names value take /> }.into_any()
}
