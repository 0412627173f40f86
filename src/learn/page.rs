//! Page of the lesson.

use super::{Line, YourLine, bias, circles, damage, restoration, sentence, signs};
use crate::attention::reading;
use crate::kit::colours::Colours;
use crate::kit::interaction::focus_first;
use crate::models::{Models, offer};
use crate::restore::state::Workbench;
use crate::tree::SignTree;
use leptos::prelude::*;

#[component]
pub fn LearnPage() -> impl IntoView {
    let (tree, models, workbench) =
        (expect_context::<SignTree>(), expect_context::<Models>(), expect_context::<Workbench>());
    models.list_once();
    provide_context(Line(RwSignal::new(reading::EXAMPLE.to_owned())));
    tree.load();
    view! {
        <main class="learn">
            <Colours />
            <section class="card" aria-labelledby="learn-title">
                <h2 id="learn-title" tabindex="-1">
                    "Seven steps: why signs have a shape in space, and what a machine’s reading is worth"
                </h2>
                <p id="learn-promise">
                    {move || offer::promise(models.restorer_availability(workbench))}
                    " Steps 4 and 5 use your own line; each step ends with a question to try."
                </p>
                <YourLine />
            </section>
            <signs::SignStep />
            <signs::TreeStep />
            <circles::Step />
            <bias::Step />
            <damage::Step />
            <restoration::Step />
            <sentence::Step />
        </main>
    }
}

/// Focuses the lesson's heading.
pub fn focus_title() {
    focus_first("#learn-title");
}
