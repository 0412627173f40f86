//! Step 4: the run, from its start to its end.

use super::curve::{Curve, unit};
use super::trouble::Unsaved;
use crate::kit::format;
use crate::kit::interaction::focus_first;
use crate::kit::timing::now;
use crate::kit::timing::on_next_frame;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::compare::Worse;
use crate::train::compare::restorers::RestorersCompared;
use crate::train::compare::translations::{Samples, Scored};
use crate::train::compare::translators::Compared;
use crate::train::{Run as State, RunStatus, Training};
use leptos::ev::FocusEvent;
use leptos::prelude::*;
use std::f64::consts::LN_2;
use tuppum_protocol::translation::points::PointsMoved;
use tuppum_protocol::{Task, TrainingReport};

/// Minimum time between two announcements to a screen reader, in milliseconds.
const ANNOUNCE_AFTER_MS: f64 = 10_000.0;

/// Last step: buttons, state, curve and results of the run.
#[component]
pub fn Run() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.run.with(Option::is_some));
    let restoring = Memo::new(move |_| training.choices.with(|choices| choices.task == Task::Restoration));
    let status = move || training.status().map_or("none", RunStatus::word);
    view! {
        <section id="train-run" class="card" aria-labelledby="train-run-title" data-standing=status>
            <h2 id="train-run-title">{move || if restoring.get() { "3. The run" } else { "4. The run" }}</h2>
            <Buttons />
            <Show when=move || there.get()>
                <Worse />
                <Unsaved />
                <Facts />
                <Curve />
                <Compared />
                <RestorersCompared />
                <Scored />
                <Samples />
            </Show>
            <Announcement />
        </section>
    }
}

#[component]
fn Buttons() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let workbench = expect_context::<Workbench>();
    let status = Memo::new(move |_| training.status());
    let busy = move || status.get().is_some_and(RunStatus::is_busy);
    let rests = move || status.get() == Some(RunStatus::Paused);
    let close_failed = move || training.run.with(|run| run.as_ref().is_some_and(|run| run.close_failed));
    let reason = Memo::new(move |_| training.why_not(models));
    let start = move |steps: Option<u32>| {
        if reason.get_untracked().is_none() {
            training.start(workbench, models, steps);
        }
    };
    let go_on = move |steps: Option<u32>| {
        if let Some(run) = training.resumable_run() {
            training.resume_run(workbench, (&run.name, run.task), run.of, steps);
        }
    };
    let within = StoredValue::new(false);
    Effect::new(move |_| {
        status.track();
        // The pressed button has disappeared; once the page is drawn, its replacement gets the focus.
        on_next_frame(move || {
            let lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
            if lost && within.try_get_value() == Some(true) {
                focus_first("#train-run .buttons button.primary:not([hidden])");
            }
        });
    });
    view! {
        <p
            class="buttons"
            on:focusin=move |_| within.set_value(true)
            on:focusout=move |event: FocusEvent| {
                within.update_value(|within| *within &= event.related_target().is_none());
            }
        >
            <button
                id="train-start"
                type="button"
                class="primary"
                hidden=move || busy() || rests()
                aria-disabled=move || reason.get().is_some().to_string()
                aria-describedby="train-reason"
                on:click=move |_| start(None)
            >
                "Start"
            </button>
            <button
                id="train-resume"
                type="button"
                class="primary"
                hidden=move || !rests()
                on:click=move |_| go_on(None)
            >
                "Resume"
            </button>
            <button
                id="train-pause"
                type="button"
                class="primary"
                hidden=move || !busy()
                aria-disabled=move || (status.get() == Some(RunStatus::Pausing)).to_string()
                on:click=move |_| if status.get_untracked() != Some(RunStatus::Pausing) { training.pause() }
            >
                "Pause"
            </button>
            <button
                id="train-step"
                type="button"
                hidden=busy
                aria-disabled=move || (!rests() && reason.get().is_some()).to_string()
                on:click=move |_| if rests() { go_on(Some(1)) } else { start(Some(1)) }
            >
                "Single step"
            </button>
            <button
                id="train-stop"
                type="button"
                class="quiet"
                hidden=move || busy() || status.get().is_none()
                on:click=move |_| training.close()
            >
                {move || match rests() {
                    _ if close_failed() => "Discard this run",
                    true => "Stop here",
                    false => "Close this run",
                }}
            </button>
        </p>
        <p id="train-reason" class="hint" hidden=move || busy() || rests() || reason.get().is_none()>
            {reason}
        </p>
    }
}

