//! The page “Models”: stored models on one side, ways to add more on the other. With the progress of a transfer, the
//! failure panel, and the question before a deletion.

use super::disk_usage::Usage;
use super::import::{Files, Hub};
use super::list::List;
use crate::corpora::own_view::OwnTexts;
use crate::frame::failure::panel;
use crate::frame::progress::meter;
use crate::kit::dialog::DeletionQuestion;
use crate::kit::format;
use crate::kit::interaction::focus_first;
use crate::models::Models;
use crate::models::state::Deletion;
use crate::restore::state::Workbench;
use crate::translate::Translating;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use tuppum_protocol::{FailureKind, StoredModel};

/// The page: stored models on one side, ways to add more on the other.
#[component]
pub fn ModelsPage() -> impl IntoView {
    let models = expect_context::<Models>();
    models.list();
    view! {
        <main class="models-page">
            <div class="there">
                <Transferring />
                <FailurePanel />
                <List />
                <OwnTexts />
                <Usage />
            </div>
            <div class="bring">
                <Hub />
                <Files />
            </div>
            <DeletionDialog />
        </main>
    }
}

/// Focuses the heading of the list.
pub fn focus_list() {
    focus_first("#models-title");
}

/// Progress of a model's transfer, with buttons to stop it; absent without a transfer.
#[component]
pub fn Transferring() -> impl IntoView {
    let models = expect_context::<Models>();
    let there = Memo::new(move |_| models.transfer.with(Option::is_some));
    let name = Memo::new(move |_| models.transfer.with(|t| t.as_ref().map(|t| t.name.clone()).unwrap_or_default()));
    let operation = Memo::new(move |_| models.transfer.with(|t| t.as_ref().map_or("Importing", |t| t.operation)));
    let from_hub = Memo::new(move |_| models.transfer.with(|t| t.as_ref().is_some_and(|t| t.repository.is_some())));
    let delete = move |_| {
        let present = untrack(|| models.transferring.progress()).map_or(0, |timed| timed.progress.done);
        let file = tuppum_protocol::StoredFile { name: String::new(), bytes: 0, present, sha256: None };
        let origin = tuppum_protocol::Origin::Unknown;
        models.ask_to_delete(&StoredModel {
            name: name.get(),
            task: tuppum_protocol::Task::Translation,
            origin,
            added: 0.0,
            parameters: 0,
            size: None,
            files: vec![file],
        });
    };
    view! {
        <Show when=move || there.get()>
            <section id="model-transfer" class="card" aria-labelledby="transfer-title">
                <h2 id="transfer-title">{move || format!("{} {}", operation.get(), name.get())}</h2>
                <div class="progress">{move || meter(models.transferring.progress(), "Asking the hub")}</div>
                <p class="buttons">
                    <button id="model-pause" type="button" on:click=move |_| models.transferring.stop()>
                        {move || if from_hub.get() { "Pause" } else { "Stop" }}
                    </button>
                    <button id="model-stop" type="button" class="quiet" hidden=move || !from_hub.get() on:click=delete>
                        "Stop and delete …"
                    </button>
                </p>
                <p class="hint" hidden=move || !from_hub.get()>
                    "What has arrived is kept when you pause, close the tab or lose the connection. You can go on \
                     translating and restoring meanwhile."
                </p>
            </section>
        </Show>
    }
}

/// Failure panel of the page “Models”; absent without a failure.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    move || {
        let failure = models.failure.get()?;
        Some(panel("models-trouble", workbench, &failure, actions(models, workbench, failure.kind).into_any()))
    }
}

fn actions(models: Models, workbench: Workbench, kind: FailureKind) -> impl IntoView {
    let may_continue = matches!(kind, FailureKind::Network | FailureKind::Weights | FailureKind::Storage);
    let tried = models.tried.get_untracked().filter(|_| may_continue);
    let on = tried.map(|repository| {
        view! {
            <button
                type="button"
                class="primary"
                data-action="continue"
                on:click=move |_| models.fetch(workbench, repository.clone())
            >
                "Continue"
            </button>
        }
    });
    view! {
        {on}
        <button type="button" data-action="close" on:click=move |_| models.failure.set(None)>
            "Close"
        </button>
    }
}

/// Dialog that asks before a model is deleted.
#[component]
pub fn DeletionDialog() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let (choice, translating) = (expect_context::<TranslatorChoice>(), expect_context::<Translating>());
    let name = move || {
        let name = |deletion: &Deletion| deletion.shipped.map_or_else(|| deletion.name.clone(), str::to_owned);
        models.deletion.with(|deletion| deletion.as_ref().map(name).unwrap_or_default())
    };
    let is_shipped = move || models.deletion.with(|one| one.as_ref().is_some_and(|one| one.shipped.is_some()));
    let bytes = move || models.deletion.with(|deletion| deletion.as_ref().map_or(0, |deletion| deletion.bytes));
    let consequence = move || {
        let freed = format::bytes(bytes());
        match is_shipped() {
            true if !models.online.get() => format!(
                "This frees {freed}. There is no network at the moment: without one, nothing can be done with it until \
                 it is fetched again."
            ),
            true => format!("This frees {freed}. It is fetched again when it is next used."),
            false => format!("This frees {freed}. To use the model later, you must import it again."),
        }
    };
    view! {
        <DeletionQuestion
            id="model-deletion"
            delete_id="model-forget"
            is_asked=Signal::derive(move || models.deletion.with(Option::is_some))
            question=Signal::derive(move || format!("Delete {}?", name()))
            consequence=Signal::derive(consequence)
            on_delete=move || models.forget(workbench, choice, translating)
            on_keep=move || models.deletion.set(None)
        />
    }
}
