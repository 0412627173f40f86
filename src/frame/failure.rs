//! Panels for failures: a sentence, likely causes, folded details, and buttons that depend on the kind of failure.

use crate::engine::model::ModelState;
use crate::frame::clipboard::copy;
use crate::restore::state::Workbench;
use crate::translate::Translating;
use leptos::prelude::*;
use tuppum_protocol::{DevicePreference, Failure, FailureKind};

/// Panel for failures of the restorer; absent when there is none.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || {
        let failure = workbench.restoring.failure.get()?;
        Some(panel("trouble", workbench, &failure, actions(workbench, failure.kind).into_any()))
    };
    view! { {draw} }
}

/// Panel for failures of the translator. Its buttons translate again.
#[component]
pub fn TranslationFailure() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let draw = move || {
        let failure = translating.failure.get()?;
        let actions = translation_actions(translating, failure.kind).into_any();
        Some(panel("translation-trouble", translating.workbench, &failure, actions))
    };
    view! { {draw} }
}

/// Draws a failure panel with this id and these buttons.
pub fn panel(id: &'static str, workbench: Workbench, failure: &Failure, actions: AnyView) -> impl IntoView + use<> {
    let Failure { kind, message, hints, details } = failure.clone();
    let causes = hints.into_iter().map(|hint| view! { <li>{hint}</li> }).collect_view();
    let report = format!("{message}\n{details}\nTuppum {}", env!("CARGO_PKG_VERSION"));
    view! {
        <section id=id class="card trouble" role="alert" data-kind=format!("{kind:?}")>
            <h2>
                <span aria-hidden="true">"⚠ "</span>
                {message}
            </h2>
            <ul>{causes}</ul>
            <p class="buttons">{actions}</p>
            <details>
                <summary>"Technical details"</summary>
                <pre>{details}</pre>
                <button
                    type="button"
                    data-action="copy-details"
                    on:click=move |_| copy(workbench, report.clone(), "The report")
                >
                    "Copy the report"
                </button>
            </details>
        </section>
    }
}

fn actions(workbench: Workbench, kind: FailureKind) -> impl IntoView + use<> {
    let action = move |name: &'static str, label: &'static str, press: fn(Workbench)| {
        view! {
            <button type="button" data-action=name on:click=move |_| press(workbench)>
                {label}
            </button>
        }
        .into_any()
    };
    let opened = workbench.restoring.restorer.state.with_untracked(|state| !matches!(state, ModelState::Failed(_)));
    let again = action("again", "Try again", if opened { Workbench::restore } else { Workbench::open_restorer });
    let cpu = || action("cpu", "Use the CPU", |workbench| workbench.use_device(DevicePreference::Cpu));
    let close = action("close", "Close", |workbench| workbench.restoring.failure.set(None));
    match kind {
        FailureKind::Device | FailureKind::DeviceLost => vec![cpu(), again, close],
        FailureKind::Storage => {
            let go_on = action("without-storing", "Work without storing", Workbench::open_without_storing);
            vec![go_on, close]
        }
        FailureKind::Network | FailureKind::Missing | FailureKind::Unposted => vec![again, close],
        FailureKind::Weights => {
            let fetch = action("fetch-again", "Fetch the model again", Workbench::open_restorer);
            vec![fetch, close]
        }
        FailureKind::Internal => vec![again, cpu(), close],
        FailureKind::Question | FailureKind::Cancelled => vec![close],
    }
}

fn translation_actions(translating: Translating, kind: FailureKind) -> impl IntoView + use<> {
    let action = move |name: &'static str, label: &'static str, press: fn(Translating)| {
        view! {
            <button type="button" data-action=name on:click=move |_| press(translating)>
                {label}
            </button>
        }
        .into_any()
    };
    let again = || action("again", "Try again", Translating::translate);
    let cpu = || action("cpu", "Use the CPU", |translating| translating.translate_on(DevicePreference::Cpu));
    let close = action("close", "Close", |translating| translating.failure.set(None));
    match kind {
        FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal => vec![again(), cpu(), close],
        FailureKind::Storage => {
            vec![action("without-storing", "Work without storing", Translating::translate_without_storing), close]
        }
        FailureKind::Network | FailureKind::Missing | FailureKind::Unposted => vec![again(), close],
        FailureKind::Weights => {
            vec![action("fetch-again", "Fetch the translator again", Translating::translate), close]
        }
        FailureKind::Question | FailureKind::Cancelled => vec![close],
    }
}
