//! What went wrong with training: one sentence, likely causes, folded details.

use crate::restore::state::Workbench;
use crate::shell::failure::panel;
use crate::train::Training;
use leptos::prelude::*;

/// The panel; absent when all is well.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    // What failed may have been asked further down the page.
    Effect::new(move |_| {
        if training.failure.with(Option::is_some) {
            request_animation_frame(|| {
                if let Some(panel) = document().get_element_by_id("train-trouble") {
                    panel.scroll_into_view();
                }
            });
        }
    });
    move || {
        let close = view! {
            <button type="button" data-action="close" on:click=move |_| training.failure.set(None)>
                "Close"
            </button>
        };
        training.failure.get().map(|failure| panel("train-trouble", workbench, &failure, close.into_any()))
    }
}
