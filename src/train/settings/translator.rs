//! Step 3 for a translator: base, trained part, number of steps and memory.

use super::card::{self, CardChoice};
use super::fields::{Base, MAX_SEED, Number, fields, set_within};
use super::learning::{BiasChoice, LearnsChoice, OptimiserChoice, kept};
use crate::kit::{files, format};
use crate::models::Models;
use crate::train::{Choices, Training};
use crate::translate::state::translator::{SHIPPED, SHIPPED_PARAMETERS};
use leptos::prelude::*;
use tuppum_protocol::translation::learns::Learns;
use tuppum_protocol::translation::training::TranslatorTrainingSettings;
use tuppum_protocol::{DeviceMemory, FittingPlan, LongestPair, ModelRef, ModelSize, NewModel, OptimiserRule, Task};

const BASE: Base = Base {
    task: Task::Translation,
    description: "stored in this browser",
    get: |choices| Some(choices.base.clone()),
    set: |choices, base| choices.base = base.unwrap_or(SHIPPED),
};

const NUMBERS: [Number; 3] = [
    Number {
        id: "train-steps",
        name: "Steps",
        takes: "a whole number from 1 to 1\u{202f}000\u{202f}000",
        get: |choices| choices.steps.to_string(),
        set: |choices, typed| set_within(&mut choices.steps, typed, 1..=1_000_000),
    },
    Number {
        id: "train-rate",
        name: "Learning rate",
        takes: "a number from 0.0000001 to 0.1",
        get: |choices| choices.rate().to_string(),
        set: Choices::set_rate,
    },
    Number {
        id: "train-seed",
        name: "Seed",
        takes: "a whole number from 0 to 9007199254740991",
        get: |choices| choices.seed.to_string(),
        set: |choices, typed| set_within(&mut choices.seed, typed, 0..=MAX_SEED),
    },
];

/// Explanation under the numbers.
const HINT: &str = "The learning rate rises over the first tenth of the steps and falls to zero at the end. Unless you \
    choose one, it is 0.0001 where a model is trained further, so that it keeps what it knows, and 0.0003 where a new \
    one begins or only adapters or the bias train; an empty field brings that back. Small new models tolerate a higher \
    one, such as 0.003. The same seed gives the same run.";

/// Step 3 for a translator.
#[component]
pub fn Translator() -> impl IntoView {
    let training = expect_context::<Training>();
    let shipped = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        if !files::is_missing(&format!("{SHIPPED}manifest.json")).await {
            shipped.try_set(true);
        } else if training.choices.try_with_untracked(|choices| choices.base == SHIPPED) == Some(true) {
            training.choose(|choices| choices.base = ModelRef::New(NewModel::Small));
        }
    });
    let first = move || {
        let description = format!("{} parameters, comes with this page", format::count(SHIPPED_PARAMETERS));
        shipped.get().then(|| BASE.choice(Some(SHIPPED), "Tuppum’s translator".to_owned(), description))
    };
    let new = BASE.choice(
        Some(ModelRef::New(NewModel::Small)),
        "A new small model, from scratch".to_owned(),
        format!(
            "{} parameters and a hyperbolic bias of 12\u{202f}289; learns a few pairs by heart in minutes, but not a \
             language",
            format::count(ModelSize::NEW.parameters)
        ),
    );
    view! {
        <section id="train-base" class="card" aria-labelledby="train-base-title">
            <h2 id="train-base-title">"3. What is trained"</h2>
            {BASE.choices(first.into_any(), new)}
            <LearnsChoice />
            <BiasChoice />
            <OptimiserChoice />
            <CardChoice />
            <Memory />
            {fields("train-name", &NUMBERS, HINT)}
        </section>
    }
}

/// The memory estimate, and the changes to the plan where memory is too small.
#[component]
fn Memory() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let size =
        Memo::new(move |_| models.usage.with(|usage| training.choices.with(|choices| choices.size(usage.as_ref()))));
    let longest = move || training.corpus.with(|corpus| corpus.as_ref().map_or(LongestPair::USUAL, |own| own.longest));
    let fitting = move || {
        let (size, memory) = (size.get()?, training.memory());
        Some((size, memory, training.choices.with(|choices| choices.fitting(size, longest(), memory))))
    };
    let description = move || match fitting() {
        None => "How much memory it needs is known once it is opened.".to_owned(),
        Some((size, memory, Ok(plan))) => {
            needed(size, longest(), (plan, memory), training.choices.with(|choices| choices.learns))
        }
        Some((_, memory, Err(refused))) => card::refusal(refused, memory, training.may_use_card()),
    };
    let refused = move || fitting().is_some_and(|(.., plan)| plan.is_err());
    view! {
        <p id="train-memory" class:warning-line=refused role="status">
            {description}
        </p>
    }
}

/// Returns what a plan needs, and why it is smaller than the usual one if it is.
fn needed(
    size: ModelSize,
    longest: LongestPair,
    (plan, device): (FittingPlan, DeviceMemory),
    wanted: Learns,
) -> String {
    let TranslatorTrainingSettings { batch_bytes, parts, .. } = TranslatorTrainingSettings::default();
    let usual = FittingPlan { learns: Learns::Whole, rule: plan.rule, batch_bytes, parts };
    let bytes = |plan: FittingPlan| format::bytes(device.takes(&plan.memory(size, longest)));
    let (memory, most) = (bytes(plan), card::description(device));
    let what = match plan.learns {
        Learns::Whole => kept(plan.rule),
        Learns::Adapters => "the weights, the maps of attention twice",
        Learns::Bias => "the weights once",
    };
    if plan == usual || (plan.learns == wanted && wanted != Learns::Whole) {
        return format!("Memory: about {memory} of {most} ({what}, and what the layers keep for a batch).");
    }
    let smaller = match plan.learns {
        Learns::Whole => "steps are noisier",
        Learns::Adapters | Learns::Bias => "only adapters are trained (LoRA), the model itself stays as it is",
    };
    let asked = (Learns::Whole, OptimiserRule::Adafactor);
    let other = FittingPlan::of(size, longest, asked, device).is_ok_and(|other| other.learns == Learns::Whole);
    let instead = match plan.learns != Learns::Whole && plan.rule != OptimiserRule::Adafactor && other {
        true => " With Adafactor as the optimiser the whole model would fit.",
        false => "",
    };
    let in_parts = match plan.parts {
        1 => String::new(),
        parts => format!(" in {parts} parts, one after the other"),
    };
    format!(
        "Trained as usual, it would need about {}, too much for {most}. A smaller plan fits, about {memory}: batches \
         of {} bytes{in_parts}, and {smaller}.{instead}",
        bytes(usual),
        plan.batch_bytes,
    )
}
