//! Failure panel of the page “Models”: one sentence, likely causes, folded details, and a button to continue.

use crate::models::Models;
use crate::restore::state::Workbench;
use crate::shell::failure::panel;
use leptos::prelude::*;
use tuppum_protocol::FailureKind;

/// The panel; absent without a failure.
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
