//! The page of training, of translators from pairs and of restorers from texts: the corpus, what training makes of its lines, the run with
//! its curve, the runs that are kept, and the ablation.

mod ablation;
mod base;
mod bring;
mod choice;
mod columns;
mod compared;
mod corpus;
mod craft;
mod curve;
mod number;
mod preview;
mod restorer;
mod restorers_compared;
mod run;
mod runs;
mod samples;
mod scored;
mod texts;
mod trouble;
mod unkept;

use super::colours::Colours;
use crate::app::models::Models;
use crate::app::state::Workbench;
use crate::app::training::Training;
use crate::engine::protocol::Craft;
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
    let restoring = Memo::new(move |_| training.choices.with(|choices| choices.craft == Craft::Restoring));
    view! {
        <main class="train-page">
            <Colours />
            <craft::Choice />
            <Show when=move || !restoring.get()>
                <corpus::Corpus />
                <preview::Preview />
                <base::Base />
            </Show>
            <Show when=move || restoring.get()>
                <texts::Texts />
                <restorer::Restorer />
            </Show>
            <trouble::Trouble />
            <run::Run />
            <runs::Runs />
            <Show when=move || !restoring.get() || training.sitting.with(Option::is_some)>
                <ablation::Ablation />
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
