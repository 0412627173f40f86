//! The restore button with the reason for which it is off, and the buttons and menus beside it: stop, period, edited
//! texts, undo, redo; and progress.

use crate::engine::model::ModelState;
use crate::frame::address::{period_name, period_named};
use crate::frame::progress::{JobProgress, RestorerProgress};
use crate::restore::state::Workbench;
use crate::restore::state::restoring::Restoring;
use leptos::prelude::*;
use tuppum_protocol::Period;

/// Everything that starts and stops a restoration.
#[component]
pub fn RestoreRow() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let why_not = Memo::new(move |_| workbench.why_not());
    let busy = Memo::new(move |_| workbench.restoring.job.is_running() || workbench.restoring.queued.get());
    let restore = move |_| {
        if why_not.get_untracked().is_none() {
            workbench.restore_all();
        }
    };
    view! {
        <div class="buttons restore">
            <button
                id="restore"
                type="button"
                class="primary"
                aria-disabled=move || why_not.with(Option::is_some).to_string()
                aria-describedby="restore-reason"
                on:click=restore
            >
                "Restore"
            </button>
            <button id="stop" type="button" disabled=move || !busy.get() on:click=move |_| workbench.stop()>
                "Stop"
            </button>
            <PeriodMenu />
            <ContextsChoice />
            <Undo />
        </div>
        <div class="doings">
            <p id="restore-reason" class="hint">
                {move || why_not.get().or_else(|| waiting(workbench.restoring))}
            </p>
            <RestorerProgress />
            <JobProgress />
        </div>
    }
}

fn waiting(restoring: Restoring) -> Option<&'static str> {
    match (restoring.queued.get(), restoring.restorer.state.with(|state| *state == ModelState::Opening)) {
        (true, _) => Some("Restores as soon as the model is ready."),
        (false, true) => Some("The model is still loading; you can press Restore already."),
        (false, false) => None,
    }
}

#[component]
fn PeriodMenu() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let period = Memo::new(move |_| workbench.text.work.with(|work| work.period));
    let choose = move |event| {
        let chosen = period_named(&event_target_value(&event));
        workbench.step("choose a period", move |work| work.period = chosen);
    };
    let option = move |option: Period| {
        view! {
            <option value=period_name(option) prop:selected=move || period.get() == Some(option)>
                {option.name()}
            </option>
        }
    };
    view! {
        <label class="period" title="Re-ranks the proposals by how often the texts of a period have them">
            <span>"Period"</span>
            <select id="period" on:change=choose>
                <option value="" prop:selected=move || period.get().is_none()>
                    "any"
                </option>
                {Period::ALL.map(option).collect_view()}
            </select>
        </label>
    }
}

/// Checkbox that makes edited texts count beside the network.
#[component]
fn ContextsChoice() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let choose = move |event| {
        let contexts = event_target_checked(&event);
        let name = if contexts { "count edited texts" } else { "do not count edited texts" };
        workbench.step(name, move |work| work.contexts = contexts);
    };
    view! {
        <label class="check" title="Ranks the proposals also by what stands between like neighbours in edited texts">
            <input
                id="contexts"
                type="checkbox"
                prop:checked=move || workbench.text.work.with(|work| work.contexts)
                on:change=choose
            />
            "Count edited texts"
        </label>
    }
}

#[component]
fn Undo() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let undo = Memo::new(move |_| workbench.text.history.with(|history| history.undo_name().map(str::to_owned)));
    let redo = Memo::new(move |_| workbench.text.history.with(|history| history.redo_name().map(str::to_owned)));
    let title = |what: &str, name: Option<String>| name.map_or("Nothing".into(), |name| format!("{what}: {name}"));
    view! {
        <span class="buttons undo" role="group" aria-label="Steps">
            <button
                id="undo"
                type="button"
                class="quiet"
                disabled=move || undo.with(Option::is_none)
                title=move || title("Undo", undo.get())
                on:click=move |_| workbench.undo()
            >
                "↶ Undo"
            </button>
            <button
                id="redo"
                type="button"
                class="quiet"
                disabled=move || redo.with(Option::is_none)
                title=move || title("Redo", redo.get())
                on:click=move |_| workbench.redo()
            >
                "↷ Redo"
            </button>
        </span>
    }
}
