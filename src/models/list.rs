//! List of the models that come with the page, and of those that the user added.

use super::bias::BiasCopy;
use crate::frame::notice::Notice;
use crate::kit::{files, format};
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::translate::state::translator::SHIPPED;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use tuppum_protocol::{ModelRef, Origin, StorageUsage, StoredModel, Task};

/// List of the shipped models, and of those that the user added.
#[component]
pub fn List() -> impl IntoView {
    let models = expect_context::<Models>();
    let absent = absent();
    // Compared with the previous value, so that the list is redrawn only if a row has changed: unfolded and typed
    // content stays after a failure.
    let listed = Memo::new(move |_| {
        models.usage.with(|usage| {
            let usage = usage.as_ref()?;
            let (stored, shipped, refusal) = (usage.stored.clone(), usage.shipped.clone(), usage.refusal.clone());
            Some(StorageUsage { stored, shipped, refusal, ..StorageUsage::default() })
        })
    });
    let waiting = move || models.usage.with(Option::is_none) && models.failure.with(Option::is_none);
    view! {
        <section class="card" aria-labelledby="models-title">
            <h2 id="models-title" tabindex="-1">"Models"</h2>
            <p id="models-loading" class="hint" role="status" hidden=move || !waiting()>
                "Looking for stored models …"
            </p>
            {move || listed.get().map(|usage| table(usage, absent))}
        </section>
    }
}

fn table(usage: StorageUsage, absent: RwSignal<bool>) -> impl IntoView {
    let empty = usage.stored.is_empty();
    let refusal = usage.refusal.clone();
    view! {
        <table id="models-list" class="plain models-list">
            <thead>
                <tr>
                    <th scope="col">"Model"</th>
                    <th scope="col">"Used for"</th>
                    <th scope="col">"Size"</th>
                    <th scope="col">"State"</th>
                </tr>
            </thead>
            <tbody>
                {shipped_rows(&usage, absent)}
                {usage.stored.into_iter().map(|model| view! { <Row model /> }).collect_view()}
            </tbody>
        </table>
        <p class="hint" hidden=!empty>
            "You have imported no model yet. Translators of the type ByT5 run here: choose one that was trained on \
             Akkadian. A general one, such as google/byt5-small, translates only after training on the page “Train”."
        </p>
        {refusal
            .map(|refusal| {
                view! {
                    <p class="warning-line" role="alert">
                        <strong>"This browser cannot store models here. "</strong>
                        "A private window is the usual cause. "
                        <span class="hint">{format!("({refusal})")}</span>
                    </p>
                }
            })}
    }
}

/// Returns a signal that becomes `true` if the page comes without a translator.
fn absent() -> RwSignal<bool> {
    let absent = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        if files::is_missing(&format!("{SHIPPED}manifest.json")).await {
            absent.try_set(true);
        }
    });
    absent
}

/// Rows of the shipped models.
fn shipped_rows(usage: &StorageUsage, absent: RwSignal<bool>) -> impl IntoView + use<> {
    let stored = |name: &str| usage.shipped.iter().find(|folder| folder.name == name).map(|folder| folder.bytes);
    let (restorer, translator, corpus) = (stored("restorer"), stored("translator"), stored("corpus"));
    let shipped = expect_context::<Workbench>().device.shipped.get_value();
    view! {
        <tr data-model="restorer">
            <th scope="row">"Tuppum’s restorer"<span class="hint">"comes with this page"</span></th>
            <td data-label="Used for"><RestoringChoice model=shipped name="Tuppum’s restorer".to_owned() /></td>
            <td data-label="Size" class="figure">{restorer.map(format::bytes)}</td>
            <td data-label="State">
                {in_words(restorer)} {delete_button("restorer", "Tuppum’s restorer", restorer)}
            </td>
        </tr>
        <tr data-model="translator">
            <th scope="row">
                "Tuppum’s translator"
                <span class="hint">
                    {move || if absent.get() { "not found on the server" } else { "comes with this page" }}
                </span>
            </th>
            <td data-label="Used for"><TranslatingChoice model=SHIPPED name="Tuppum’s translator".to_owned() /></td>
            <td data-label="Size" class="figure">{translator.map(format::bytes)}</td>
            <td data-label="State">
                {move || if absent.get() && translator.is_none() { "not here" } else { in_words(translator) }}
                {translator
                    .map(|_| {
                        let (name, stem) = ("Tuppum’s translator".to_owned(), "tuppum".to_owned());
                        view! { <BiasCopy model=SHIPPED name stem /> }
                    })}
                {delete_button("translator", "Tuppum’s translator", translator)}
            </td>
        </tr>
        <tr data-model="corpus">
            <th scope="row">
                "Edited texts" <span class="hint">
                    "come with this page: Oracc (CC0, translations CC BY-SA 3.0), CDLI (free re-use with credit)"
                </span>
            </th>
            <td data-label="Used for">"Restoring, parallels, published translations"</td>
            <td data-label="Size" class="figure">{corpus.map(format::bytes)}</td>
            <td data-label="State">{in_words(corpus)} {delete_button("corpus", "Edited texts", corpus)}</td>
        </tr>
    }
}

