//! Fields shared by the steps that say what is trained: the choice of a base, a run's name, and numbers among the
//! settings.

use crate::kit::format;
use crate::kit::number_field::{NumberField, NumberNames, set_if};
use crate::models::Models;
use crate::train::{Choices, Training};
use leptos::prelude::*;
use std::ops::RangeInclusive;
use std::str::FromStr;
use tuppum_protocol::{ModelRef, Task};

/// Bases of one task, with the functions that get and set the chosen one.
#[derive(Clone, Copy)]
pub struct Base {
    /// Task of the models.
    pub task: Task,
    /// Description of stored models.
    pub description: &'static str,
    /// Returns the chosen model; `None` is the shipped restorer.
    pub get: fn(&Choices) -> Option<ModelRef>,
    /// Sets the chosen model.
    pub set: fn(&mut Choices, Option<ModelRef>),
}

impl Base {
    /// Radio button of one model, with its description.
    pub fn choice(self, model: Option<ModelRef>, name: String, description: String) -> AnyView {
        let training = expect_context::<Training>();
        let value = model.as_ref().map(ModelRef::to_string).unwrap_or_default();
        let own = model.clone();
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="train-base"
                    value=value
                    prop:checked=move || training.choices.with(|choices| (self.get)(choices) == own)
                    on:change=move |_| training.choose(|choices| (self.set)(choices, model.clone()))
                />
                <span>
                    {name} " " <span class="hint">{description}</span>
                </span>
            </label>
        }
        .into_any()
    }

    /// Radio buttons of all models; stored ones stand between `first` and `last`.
    pub fn choices(self, first: AnyView, last: AnyView) -> AnyView {
        let models = expect_context::<Models>();
        let stored = Memo::new(move |_| {
            models.usage.with(|usage| {
                let all = usage.as_ref().map(|usage| usage.stored.as_slice()).unwrap_or_default();
                let whole = all.iter().filter(|model| model.task == self.task && model.is_complete());
                whole.map(|model| (model.name.clone(), model.parameters)).collect::<Vec<_>>()
            })
        });
        let row = move |(name, parameters): (String, u64)| {
            let description = format!("{} parameters, {}", format::count(parameters), self.description);
            self.choice(Some(ModelRef::stored(&name)), name, description)
        };
        view! {
            <fieldset class="bases">
                <legend class="hint">"Start from"</legend>
                {first}
                {move || stored.get().into_iter().map(row).collect_view()}
                {last}
            </fieldset>
            <p class="hint">"The model that you start from stays as it is: training makes a new one."</p>
        }
        .into_any()
    }
}

/// Fields for the name of a run and its numbers.
pub fn fields(name_id: &'static str, numbers: &[Number], hint: &'static str) -> AnyView {
    let training = expect_context::<Training>();
    let name = move |event| training.choose(|choices| choices.name = event_target_value(&event));
    view! {
        <div class="choices-row">
            <label class="field">
                <span>"Name"</span>
                <input
                    id=name_id
                    type="text"
                    autocomplete="off"
                    prop:value=move || training.choices.with(|choices| choices.name.clone())
                    on:change=name
                />
            </label>
            {numbers.iter().copied().map(field).collect_view()}
        </div>
        <p class="hint">{hint}</p>
    }
    .into_any()
}

/// Largest seed: JavaScript represents larger integers inexactly, so they would change on their way to the worker and
/// in the browser's storage.
pub const MAX_SEED: u64 = (1 << 53) - 1;

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

/// Input field for a number among the settings.
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
