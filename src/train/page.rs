//! The page “Train”: translators are trained on pairs, restorers on texts. It shows the corpus, the augmentation of its
//! lines, the run with its curve, the stored runs and the ablation.

use super::{
    ablation_view, corpus_view, failure, preview_view, restorer, run_view, runs_view, task, texts_view, translator,
};
use crate::models::Models;
use crate::shell::colours::Colours;
use crate::shell::focus::focus_first;
use crate::shell::storage;
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
            <task::Choice />
            <Show when=move || !restoring.get()>
                <corpus_view::Corpus />
                <preview_view::Preview />
                <translator::Translator />
            </Show>
            <Show when=move || restoring.get()>
                <texts_view::Texts />
                <restorer::Restorer />
            </Show>
            <failure::FailurePanel />
            <run_view::Run />
            <runs_view::Runs />
            <Show when=move || !restoring.get() || training.sitting.with(Option::is_some)>
                <ablation_view::Ablation />
            </Show>
        </main>
    }
}

/// Loads settings, corpus, texts and ablation from the browser's storage, once a visit.
fn read_storage(training: Training) {
    if training.begun.get_value() {
        return;
    }
    training.begun.set_value(true);
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
