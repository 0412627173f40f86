//! A live region for screen readers: reports each new phase of a job, then at most once every few seconds.

use crate::kit::format;
use crate::kit::timing::now;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{Phase, Progress};

/// Minimum milliseconds between two reports of the same phase.
const PAUSE: f64 = 6_000.0;

/// The live region.
#[component]
pub fn LiveRegion() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let said = RwSignal::new(String::new());
    let last = StoredValue::new((None::<Phase>, 0.0));
    Effect::new(move |_| {
        let Some(progress) = present(workbench) else { return };
        let (phase, when) = last.get_value();
        if phase != Some(progress.phase) || now() - when > PAUSE {
            last.set_value((Some(progress.phase), now()));
            let count = format::progress(progress.phase, progress.done, progress.total);
            said.set(format!("{} {count}", format::phase(progress.phase)));
        }
    });
    Effect::new(move |before: Option<bool>| {
        let ready = workbench.restorer.is_ready();
        if ready && before == Some(false) {
            said.set("The model is ready.".into());
        }
        ready
    });
    Effect::new(move |before: Option<bool>| {
        let complete = workbench.shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.complete));
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

fn present(workbench: Workbench) -> Option<Progress> {
    let timed = workbench.job.progress().or_else(|| workbench.restorer.progress())?;
    Some(timed.progress)
}
