//! The page “Train”: translators are trained on pairs, restorers on texts. It shows the choice between both, the data,
//! the augmentation of lines, the run with its curve, the stored runs and the ablation.

use super::ablation::view::Ablation;
use super::data::pairs::Pairs;
use super::data::preview::Preview;
use super::data::texts::Texts;
use super::run::stored::Runs;
use super::run::trouble::FailurePanel;
use super::run::view::Run;
use super::settings::restorer::Restorer;
use super::settings::translator::Translator;
use crate::kit::colours::Colours;
use crate::kit::interaction::focus_first;
use crate::kit::storage;
use crate::models::Models;
use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::Task;

/// The page, its steps from top to bottom.
#[component]
pub fn TrainPage() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    read_storage(training);
    training.list();
    models.list();
    let restoring = Memo::new(move |_| training.choices.with(|choices| choices.task == Task::Restoration));
    view! {
        <main class="train-page">
            <Colours />
            <TaskChoice />
            <Show when=move || !restoring.get()>
                <Pairs />
                <Preview />
                <Translator />
            </Show>
            <Show when=move || restoring.get()>
                <Texts />
                <Restorer />
            </Show>
            <FailurePanel />
            <Run />
            <Runs />
            <Show when=move || !restoring.get() || training.session.with(Option::is_some)>
                <Ablation />
            </Show>
        </main>
    }
}

/// Loads settings, corpus, texts and ablation from the browser's storage, once a visit.
fn read_storage(training: Training) {
    if training.is_loaded.get_value() {
        return;
    }
    training.is_loaded.set_value(true);
    if let Some(choices) = storage::stored(storage::TRAINING) {
        training.choices.set(choices);
    }
    if let Some(ablation) = storage::stored(storage::ABLATION) {
        training.ablation.set(ablation);
    }
    let text = |key: &str| storage::stored::<String>(key).filter(|text| !text.is_empty());
    if let Some(texts) = text(storage::TEXTS) {
        training.texts_typed.set(texts.into());
        training.read_texts();
    }
    if let Some(corpus) = text(storage::CORPUS) {
        training.text.set(corpus.into());
        training.read_again();
    }
}

/// Focuses the first heading.
pub fn focus_corpus() {
    focus_first("#train-craft-title");
}

/// Choice between training a translator on pairs and a restorer on texts.
#[component]
pub fn TaskChoice() -> impl IntoView {
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
                <TaskOption
                    task=Task::Translation
                    name="To translate"
                    description="from pairs of a transliteration and its translation"
                />
                <TaskOption
                    task=Task::Restoration
                    name="To restore"
                    description="from transliterations alone: an archive that you know, so that broken signs in it \
                        are restored better"
                />
            </fieldset>
            <p class="hint" hidden=move || training.choices_not_stored.with(Option::is_none)>
                {corpus_not_stored}
            </p>
        </section>
    }
}

#[component]
fn TaskOption(task: Task, name: &'static str, description: &'static str) -> impl IntoView {
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
                {name} " " <span class="hint">{description}</span>
            </span>
        </label>
    }
}
