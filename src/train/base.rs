//! Step 3: what is trained further, how long, and how much memory that takes.

use super::choice::Choice;
use super::number::Number;
use crate::models::Models;
use crate::shell::{fetch, format};
use crate::train::{Choices, Training};
use crate::translate::shipped::{SHIPPED, SHIPPED_PARAMETERS};
use leptos::prelude::*;
use tuppum_protocol::translation::training::Settings;
use tuppum_protocol::{FittingPlan, MOST_MEMORY, ModelRef, NEW_PARAMETERS, NewModel, Task};

/// The step.
#[component]
pub fn Base() -> impl IntoView {
    let (models, training) = (expect_context::<Models>(), expect_context::<Training>());
    let shipped = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        if !fetch::is_missing(&format!("{SHIPPED}manifest.json")).await {
            shipped.try_set(true);
        } else if training.choices.try_with_untracked(|choices| choices.base == SHIPPED) == Some(true) {
            training.choose(|choices| choices.base = ModelRef::New(NewModel::Small));
        }
    });
    let kept = Memo::new(move |_| {
        models.shelves.with(|shelves| {
            let all = shelves.as_ref().map(|shelves| shelves.stored.as_slice()).unwrap_or_default();
            let whole = all.iter().filter(|model| model.task == Task::Translation && model.is_complete());
            whole.map(|model| (model.name.clone(), model.parameters)).collect::<Vec<_>>()
        })
    });
    let get = |choices: &Choices| Some(choices.base.clone());
    let set = |choices: &mut Choices, base: Option<ModelRef>| choices.base = base.unwrap_or(SHIPPED);
    let rows = move || {
        let row = |(name, parameters): (String, u64)| {
            let told = format!("{} parameters, on your shelf", format::count(parameters));
            view! { <Choice base=Some(ModelRef::stored(&name)) name=name told=told get=get set=set /> }
        };
        kept.get().into_iter().map(row).collect_view()
    };
    view! {
        <section id="train-base" class="card" aria-labelledby="train-base-title">
            <h2 id="train-base-title">"3. What is trained"</h2>
            <fieldset class="bases">
                <legend class="hint">"Begin with"</legend>
                <Show when=move || shipped.get()>
                    <Choice base=Some(SHIPPED) name="Tuppum’s translator".to_owned() told=format!("{} parameters, \
                        comes with this page", format::count(SHIPPED_PARAMETERS)) get=get set=set />
                </Show>
                {rows}
                <Choice
                    base=Some(ModelRef::New(NewModel::Small))
                    name="A new small model, from nothing".to_owned()
                    told=format!("{} parameters, with the hyperbolic bias; learns a few pairs by heart in minutes, \
                        and no language", format::count(NEW_PARAMETERS))
                    get=get
                    set=set
                />
            </fieldset>
            <p class="hint">"What you begin with stays as it is: training makes a model of its own."</p>
            <Additions />
            <Memory />
            <Settings_ />
        </section>
    }
}

/// The estimate of memory, and what becomes of the plan where it is too much.
#[component]
fn Memory() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let parameters = Memo::new(move |_| {
        models.shelves.with(|shelves| training.choices.with(|choices| choices.parameters(shelves.as_ref())))
    });
    let fitting =
        move || parameters.get().map(|parameters| training.choices.with(|choices| choices.fitting(parameters)));
    let told = move || match (parameters.get(), fitting().flatten()) {
        (None, _) => "How much memory it needs is told once it is opened.".to_owned(),
        (Some(parameters), Some(plan)) => needed(parameters, plan, training.choices.with(|choices| choices.additions)),
        (Some(parameters), None) => format!(
            "This model is too large to be trained in a tab, which has {}: its weights alone take {}. Choose a \
             smaller model, or train on the command line with “tuppum train”.",
            format::bytes(MOST_MEMORY),
            format::bytes(parameters * 4),
        ),
    };
    let refused = move || fitting() == Some(None);
    view! {
        <p id="train-memory" class:warning-line=refused role="status">
            {told}
        </p>
    }
}

/// What a plan needs, and why it is smaller than the usual one, where it is.
fn needed(parameters: u64, plan: FittingPlan, wants_additions: bool) -> String {
    let usual = FittingPlan { additions: false, batch_bytes: Settings::default().batch_bytes };
    let (memory, most) = (format::bytes(plan.memory(parameters)), format::bytes(MOST_MEMORY));
    let what = match plan.additions {
        true => "the weights, the maps of attention twice, and what the layers keep for a batch",
        false => "weights, gradients and two moments, and what the layers keep for a batch",
    };
    if plan == usual || (plan.additions && wants_additions) {
        return format!("Memory: about {memory} of the {most} that a tab can use on the CPU ({what}).");
    }
    let smaller = match plan.additions {
        true => "small additions to its attention train, the model itself stays as it is (LoRA)",
        false => "steps are noisier",
    };
    format!(
        "Trained as usual it would need about {}, too much for a tab. A smaller plan fits, about {memory}: batches of \
         {} bytes, and {smaller}.",
        format::bytes(usual.memory(parameters)),
        plan.batch_bytes,
    )
}

/// Whether only additions train.
#[component]
fn Additions() -> impl IntoView {
    let training = expect_context::<Training>();
    let on_something = move || training.choices.with(|choices| !matches!(choices.base, ModelRef::New(_)));
    view! {
        <label class="choice" hidden=move || !on_something()>
            <input
                id="train-additions"
                type="checkbox"
                prop:checked=move || training.choices.with(|choices| choices.additions)
                on:change=move |event| training.choose(|choices| choices.additions = event_target_checked(&event))
            />
            <span>
                "Train small additions only (LoRA) "
                <span class="hint">"a fraction of the memory; the model itself stays as it is; usually wants a higher \
                    learning rate"</span>
            </span>
        </label>
    }
}

/// Steps, learning rate, seed, name.
#[component]
fn Settings_() -> impl IntoView {
    let training = expect_context::<Training>();
    let name = move |event| training.choose(|choices| choices.name = event_target_value(&event));
    view! {
        <div class="choices-row">
            <label class="field">
                <span>"Name"</span>
                <input
                    id="train-name"
                    type="text"
                    autocomplete="off"
                    prop:value=move || training.choices.with(|choices| choices.name.clone())
                    on:change=name
                />
            </label>
            <Number id="train-steps" name="Steps" get=|choices| choices.steps.to_string() set=|choices, text| {
                text.parse().ok().filter(|steps| (1..=1_000_000).contains(steps)).map(|steps| choices.steps = steps)
            } />
            <Number id="train-rate" name="Learning rate" get=|choices| choices.rate.to_string() set=|choices, text| {
                text.parse().ok().filter(|rate| (1e-7..=0.1).contains(rate)).map(|rate| choices.rate = rate)
            } />
            <Number id="train-seed" name="Seed" get=|choices| choices.seed.to_string() set=|choices, text| {
                text.parse().ok().map(|seed| choices.seed = seed)
            } />
        </div>
        <p class="hint">
            "The learning rate rises over the first tenth of the steps and falls to nothing at the end. Small new \
             models bear a higher one, such as 0.003. The same seed gives the same run."
        </p>
    }
}