/// Steps, time left, learning rate, strength of the bias and stored steps.
#[component]
fn Facts() -> impl IntoView {
    let training = expect_context::<Training>();
    let run = move |get: fn(&State) -> String| training.run.with(|run| run.as_ref().map(get).unwrap_or_default());
    let last = move |get: fn(&tuppum_protocol::translation::training::Step) -> String| {
        training.curve.with(|curve| curve.steps.last().map(get).unwrap_or_default())
    };
    let left = move || {
        training.run.with(|run| {
            let run = run.as_ref()?;
            let (since, from) = run.since?;
            let (done, total) = (run.step.saturating_sub(from), run.of.saturating_sub(from));
            format::time_left(done.into(), total.into(), now() - since)
        })
    };
    let part = Memo::new(move |_| training.job.progress().is_some());
    let restorer = move || training.task() == Task::Restoration;
    let task_unit = move || unit(training.task());
    let note =
        move || run(|run| run.report.as_ref().and_then(|report| report.checkpoint_note.clone()).unwrap_or_default());
    let beside = move || {
        training.job.progress().map(|timed| {
            let count = format::progress(timed.progress.phase, timed.progress.done, timed.progress.total);
            format!("{} {count} …", format::phase(timed.progress.phase))
        })
    };
    view! {
        <div id="train-progress" class="progress">
            <span class="phase">
                {move || run(|run| format!("{}: {}", run.name, run.status.word()))}
            </span>
            <progress
                aria-label="Steps"
                max=move || run(|run| run.of.max(1).to_string())
                value=move || run(|run| run.step.to_string())
            ></progress>
            <span class="figure">
                {move || run(|run| {
                    format!("step {} of {}", format::count(run.step.into()), format::count(run.of.into()))
                })}
                {move || left().map(|left| format!(", {left}"))}
            </span>
        </div>
        <p class="hint part" aria-hidden=move || (!part.get()).to_string()>
            {beside}
        </p>
        <dl id="train-facts" class="facts">
            <dt>"Saved"</dt>
            <dd class="figure">{move || run(stored)}</dd>
            <dt>"Loss"</dt>
            <dd class="figure">{move || last(|step| format!("{:.3}", f64::from(step.loss) / LN_2))} " " {task_unit}</dd>
            <dt>"Learning rate"</dt>
            <dd class="figure">{move || last(|step| format!("{:.2e}", step.rate))}</dd>
            <dt hidden=restorer>"α of the bias"</dt>
            <dd class="figure" hidden=restorer>
                {move || last(|step| step.alpha.map_or("no bias".to_owned(), |alpha| format!("{alpha:.4}")))}
            </dd>
            <dt hidden=restorer>"Points of the bias"</dt>
            <dd id="train-points" class="figure" hidden=restorer>
                {move || last(|step| points(step.points.as_ref()))}
            </dd>
            <dt>"Trains"</dt>
            <dd class="figure">{move || run(|run| run.report.as_ref().map_or("…".to_owned(), trained))}</dd>
            <dt>"Computed by"</dt>
            <dd id="train-device">{move || run(computed_by)}</dd>
        </dl>
        <p class="warning-line" hidden=move || note().is_empty()>
            {note}
        </p>
    }
}

/// Returns how far the points of the bias were from their start before the last step, in words.
fn points(moved: Option<&PointsMoved>) -> String {
    moved.map_or("do not move".to_owned(), |PointsMoved { mean, largest, .. }| {
        format!("moved by {mean:.4} in the mean, {largest:.4} at most")
    })
}

/// Returns which device computes and why, and the number of parts per batch if there are several.
fn computed_by(run: &State) -> String {
    match &run.report {
        None => "…".to_owned(),
        Some(TrainingReport { reason, parts: 0 | 1, .. }) => reason.clone(),
        Some(TrainingReport { reason, parts, .. }) => {
            format!("{reason} Each batch in {parts} parts, to take less memory.")
        }
    }
}

/// Returns how many steps the browser stores, or why it stores none.
fn stored(run: &State) -> String {
    match (run.stored, run.report.as_ref().and_then(|report| report.storage_note.as_ref())) {
        (_, Some(note)) => format!("nothing: {note}"),
        (0, None) => {
            "nothing yet; a checkpoint is written after some seconds, then every few minutes and when you pause"
                .to_owned()
        }
        (stored, None) => format!("{}, in this browser", format::plural(stored as usize, "step", "steps")),
    }
}

/// Returns how many numbers are trained: all, those of adapters or the bias, or those of a restorer's last layers.
fn trained(report: &TrainingReport) -> String {
    let TrainingReport { task, trained, parameters, .. } = *report;
    let (count, all) = (format::count(trained), format::count(parameters));
    let share = 100.0 * trained as f64 / parameters.max(1) as f64;
    match task {
        _ if trained >= parameters => format!("all {count} numbers"),
        Task::Translation => {
            format!("{count} numbers, as many as {share:.1} % of the model’s {all}; others stay unchanged")
        }
        Task::Restoration => format!("{count} of {all} numbers ({share:.1} %)"),
    }
}

/// Announcements to screen readers, in one polite live region: at every change of state, and now and then in between.
#[component]
fn Announcement() -> impl IntoView {
    let training = expect_context::<Training>();
    let announcement = RwSignal::new(String::new());
    let last = StoredValue::new((None::<RunStatus>, 0.0));
    Effect::new(move |_| {
        let Some((status, step, of)) = training.run.with(|run| run.as_ref().map(|run| (run.status, run.step, run.of)))
        else {
            return;
        };
        let (before, when) = last.get_value();
        if before != Some(status) || now() - when > ANNOUNCE_AFTER_MS {
            last.set_value((Some(status), now()));
            announcement.set(match status {
                RunStatus::Opening => "The run is being opened.".to_owned(),
                status => format!("Training is {}, step {step} of {of}.", status.word()),
            });
        }
    });
    view! {
        <p id="train-said" class="unseen" role="status" aria-live="polite">
            {announcement}
        </p>
    }
}
