//! Choice of the optimiser, which decides how much memory training takes.

use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::OptimiserRule;

fn title(rule: OptimiserRule) -> &'static str {
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

/// The choice.
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
                {title(rule)}
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
