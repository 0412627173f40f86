//! Failure panel of the page “Train”: one sentence, likely causes, folded details.

use crate::restore::state::Workbench;
use crate::shell::failure::panel;
use crate::shell::focus::focus_first;
use crate::train::{Standing, Training};
use leptos::prelude::*;
use tuppum_protocol::FailureKind;

/// The panel; absent without a failure.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    // The button that caused the failure may be further down the page.
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
        training.failure.get().map(|failure| {
            let actions = view! {
                <InParts />
                {close}
            };
            panel("train-trouble", workbench, &failure, actions.into_any())
        })
    }
}

/// Button that resumes the run in smaller parts. Shown for a paused run whose device or engine failed, perhaps for want
/// of memory.
#[component]
fn InParts() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    let rests = move || {
        training.run.with(|run| {
            let run = run.as_ref().filter(|run| run.standing == Standing::Paused);
            run.is_some_and(|run| matches!(run.failed, Some(FailureKind::DeviceLost | FailureKind::Internal)))
        })
    };
    let go_on = move |_| {
        training.go_on_in_more_parts(workbench);
        // This button disappears together with the failure.
        request_animation_frame(|| focus_first("#train-pause"));
    };
    view! {
        <button
            type="button"
            data-action="in-parts"
            aria-describedby="train-in-parts"
            hidden=move || !rests()
            on:click=go_on
        >
            "Resume in smaller parts"
        </button>
        <span id="train-in-parts" class="hint" hidden=move || !rests()>
            "Each batch is then computed in twice as many parts: the same steps in more time, with less memory."
        </span>
    }
}
