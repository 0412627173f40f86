//! Step 2 for a restorer: what is trained further, how much of it, how long, and how much memory that takes.

use super::choice::Choice;
use super::number::Number;
use crate::models::Models;
use crate::shell::format;
use crate::train::{Choices, Training};
use leptos::prelude::*;
use tuppum_protocol::{MOST_MEMORY, ModelRef, Task, restorer_memory};

/// Parameters and layers of the restorer that comes with the page, and of those trained from it.
const SHIPPED: (u64, u64) = (28_758_383, 16);

/// The step.
#[component]
pub fn Restorer() -> impl IntoView {
    let models = expect_context::<Models>();
    let kept = Memo::new(move |_| {
        models.shelves.with(|shelves| {
            let all = shelves.as_ref().map(|shelves| shelves.stored.as_slice()).unwrap_or_default();
            let own = all.iter().filter(|model| model.task == Task::Restoration && model.is_complete());
            own.map(|model| (model.name.clone(), model.parameters)).collect::<Vec<_>>()
        })
    });
    let get = |choices: &Choices| choices.restorer.clone();
    let set = |choices: &mut Choices, base: Option<ModelRef>| choices.restorer = base;
    let rows = move || {
        let row = |(name, parameters): (String, u64)| {
            let told = format!("{} parameters, trained here", format::count(parameters));
            view! { <Choice base=Some(ModelRef::stored(&name)) name=name told=told get=get set=set /> }
        };
        kept.get().into_iter().map(row).collect_view()
    };
    view! {
        <section id="train-restorer" class="card" aria-labelledby="train-restorer-title">
            <h2 id="train-restorer-title">"2. What is trained"</h2>
            <fieldset class="bases">
                <legend class="hint">"Begin with"</legend>
                <Choice
                    base=None
                    name="Tuppum’s restorer".to_owned()
                    told="comes with this page".to_owned()
                    get=get
                    set=set
                />
                {rows}
            </fieldset>
            <p class="hint">"What you begin with stays as it is: training makes a model of its own."</p>
            <Memory />
            <Fields />
        </section>
    }
}

/// The estimate of memory.
#[component]
fn Memory() -> impl IntoView {
    let training = expect_context::<Training>();
    let needed = Memo::new(move |_| {
        let (parameters, layers) = SHIPPED;
        training.choices.with(|choices| {
            let trained = if choices.layers == 0 { layers } else { layers.min(choices.layers.into()) };
            restorer_memory(parameters, layers, trained, &choices.restorer_settings())
        })
    });
    let told = move || {
        format!(
            "Memory: about {} of the {} that a tab can use on the CPU.",
            format::bytes(needed.get()),
            format::bytes(MOST_MEMORY)
        )
    };
    view! {
        <p id="restorer-memory" role="status">
            {told}
        </p>
    }
}

/// Steps, learning rate, layers, seed, name.
#[component]
fn Fields() -> impl IntoView {
    let training = expect_context::<Training>();
    let name = move |event| training.choose(|choices| choices.name = event_target_value(&event));
    view! {
        <div class="choices-row">
            <label class="field">
                <span>"Name"</span>
                <input
                    id="restorer-name"
                    type="text"
                    autocomplete="off"
                    prop:value=move || training.choices.with(|choices| choices.name.clone())
                    on:change=name
                />
            </label>
            <Number id="restorer-steps" name="Steps" get=|choices| choices.restorer_steps.to_string() set=|choices, text| {
                text.parse().ok().filter(|steps| (1..=1_000_000).contains(steps)).map(|steps| choices.restorer_steps = steps)
            } />
            <Number id="restorer-rate" name="Learning rate" get=|choices| choices.restorer_rate.to_string() set=|choices, text| {
                text.parse().ok().filter(|rate| (1e-7..=0.1).contains(rate)).map(|rate| choices.restorer_rate = rate)
            } />
            <Number id="restorer-layers" name="Layers that train (0: all)" get=|choices| choices.layers.to_string() set=|choices, text| {
                text.parse().ok().filter(|layers| (0..=64).contains(layers)).map(|layers| choices.layers = layers)
            } />
            <Number id="restorer-seed" name="Seed" get=|choices| choices.seed.to_string() set=|choices, text| {
                text.parse().ok().map(|seed| choices.seed = seed)
            } />
        </div>
        <p class="hint">
            "The last layers and the answers train, the others stay: that spares memory and time. The learning rate \
             rises over the first tenth of the steps and falls to nothing at the end. The same seed gives the same run."
        </p>
    }
}
