//! What went wrong with a model: one sentence, likely causes, folded details, and a way on.

use crate::app::models::Models;
use crate::app::state::Workbench;
use crate::engine::protocol::{Failure, FailureKind};
use leptos::prelude::*;

/// The panel; absent when all is well.
#[component]
pub fn Trouble() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    move || models.trouble.get().map(|failure| panel(models, workbench, failure))
}

fn panel(models: Models, workbench: Workbench, failure: Failure) -> impl IntoView {
    let Failure { kind, message, hints, details } = failure;
    let causes = hints.into_iter().map(|hint| view! { <li>{hint}</li> }).collect_view();
    let may_continue = matches!(kind, FailureKind::Network | FailureKind::Weights | FailureKind::Storage);
    let tried = models.tried.get_untracked().filter(|_| may_continue);
    let on = tried.map(|repository| {
        view! {
            <button type="button" class="primary" data-action="continue" on:click=move |_| models.fetch(workbench, repository.clone())>
                "Continue"
            </button>
        }
    });
    view! {
        <section id="models-trouble" class="card trouble" role="alert" data-kind=format!("{kind:?}")>
            <h2>
                <span aria-hidden="true">"⚠ "</span>
                {message}
            </h2>
            <ul>{causes}</ul>
            <p class="buttons">
                {on}
                <button type="button" data-action="close" on:click=move |_| models.trouble.set(None)>
                    "Close"
                </button>
            </p>
            <details>
                <summary>"Technical details"</summary>
                <pre>{details}</pre>
            </details>
        </section>
    }
}
