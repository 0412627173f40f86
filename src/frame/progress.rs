//! Progress of the model's start and of the running job: as bars, and in a live region for screen readers, which
//! reports each new phase and then speaks at most once every few seconds.

use crate::engine::job::TimedProgress;
use crate::engine::model::ModelState;
use crate::kit::format;
use crate::kit::timing::now;
use crate::models::offer::Offer;
use crate::restore::state::Workbench;
use crate::restore::state::restoring::Restoring;
use crate::translate::Translating;
use leptos::prelude::*;
use tuppum_protocol::{Phase, Progress};

/// Progress of opening the restorer, with a stop button; before that, an offer to fetch the model.
#[component]
pub fn RestorerProgress() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let opening = Memo::new(move |_| workbench.restoring.restorer.state.with(|state| *state == ModelState::Opening));
    view! {
        <Offer />
        <Show when=move || opening.get()>
            <div id="engine-progress" class="progress">
                {move || meter(workbench.restoring.restorer.progress(), "Starting the model")}
                <button id="engine-stop" type="button" class="quiet" on:click=move |_| workbench.stop_opening()>
                    "Stop loading"
                </button>
            </div>
        </Show>
    }
}

/// Progress of the running job.
#[component]
pub fn JobProgress() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let translating = expect_context::<Translating>();
    view! {
        <Show when=move || workbench.restoring.job.is_running()>
            <div id="job-progress" class="progress">
                {move || {
                    let waits = translating.job.is_running();
                    let before = if waits { "Waiting for the translation to finish" } else { "Asking the model" };
                    meter(workbench.restoring.job.progress(), before)
                }}
            </div>
        </Show>
    }
}

/// Draws the phase, the share done and the time left. `before` is shown as long as no progress is known.
pub fn meter(timed: Option<TimedProgress>, before: &'static str) -> AnyView {
    let phase = timed.as_ref().map_or(before, |timed| format::phase(timed.progress.phase));
    let (done, total) = timed.as_ref().map_or((0, 0), |timed| (timed.progress.done, timed.progress.total));
    let count = timed.as_ref().map(|timed| format::progress(timed.progress.phase, done, total)).unwrap_or_default();
    let left = timed.and_then(|timed| format::time_left(done, total, now() - timed.since));
    let value = (total > 0).then(|| done.min(total).to_string());
    view! {
        <span class="phase">{phase}</span>
        <progress aria-label=phase max=total.max(1).to_string() value=value></progress>
        <span class="figure">{count} {left.map(|left| format!(", {left}"))}</span>
    }
    .into_any()
}

/// Minimum milliseconds between two reports of the same phase.
const REPORT_AFTER_MS: f64 = 6_000.0;

/// The live region.
#[component]
pub fn LiveRegion() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let said = RwSignal::new(String::new());
    let last = StoredValue::new((None::<Phase>, 0.0));
    Effect::new(move |_| {
        let Some(progress) = present(workbench.restoring) else { return };
        let (phase, when) = last.get_value();
        if phase != Some(progress.phase) || now() - when > REPORT_AFTER_MS {
            last.set_value((Some(progress.phase), now()));
            let count = format::progress(progress.phase, progress.done, progress.total);
            said.set(format!("{} {count}", format::phase(progress.phase)));
        }
    });
    Effect::new(move |before: Option<bool>| {
        let ready = workbench.restoring.restorer.is_ready();
        if ready && before == Some(false) {
            said.set("The model is ready.".into());
        }
        ready
    });
    Effect::new(move |before: Option<bool>| {
        let complete = workbench.restoring.shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.complete));
        if complete && before == Some(false) {
            said.set("The restoration is complete.".into());
        }
        complete
    });
    view! {
        <p id="live" class="unseen" role="status" aria-live="polite">
            {said}
        </p>
    }
}

fn present(restoring: Restoring) -> Option<Progress> {
    let timed = restoring.job.progress().or_else(|| restoring.restorer.progress())?;
    Some(timed.progress)
}
