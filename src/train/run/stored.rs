//! Runs stored in the browser: list, resume, store as a model, save as files, delete.

use crate::frame::notice::Notice;
use crate::kit::files::save_from;
use crate::kit::format;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::Training;
use crate::translate::state::translator::SHIPPED;
use leptos::prelude::*;
use tuppum_protocol::{ModelRef, Reply, StorageEvent, StorageRequest, StoredRun, Task, TrainingEvent, TrainingRequest};

impl Training {
    /// Asks the engine for the stored runs.
    pub fn list(self) {
        self.engine.ask(StorageRequest::ListRuns, move |event| match event {
            Reply::Answer(TrainingEvent::Runs(runs)) => self.runs.set(Some(runs)),
            // An earlier failure is kept: it weighs more, and may have caused this one.
            Reply::Failed(failure) => self.failure.update(|before| {
                before.get_or_insert(failure);
            }),
            _ => {}
        });
    }

    /// Deletes a run; a model that was made from it stays.
    pub fn forget(self, workbench: Workbench, name: String) {
        self.failure.set(None);
        self.engine.ask(TrainingRequest::DeleteRun(name.clone()), move |event: Reply<TrainingEvent>| match event {
            Reply::Done => {
                self.run.update(|run| {
                    if run.as_ref().is_some_and(|run| run.name == name && !run.status.is_busy()) {
                        *run = None;
                    }
                });
                workbench.notify(Notice::done(format!("{name} is deleted.")));
                self.list();
            }
            Reply::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Stores the model of a run among the models.
    pub fn store_model(self, workbench: Workbench, models: Models, name: String) {
        self.failure.set(None);
        let request = TrainingRequest::StoreModel { run: name.clone(), model: name };
        self.storing.start(request, move |event| match event {
            Reply::Answer(StorageEvent::Stored(model)) => {
                let (verb, model) = (model.task.verb(), model.name);
                workbench.notify(Notice::done(format!(
                    "{model} is on the page “Models” now; choose it there to {verb} with it."
                )));
            }
            Reply::Done => models.list(),
            Reply::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }

    /// Saves the model of a run as files on the user's device.
    pub fn save(self, workbench: Workbench, name: String) {
        self.failure.set(None);
        self.storing.start(TrainingRequest::SaveFiles(name.clone()), move |event| match event {
            Reply::Answer(TrainingEvent::Files(files)) => {
                let outcome = files.iter().try_for_each(|(file, from)| save_from(from, &format!("{name}-{file}")));
                let names: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
                workbench.notify(match outcome {
                    Ok(()) => Notice::done(format!("{name}: {} are saved.", names.join(", "))),
                    Err(reason) => Notice::failure(format!("{name} was not saved: {reason}.")),
                });
            }
            Reply::Failed(failure) => self.failure.set(Some(failure)),
            _ => {}
        });
    }
}

/// Table of the stored runs; absent without runs.
#[component]
pub fn Runs() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.runs.with(|runs| runs.as_ref().is_some_and(|runs| !runs.is_empty())));
    let all = move || training.runs.get().unwrap_or_default();
    view! {
        <section id="train-runs" class="card" aria-labelledby="train-runs-title" hidden=move || !there.get()>
            <h2 id="train-runs-title">"Runs in this browser"</h2>
            <table class="plain models-list">
                <thead>
                    <tr>
                        <th scope="col">"Run"</th>
                        <th scope="col">"Saved"</th>
                        <th scope="col">"Size"</th>
                        <th scope="col">"Actions"</th>
                    </tr>
                </thead>
                <tbody>
                    // The key makes a row stay, with the focus in it, while other runs come or go.
                    <For each=all key=|run| format!("{run:?}") let:run>
                        <Row run />
                    </For>
                </tbody>
            </table>
        </section>
    }
}

#[component]
fn Row(run: StoredRun) -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let workbench = expect_context::<Workbench>();
    let sure = RwSignal::new(false);
    let name = StoredValue::new(run.name.clone());
    let (of, whole, task) = (run.of, run.step.is_some(), run.task);
    // A finished run has no step left: it is only shown.
    let verb = if run.step.is_some_and(|step| step < of) { "Resume" } else { "Show" };
    let state = match run.step {
        Some(step) => format!("step {} of {}", format::count(step.into()), format::count(of.into())),
        None => "its checkpoint cannot be read".to_owned(),
    };
    let from = begun_with(&run);
    let busy = Memo::new(move |_| training.occupied().is_some() || training.storing.is_running());
    // Memory holds one run; resuming another would discard unsaved steps.
    let blocked = Memo::new(move |_| busy.get() || training.unsaved().is_some_and(|other| other != name.get_value()));
    let go_on = move |_| {
        if !blocked.get_untracked() {
            training.resume_run(workbench, (&name.get_value(), task), of, None)
        }
    };
    let store = move |_| {
        if !busy.get_untracked() {
            training.store_model(workbench, models, name.get_value())
        }
    };
    let save = move |_| {
        if !busy.get_untracked() {
            training.save(workbench, name.get_value())
        }
    };
    let forget = move |_| match sure.get_untracked() {
        _ if busy.get_untracked() => {}
        true => training.forget(workbench, name.get_value()),
        false => sure.set(true),
    };
    view! {
        <tr data-run=run.name.clone()>
            <th scope="row">
                {run.name.clone()}
                <span class="hint">{from}</span>
            </th>
            <td data-label="Saved">{state}</td>
            <td data-label="Size" class="figure">{format::bytes(run.bytes)}</td>
            <td data-label="Actions">
                <span class="buttons">
                    <button type="button" hidden=!whole aria-disabled=move || blocked.get().to_string() on:click=go_on>
                        {format!("{verb} {}", run.name)}
                    </button>
                    <button type="button" hidden=!whole aria-disabled=move || busy.get().to_string() on:click=store>
                        {format!("Save {} as a model", run.name)}
                    </button>
                    <button type="button" hidden=!whole aria-disabled=move || busy.get().to_string() on:click=save>
                        {format!("Download {}", run.name)}
                    </button>
                    <button type="button" class="quiet" aria-disabled=move || busy.get().to_string() on:click=forget>
                        {move || if sure.get() { "Really delete " } else { "Delete " }}
                        {name.get_value()}
                    </button>
                </span>
            </td>
        </tr>
    }
}

/// Returns the base of a run, in words.
fn begun_with(run: &StoredRun) -> String {
    match (&run.base, run.task) {
        (None, _) => String::new(),
        (Some(ModelRef::New(_)), _) => "from scratch".to_owned(),
        (Some(ModelRef::Stored(name)), _) => format!("from {name}"),
        (Some(base), _) if base.is_same(&SHIPPED) => "from Tuppum’s translator".to_owned(),
        (Some(ModelRef::Shipped(_)), Task::Restoration) => "from Tuppum’s restorer".to_owned(),
        (Some(base @ ModelRef::Shipped(_)), Task::Translation) => format!("from {base}"),
    }
}
