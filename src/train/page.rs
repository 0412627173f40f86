//! The page of training, of translators from pairs and of restorers from texts: the corpus, what training makes of its
//! lines, the run with its curve, the runs that are kept, and the ablation.

use super::{
    ablation_view, corpus_view, preview_view, restorer, run_view, runs_view, task, texts_view, translator, trouble,
};
use crate::models::Models;
use crate::shell::colours::Colours;
use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::Task;
use wasm_bindgen::JsCast;

/// The page, its steps from top to bottom.
#[component]
pub fn TrainPage() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    training.begin();
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
            <trouble::Trouble />
            <run_view::Run />
            <runs_view::Runs />
            <Show when=move || !restoring.get() || training.sitting.with(Option::is_some)>
                <ablation_view::Ablation />
            </Show>
        </main>
    }
}

/// Focuses the first heading.
pub fn focus_corpus() {
    let heading = document().get_element_by_id("train-craft-title");
    if let Some(heading) = heading.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only where there is nothing to focus.
        let _ = heading.focus();
    }
}
