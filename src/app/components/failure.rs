//! What went wrong: one sentence, likely causes, folded details, and a way out for each class of failure.

use crate::app::clipboard::copy;
use crate::app::session::Trouble;
use crate::app::state::Workbench;
use crate::engine::protocol::{DevicePreference, Failure, FailureKind};
use leptos::prelude::*;

/// The panel; absent when all is well.
#[component]
pub fn TroublePanel() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || workbench.trouble.get().map(|trouble| panel(workbench, trouble));
    view! { {draw} }
}

fn panel(workbench: Workbench, trouble: Trouble) -> impl IntoView {
    let Failure { kind, message, hints, details } = trouble.failure.clone();
    let causes = hints.into_iter().map(|hint| view! { <li>{hint}</li> }).collect_view();
    let report = format!("{message}\n{details}\nTuppum {}", env!("CARGO_PKG_VERSION"));
    view! {
        <section id="trouble" class="card trouble" role="alert" data-kind=format!("{kind:?}")>
            <h2>
                <span aria-hidden="true">"⚠ "</span>
                {message}
            </h2>
            <ul>{causes}</ul>
            <p class="buttons">{actions(workbench, &trouble)}</p>
            <details>
                <summary>"Technical details"</summary>
                <pre>{details}</pre>
                <button type="button" data-action="copy-details" on:click=move |_| copy(workbench, report.clone(), "The details")>
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
        FailureKind::Device => vec![cpu(), again, close],
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

fn reopen_and_restore(workbench: Workbench) {
    workbench.trouble.set(None);
    workbench.restore();
}
