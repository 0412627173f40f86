//! Trouble with a run: the warning for a run that the browser did not store, with buttons that save it, and the failure
//! panel of the page “Train”.

use crate::frame::failure::panel;
use crate::kit::format;
use crate::kit::interaction::focus_first;
use crate::kit::timing::on_next_frame;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::{RunStatus, Training};
use leptos::prelude::*;
use tuppum_protocol::FailureKind;

/// Makes the browser ask before the page is left, while a run is under way or has steps that exist only in this page.
pub fn ask_before_leaving(training: Training) {
    let leaving = window_event_listener(leptos::ev::beforeunload, move |event| {
        if training.run.with_untracked(|run| run.as_ref().is_some_and(|run| run.is_under_way() || run.is_unsaved())) {
            event.prevent_default();
        }
    });
    on_cleanup(move || leaving.remove());
}

/// The warning and its buttons; absent where all steps are stored.
#[component]
pub fn Unsaved() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let workbench = expect_context::<Workbench>();
    let name = Memo::new(move |_| training.unsaved());
    let there = Memo::new(move |_| name.with(Option::is_some));
    let steps = move || training.run.with(|run| run.as_ref().map_or(0, |run| run.step - run.stored.min(run.step)));
    let busy = Memo::new(move |_| training.occupied().is_some() || training.storing.is_running());
    let free = move || name.get_untracked().filter(|_| !busy.get_untracked());
    let store = move |_| {
        if let Some(name) = free() {
            training.store_model(workbench, models, name);
        }
    };
    let save = move |_| {
        if let Some(name) = free() {
            training.save(workbench, name);
        }
    };
    view! {
        <Show when=move || there.get()>
            <div id="train-unkept" class="warning-line" role="group" aria-label="Not saved">
                <p>
                    {move || format!(
                        "{} of this run exist only in this open page. They are lost when the tab is closed, unless you \
                         save the model first.",
                        format::plural(steps() as usize, "step", "steps"),
                    )}
                </p>
                <p class="buttons">
                    <button type="button" aria-disabled=move || busy.get().to_string() on:click=save>
                        "Save the model on this device"
                    </button>
                    <button type="button" aria-disabled=move || busy.get().to_string() on:click=store>
                        "Save it as a model in this browser"
                    </button>
                </p>
            </div>
        </Show>
    }
}

/// Failure panel of the page “Train”; absent without a failure.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    // The button that caused the failure may be further down the page.
    Effect::new(move |_| {
        if training.failure.with(Option::is_some) {
            on_next_frame(|| {
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
            let run = run.as_ref().filter(|run| run.status == RunStatus::Paused);
            run.is_some_and(|run| matches!(run.failed, Some(FailureKind::DeviceLost | FailureKind::Internal)))
        })
    };
    let go_on = move |_| {
        training.resume_in_more_parts(workbench);
        // This button disappears together with the failure.
        on_next_frame(|| focus_first("#train-pause"));
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
