//! Choice between training a translator on pairs and a restorer on texts.

use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::Task;

/// The choice.
#[component]
pub fn Choice() -> impl IntoView {
    let training = expect_context::<Training>();
    let corpus_not_stored = move || {
        let reason = training.choices_not_stored.get()?;
        Some(format!("Your choices here are not stored for your next visit: {}.", reason.trim_end_matches('.')))
    };
    view! {
        <section id="train-craft" class="card" aria-labelledby="train-craft-title">
            <h2 id="train-craft-title" tabindex="-1">"Train a model of your own"</h2>
            <fieldset class="bases">
                <legend class="hint">"What it should learn"</legend>
                <Way task=Task::Translation name="To translate" told="from pairs of a transliteration and its \
                    translation" />
                <Way task=Task::Restoration name="To restore" told="from transliterations alone: an archive that you \
                    know, so that broken signs in it are restored better" />
            </fieldset>
            <p class="hint" hidden=move || training.choices_not_stored.with(Option::is_none)>
                {corpus_not_stored}
            </p>
        </section>
    }
}

#[component]
fn Way(task: Task, name: &'static str, told: &'static str) -> impl IntoView {
    let training = expect_context::<Training>();
    view! {
        <label class="choice">
            <input
                type="radio"
                name="train-craft"
                prop:checked=move || training.choices.with(|choices| choices.task == task)
                on:change=move |_| training.choose(|choices| choices.task = task)
            />
            <span>
                {name} " " <span class="hint">{told}</span>
            </span>
        </label>
    }
}
