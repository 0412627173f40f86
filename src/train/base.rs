//! What translators and restorers share in the step that says what is trained: the models to begin with, and the fields
//! of a run.

use super::number::{Number, field};
use crate::kit::format;
use crate::models::Models;
use crate::train::{Choices, Training};
use leptos::prelude::*;
use tuppum_protocol::{ModelRef, Task};

/// The models that a run can begin with, and where the choice of one lies.
#[derive(Clone, Copy)]
pub struct Base {
    /// What they are for.
    pub task: Task,
    /// What is told of stored ones.
    pub told: &'static str,
    /// The chosen one; none is the one that comes with the page, where it has no name of its own.
    pub get: fn(&Choices) -> Option<ModelRef>,
    /// Chooses one.
    pub set: fn(&mut Choices, Option<ModelRef>),
}

impl Base {
    /// One model, with what is told of it.
    pub fn choice(self, model: Option<ModelRef>, name: String, told: String) -> AnyView {
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
                    {name} " " <span class="hint">{told}</span>
                </span>
            </label>
        }
        .into_any()
    }

    /// All models: those stored in the browser stand between the first and the last.
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
            let told = format!("{} parameters, {}", format::count(parameters), self.told);
            self.choice(Some(ModelRef::stored(&name)), name, told)
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

/// The name of a run and its numbers.
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
