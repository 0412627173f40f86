//! Choices of how a model is trained: the part that is trained, the hyperbolic bias that the run starts with, and the
//! optimiser, which decides how much memory training takes.

use super::WantedBias;
use crate::models::Models;
use crate::models::bias::{BiasFields, points_options};
use crate::train::{Choices, Training};
use leptos::prelude::*;
use tuppum_protocol::translation::bias::BiasPoints;
use tuppum_protocol::translation::learns::Learns;
use tuppum_protocol::{ModelRef, OptimiserRule};

fn title(learns: Learns) -> &'static str {
    match learns {
        Learns::Whole => "The whole model",
        Learns::Adapters => "Adapters only (LoRA)",
        Learns::Bias => "The hyperbolic bias alone",
    }
}

fn explanation(learns: Learns) -> &'static str {
    match learns {
        Learns::Whole => "every number, those of the bias too",
        Learns::Adapters => {
            "small matrices added to the attention, and the bias; they need a fraction of the memory, and usually a \
             higher learning rate; the model itself stays as it is"
        }
        Learns::Bias => {
            "12\u{202f}289 numbers over bytes, 134\u{202f}081 over signs: cheap on any machine; every other number \
             stays as it is, so that taking the bias off gives back the model that you start from, bit for bit"
        }
    }
}

/// Choice of the part that is trained; hidden for a new model, which is trained as a whole.
#[component]
pub fn LearnsChoice() -> impl IntoView {
    let training = expect_context::<Training>();
    let on_something = move || training.choices.with(|choices| !matches!(choices.base, ModelRef::New(_)));
    let row = move |learns: Learns| {
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="train-learns"
                    value=learns.name()
                    prop:checked=move || training.choices.with(|choices| choices.learns == learns)
                    on:change=move |_| training.choose(|choices| choices.learns = learns)
                />
                <span>
                    {title(learns)} " " <span class="hint">{explanation(learns)}</span>
                </span>
            </label>
        }
    };
    view! {
        <fieldset id="train-learns" class="bases" hidden=move || !on_something()>
            <legend class="hint">"What learns"</legend>
            {Learns::ALL.map(row).collect_view()}
        </fieldset>
    }
}

/// Menu value for [`WantedBias::Own`].
const OWN_BIAS: &str = "own";
const NO_BIAS: &str = "none";

fn choose(choices: &mut Choices, value: &str) {
    choices.bias = match (BiasPoints::named(value), value) {
        (Some(points), _) => {
            choices.new_bias.points = points;
            WantedBias::New
        }
        (None, NO_BIAS) => WantedBias::None,
        (None, _) => WantedBias::Own,
    };
}

/// Choice of the hyperbolic bias that the run starts with.
#[component]
pub fn BiasChoice() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let size =
        Memo::new(move |_| models.usage.with(|usage| training.choices.with(|choices| choices.size(usage.as_ref()))));
    // The base may have changed, or the settings may come from an earlier visit.
    Effect::new(move |_| {
        let size = size.get();
        let is_too_far = |choices: &Choices| size.is_some_and(|size| choices.new_bias.layers > size.encoder_layers);
        if training.choices.with_untracked(is_too_far) {
            training.choose(|choices| choices.fit_bias(size));
        }
    });
    let wanted = Memo::new(move |_| training.choices.with(|choices| choices.bias));
    let bias = Memo::new(move |_| training.choices.with(|choices| choices.new_bias));
    let chosen = Signal::derive(move || (wanted.get() == WantedBias::New).then(|| bias.get().points));
    let description = move || match wanted.get() {
        WantedBias::Own => "A model that has no bias, such as google/byt5-small, trains without one.",
        WantedBias::New => {
            "The run is measured before its first step with the new bias in place, which makes a model that does not \
             know it worse; the scores of translations compare with the model as it is without it."
        }
        WantedBias::None => "The run and the model that it makes are those of a plain ByT5.",
    };
    view! {
        <div class="choices-row">
            <label class="field">
                <span>"Hyperbolic bias"</span>
                <select
                    id="train-bias"
                    on:change=move |event| training.choose(|choices| choose(choices, &event_target_value(&event)))
                >
                    <option value=OWN_BIAS prop:selected=move || wanted.get() == WantedBias::Own>
                        "As the model has it"
                    </option>
                    {points_options(chosen)}
                    <option value=NO_BIAS prop:selected=move || wanted.get() == WantedBias::None>
                        "Take it off"
                    </option>
                </select>
            </label>
        </div>
        <Show when=move || wanted.get() == WantedBias::New>
            <BiasFields
                id="train-bias".to_owned()
                bias=bias.into()
                blocks=Signal::derive(move || size.get().map(|size| size.encoder_layers))
                change=move |changed| training.choose(|choices| choices.new_bias = changed)
            />
        </Show>
        <p id="train-bias-told" class="hint">
            {description}
        </p>
    }
}

fn optimiser_title(rule: OptimiserRule) -> &'static str {
    match rule {
        OptimiserRule::AdamW => "AdamW",
        OptimiserRule::Adafactor => "Adafactor (least memory)",
        OptimiserRule::Muon => "Muon (slower steps)",
    }
}

/// Returns what an optimiser holds in memory for the trained numbers, in words for the memory estimate.
pub fn kept(rule: OptimiserRule) -> &'static str {
    match rule {
        OptimiserRule::AdamW => "weights, gradients and two averages of them",
        OptimiserRule::Adafactor => "weights and gradients",
        OptimiserRule::Muon => "weights, gradients and an average of them",
    }
}

/// Choice of the optimiser.
#[component]
pub fn OptimiserChoice() -> impl IntoView {
    let training = expect_context::<Training>();
    let chosen = Memo::new(move |_| training.choices.with(|choices| choices.optimiser));
    let choose = move |event| {
        let name = event_target_value(&event);
        let rule = OptimiserRule::ALL.into_iter().find(|rule| rule.name() == name).unwrap_or_default();
        training.choose(|choices| choices.optimiser = rule);
    };
    let option = move |rule: OptimiserRule| {
        view! {
            <option value=rule.name() prop:selected=move || chosen.get() == rule>
                {optimiser_title(rule)}
            </option>
        }
    };
    view! {
        <div class="choices-row">
            <label class="field">
                <span>"Optimiser"</span>
                <select id="train-optimiser" aria-describedby="train-optimiser-told" on:change=choose>
                    {OptimiserRule::ALL.map(option).collect_view()}
                </select>
            </label>
        </div>
        <p id="train-optimiser-told" class="hint">
            "AdamW keeps two more numbers for each one that trains. Adafactor keeps next to none, so that a whole \
             large model fits where only adapters would. Muon keeps one, and turns the steps of the matrices within \
             the layers so that they act alike in all directions; it moves adapters as AdamW does. The points of a \
             hyperbolic bias move as ever."
        </p>
    }
}
