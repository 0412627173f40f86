//! What went wrong: one sentence, likely causes, folded details, and a way out for each class of failure.

use crate::engine::model::ModelState;
use crate::restore::state::Workbench;
use crate::shell::clipboard::copy;
use crate::translate::Translating;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::{DevicePreference, Failure, FailureKind};

/// A way out of a failure.
#[derive(Clone, Copy)]
enum WayOut {
    Again,
    Cpu,
    WithoutStoring,
    FetchAgain,
    Close,
}

/// The panel; absent when all is well.
#[component]
pub fn FailurePanel() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    move || {
        let failure = workbench.failure.get()?;
        let opened = workbench.restorer.state.with_untracked(|state| !matches!(state, ModelState::Failed(_)));
        let press = move |way: WayOut| match way {
            WayOut::Again if opened => workbench.restore(),
            WayOut::Again | WayOut::FetchAgain => workbench.open_restorer(),
            WayOut::Cpu => workbench.use_device(DevicePreference::Cpu),
            WayOut::WithoutStoring => workbench.open_without_storing(),
            WayOut::Close => workbench.failure.set(None),
        };
        let ways_out = ways_out(failure.kind, "Fetch the model again", Arc::new(press));
        Some(panel("trouble", workbench, &failure, ways_out))
    }
}

/// The same for the translation, whose ways out lead to translating.
#[component]
pub fn TranslationFailure() -> impl IntoView {
    let translating = expect_context::<Translating>();
    move || {
        let failure = translating.failure.get()?;
        let press = move |way: WayOut| match way {
            WayOut::Again | WayOut::FetchAgain => translating.translate(),
            WayOut::Cpu => translating.translate_on(DevicePreference::Cpu),
            WayOut::WithoutStoring => translating.translate_without_storing(),
            WayOut::Close => translating.failure.set(None),
        };
        let kind = match failure.kind {
            FailureKind::Device | FailureKind::DeviceLost => FailureKind::Internal,
            kind => kind,
        };
        let ways_out = ways_out(kind, "Fetch the translator again", Arc::new(press));
        Some(panel("translation-trouble", translating.workbench, &failure, ways_out))
    }
}

fn ways_out(kind: FailureKind, fetch_again: &'static str, press: Arc<dyn Fn(WayOut) + Send + Sync>) -> AnyView {
    let ways: &[WayOut] = match kind {
        FailureKind::Device | FailureKind::DeviceLost => &[WayOut::Cpu, WayOut::Again, WayOut::Close],
        FailureKind::Internal => &[WayOut::Again, WayOut::Cpu, WayOut::Close],
        FailureKind::Storage => &[WayOut::WithoutStoring, WayOut::Close],
        FailureKind::Network | FailureKind::Missing => &[WayOut::Again, WayOut::Close],
        FailureKind::Weights => &[WayOut::FetchAgain, WayOut::Close],
        FailureKind::Question | FailureKind::Cancelled => &[WayOut::Close],
    };
    let button = |way: WayOut| {
        let (name, label) = match way {
            WayOut::Again => ("again", "Try again"),
            WayOut::Cpu => ("cpu", "Use the CPU"),
            WayOut::WithoutStoring => ("without-storing", "Work without storing"),
            WayOut::FetchAgain => ("fetch-again", fetch_again),
            WayOut::Close => ("close", "Close"),
        };
        let press = press.clone();
        view! {
            <button type="button" data-action=name on:click=move |_| press(way)>
                {label}
            </button>
        }
    };
    ways.iter().copied().map(button).collect_view().into_any()
}

/// A panel of this id, with its ways out.
pub fn panel(id: &'static str, workbench: Workbench, failure: &Failure, actions: AnyView) -> AnyView {
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
    .into_any()
}
