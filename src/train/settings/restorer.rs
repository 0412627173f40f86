//! Step 2 for a restorer: base, trained layers, number of steps and memory.

use super::card::{self, CardChoice};
use super::fields::{Base, MAX_SEED, Number, fields, set_within};
use super::learning::OptimiserChoice;
use crate::kit::format;
use crate::models::Models;
use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::{OptimiserRule, Task, TooLarge};

const BASE: Base = Base {
    task: Task::Restoration,
    description: "trained here",
    get: |choices| choices.restorer.clone(),
    set: |choices, base| choices.restorer = base,
};

const NUMBERS: [Number; 4] = [
    Number {
        id: "restorer-steps",
        name: "Steps",
        takes: "a whole number from 1 to 1\u{202f}000\u{202f}000",
        get: |choices| choices.restorer_steps.to_string(),
        set: |choices, typed| set_within(&mut choices.restorer_steps, typed, 1..=1_000_000),
    },
    Number {
        id: "restorer-rate",
        name: "Learning rate",
        takes: "a number from 0.0000001 to 0.1",
        get: |choices| choices.restorer_rate.to_string(),
        set: |choices, typed| set_within(&mut choices.restorer_rate, typed, 1e-7..=0.1),
    },
    Number {
        id: "restorer-layers",
        name: "Layers that train (0: all)",
        takes: "a whole number from 0 to 64",
        get: |choices| choices.layers.to_string(),
        set: |choices, typed| set_within(&mut choices.layers, typed, 0..=64),
    },
    Number {
        id: "restorer-seed",
        name: "Seed",
        takes: "a whole number from 0 to 9007199254740991",
        get: |choices| choices.seed.to_string(),
        set: |choices, typed| set_within(&mut choices.seed, typed, 0..=MAX_SEED),
    },
];

/// Explanation under the numbers.
const HINT: &str = "Only the last layers and the output layer are trained; the others stay as they are, which saves \
    memory and time. The learning rate rises over the first tenth of the steps and falls to zero at the end. The same \
    seed gives the same run.";

/// Step 2 for a restorer.
#[component]
pub fn Restorer() -> impl IntoView {
    let shipped = BASE.choice(None, "Tuppum’s restorer".to_owned(), "comes with this page".to_owned());
    view! {
        <section id="train-restorer" class="card" aria-labelledby="train-restorer-title">
            <h2 id="train-restorer-title">"2. What is trained"</h2>
            {BASE.choices(shipped, ().into_any())}
            <OptimiserChoice />
            <CardChoice />
            <Memory />
            {fields("restorer-name", &NUMBERS, HINT)}
        </section>
    }
}

/// Estimate of the memory that training takes.
#[component]
fn Memory() -> impl IntoView {
    let training = expect_context::<Training>();
    let models = expect_context::<Models>();
    let needed = Memo::new(move |_| {
        models.usage.with(|usage| training.choices.with(|choices| choices.restorer_memory(usage.as_ref())))
    });
    let description = move || {
        let device = training.memory();
        let Some(run) = needed.get() else {
            return "How much memory it needs is known once it is opened.".to_owned();
        };
        let (bytes, most) = (format::bytes(device.takes(&run)), card::description(device));
        match device.holds(&run) {
            Ok(()) => format!("Memory: about {bytes} of {most}."),
            Err(refused @ TooLarge::Tensor { .. }) => card::refusal(refused, device, training.may_use_card()),
            Err(TooLarge::Whole { .. }) => format!(
                "Memory: about {bytes}, too much for {most}, of which a tenth is to stay free. Let fewer layers \
                 train{}",
                if run.rule == OptimiserRule::Adafactor { "." } else { ", or choose Adafactor." },
            ),
        }
    };
    let refused = move || needed.get().is_some_and(|run| training.memory().holds(&run).is_err());
    view! {
        <p id="restorer-memory" class:warning-line=refused role="status">
            {description}
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Choices;

    #[test]
    fn a_seed_that_javascript_would_round_is_refused() {
        let seed = NUMBERS.iter().find(|number| number.name == "Seed").unwrap();
        let mut choices = Choices::default();
        assert!((seed.set)(&mut choices, "9007199254740991"));
        assert!(!(seed.set)(&mut choices, "9007199254740992"));
        assert_eq!(choices.seed, MAX_SEED);
    }
}
