//! The page of training: the corpus, what training makes of its lines, the run with its curve, the runs that are kept, and the ablation.

mod ablation;
mod base;
mod columns;
mod compared;
mod corpus;
mod curve;
mod number;
mod preview;
mod run;
mod runs;
mod samples;
mod scored;
mod trouble;

use super::colours::Colours;
use crate::app::models::Models;
use crate::app::state::Workbench;
use crate::app::training::Training;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The page, its steps from top to bottom.
#[component]
pub fn TrainPage() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let workbench = expect_context::<Workbench>();
    training.begin();
    training.list(workbench);
    models.list(workbench);
    view! {
        <main class="train-page">
            <Colours />
            <corpus::Corpus />
            <preview::Preview />
            <base::Base />
            <trouble::Trouble />
            <run::Run />
            <runs::Runs />
            <ablation::Ablation />
        </main>
    }
}

/// Focuses the heading of the corpus.
pub fn focus_corpus() {
    let heading = document().get_element_by_id("train-corpus-title");
    if let Some(heading) = heading.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only where there is nothing to focus.
        let _ = heading.focus();
    }
}