/// Button that deletes the stored copy of a shipped model; `None` without a stored copy.
fn delete_button(folder: &'static str, title: &'static str, stored: Option<u64>) -> Option<impl IntoView> {
    let models = expect_context::<Models>();
    stored.map(|bytes| {
        view! {
            <span class="buttons">
                <button
                    type="button"
                    aria-label=format!("Delete the stored copy of {title}")
                    on:click=move |_| models.ask_to_delete_shipped(folder, title, bytes)
                >
                    "Delete …"
                </button>
            </span>
        }
    })
}

fn in_words(stored: Option<u64>) -> &'static str {
    if stored.is_some() { "stored in this browser" } else { "fetched when first used" }
}

/// Row of a model that the user added.
#[component]
fn Row(model: StoredModel) -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let (complete, task) = (model.is_complete(), model.task);
    let name = model.name.clone();
    let origin = match &model.origin {
        Origin::Hub(repository) => format!("{} at {}, {}", repository.id, repository.revision, host(&repository.hub)),
        Origin::Files => "from files".to_owned(),
        Origin::Trained(_) => "trained here".to_owned(),
        Origin::Copied(base) => {
            let name = base.stored_name().unwrap_or("Tuppum’s translator");
            format!("copy of {name}, with another bias or none")
        }
        Origin::Unknown => "its record cannot be read".to_owned(),
    };
    let moving = {
        let name = name.clone();
        move || models.transfer.with(|transfer| transfer.as_ref().is_some_and(|transfer| transfer.name == name))
    };
    let state = match complete {
        true => "complete, checksums compared".to_owned(),
        false => format!("{} of {} here", format::bytes(model.present()), format::bytes(model.bytes())),
    };
    let choice = complete.then(|| {
        let (model, name) = (ModelRef::stored(&name), name.clone());
        match task {
            Task::Translation => view! { <TranslatingChoice model=model name=name /> }.into_any(),
            Task::Restoration => view! { <RestoringChoice model=model name=name /> }.into_any(),
        }
    });
    let can_copy = complete && task == Task::Translation;
    let again = match &model.origin {
        Origin::Hub(repository) if !complete => Some(repository.clone()),
        _ => None,
    };
    let again = again.map(|repository| {
        let moving = moving.clone();
        view! {
            <button
                type="button"
                class="primary"
                aria-label=format!("Continue fetching {name}")
                hidden=moving
                on:click=move |_| models.fetch(workbench, repository.clone())
            >
                "Continue"
            </button>
        }
    });
    let deleted = model.clone();
    view! {
        <tr data-model=name.clone() data-complete=complete.to_string()>
            <th scope="row">
                {name.clone()} <span class="hint">{origin}</span>
                <span class="hint">{added(model.added)}</span>
            </th>
            <td data-label="Used for">{choice}</td>
            <td data-label="Size" class="figure">
                {format::bytes(model.bytes())}
                <span class="hint">{format!("{} parameters", format::count(model.parameters))}</span>
            </td>
            <td data-label="State">
                {move || if moving() { "being fetched".to_owned() } else { state.clone() }}
                <Checksums model=model.clone() />
                {can_copy
                    .then(|| {
                        let (model, stem) = (ModelRef::stored(&name), name.clone());
                        view! { <BiasCopy model name=name.clone() stem /> }
                    })}
                <span class="buttons">
                    {again}
                    <button
                        type="button"
                        aria-label=format!("Delete {name}")
                        on:click=move |_| models.ask_to_delete(&deleted)
                    >
                        "Delete …"
                    </button>
                </span>
            </td>
        </tr>
    }
}

/// Button that chooses a model for translating.
#[component]
fn TranslatingChoice(model: ModelRef, name: String) -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let choice = expect_context::<TranslatorChoice>();
    let chosen = {
        let model = model.clone();
        move || choice.model() == model
    };
    view! {
        <label class="choice">
            <input
                type="radio"
                name="translator"
                aria-label=format!("Translating with {name}")
                prop:checked=chosen
                on:change=move |_| models.choose(workbench, choice, &model)
            />
            "Translating"
        </label>
    }
}

/// Button that chooses a model for restoring.
#[component]
fn RestoringChoice(model: ModelRef, name: String) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let chosen = {
        let model = model.clone();
        move || workbench.device.model.with(|chosen| *chosen == model)
    };
    let choose = move |_| {
        if let Err(reason) = workbench.restore_with(&model) {
            workbench.notify(Notice::failure(format!("The choice holds for this visit only: {reason}.")));
        }
    };
    view! {
        <label class="choice">
            <input
                type="radio"
                name="restorer"
                aria-label=format!("Restoring with {name}")
                prop:checked=chosen
                on:change=choose
            />
            "Restoring"
        </label>
    }
}

/// The model's files with their checksums, folded away.
#[component]
fn Checksums(model: StoredModel) -> impl IntoView {
    let line = |file: &tuppum_protocol::StoredFile| {
        let sum = file.sha256.clone().unwrap_or_else(|| "not complete".to_owned());
        view! {
            <li>
                {file.name.clone()} " " {format::bytes(file.bytes)} <code>{sum}</code>
            </li>
        }
    };
    view! {
        <details class="checksums">
            <summary>"Files and sha256"</summary>
            <ul>{model.files.iter().map(line).collect_view()}</ul>
        </details>
    }
}

/// Returns the day on which a model was added.
fn added(milliseconds: f64) -> String {
    if milliseconds <= 0.0 {
        return String::new();
    }
    let date = js_sys::Date::new(&milliseconds.into()).to_iso_string();
    format!("imported on {}", String::from(date).get(..10).unwrap_or_default())
}

fn host(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, host)| host)
}
