//! A field for one number of the choices.

use crate::kit::number_field::{NumberField, NumberNames, set_if};
use crate::train::{Choices, Training};
use leptos::prelude::*;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The largest whole number that JavaScript keeps exactly: larger ones reach neither the worker nor the next visit.
pub const MOST_SEED: u64 = (1 << 53) - 1;

/// A number of the choices: its field, and how it is read and set as typed.
#[derive(Clone, Copy)]
pub struct Number {
    /// Identifier of the field.
    pub id: &'static str,
    /// Label of the field.
    pub name: &'static str,
    /// Which numbers it may be: “a whole number from 1 to 20”.
    pub takes: &'static str,
    /// The number as text.
    pub get: fn(&Choices) -> String,
    /// Takes the number, if it makes sense; false otherwise.
    pub set: fn(&mut Choices, &str) -> bool,
}

/// Takes a number as typed, if it lies within these bounds; false otherwise.
pub fn set_within<T: FromStr + PartialOrd>(number: &mut T, typed: &str, bounds: RangeInclusive<T>) -> bool {
    set_if(number, typed, |typed| bounds.contains(typed))
}

/// The field of a number.
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
