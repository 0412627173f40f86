//! What went wrong: one sentence, likely causes, folded details, and a way out for each class of failure.

use crate::restore::engine_state::Trouble;
use crate::restore::state::Workbench;
use crate::shell::clipboard::copy;
use crate::translate::Translating;
use leptos::prelude::*;
use tuppum_protocol::{DevicePreference, Failure, FailureKind};

/// The panel; absent when all is well.
#[component]
pub fn TroublePanel() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || {
        let trouble = workbench.trouble.get()?;
        Some(panel("trouble", workbench, &trouble.failure, actions(workbench, &trouble).into_any()))
    };
    view! { {draw} }
}

/// The same for the translation, whose ways out lead to translating.
#[component]
pub fn TranslationTrouble() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let draw = move || {
        let failure = translating.trouble.get()?.failure;
        let actions = translation_actions(translating, failure.kind).into_any();
        Some(panel("translation-trouble", translating.workbench, &failure, actions))
    };
    view! { {draw} }
}

/// A panel of this id, with its ways out.
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
                    on:click=move |_| copy(workbench, report.clone(), "The details")
                >
                    "Copy the details"
                </button>
            </details>
        </section>
    }
}

fn actions(workbench: Workbench, trouble: &Trouble) -> impl IntoView + use<> {
    let action = move |name: &'static str, label: &'static str, press: fn(Workbench)| {
        view! {
            <button type="button" data-action=name on:click=move |_| press(workbench)>
                {label}
            </button>
        }
        .into_any()
    };
    let again = action("again", "Try again", if trouble.opening { Workbench::open_engine } else { reopen_and_restore });
    let cpu = || action("cpu", "Use the CPU", |workbench| workbench.use_device(DevicePreference::Cpu));
    let close = action("close", "Close", |workbench| workbench.trouble.set(None));
    match trouble.failure.kind {
        FailureKind::Device | FailureKind::DeviceLost => vec![cpu(), again, close],
        FailureKind::Storage => {
            let go_on = action("without-storing", "Work without storing", Workbench::open_without_storing);
            vec![go_on, close]
        }
        FailureKind::Network | FailureKind::Missing => vec![again, close],
        FailureKind::Weights => {
            let fetch = action("fetch-again", "Fetch the model again", Workbench::open_engine);
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
    let close = action("close", "Close", |translating| translating.trouble.set(None));
    match kind {
        FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal => vec![again(), cpu(), close],
        FailureKind::Storage => {
            vec![action("without-storing", "Work without storing", Translating::translate_without_storing), close]
        }
        FailureKind::Network | FailureKind::Missing => vec![again(), close],
        FailureKind::Weights => {
            vec![action("fetch-again", "Fetch the translator again", Translating::translate), close]
        }
        FailureKind::Question | FailureKind::Cancelled => vec![close],
    }
}

fn reopen_and_restore(workbench: Workbench) {
    workbench.trouble.set(None);
    workbench.restore();
}
