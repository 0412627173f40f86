//! Confirmations and small failures, one at a time, at the foot of the window.

use crate::kit::timing::Debounce;
use crate::restore::state::Workbench;
use leptos::prelude::*;

/// Milliseconds for which a confirmation stays. A failure stays until it is closed.
const STAY: u32 = 7_000;

/// The latest confirmation or small failure.
#[component]
pub fn NoticeLine() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let notice = workbench.notice;
    let timer = Debounce::new();
    Effect::new(move |_| {
        let passes = notice.with(|notice| notice.as_ref().is_some_and(|notice| !notice.failed));
        timer.cancel();
        if passes {
            timer.start(STAY, move || notice.set(None));
        }
    });
    let draw = move || {
        let notice = notice.get()?;
        let icon = if notice.failed { "✕ Failed. " } else { "✓ " };
        Some(view! {
            <p>
                <span class="icon">{icon}</span>
                {notice.text}
            </p>
            <button type="button" class="quiet" on:click=move |_| workbench.notice.set(None)>
                "Close"
            </button>
        })
    };
    view! {
        <div
            id="notice"
            role="status"
            class:shown=move || notice.with(Option::is_some)
            data-failed=move || notice.with(|notice| notice.as_ref().is_some_and(|notice| notice.failed)).to_string()
        >
            {draw}
        </div>
    }
}

/// Warns that the browser does not store the work.
#[component]
pub fn StorageRefusal() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || {
        let reason = workbench.storage_refusal.get()?;
        Some(view! {
            <section id="storage-trouble" class="band warning" role="alert">
                <p>
                    <strong>"This browser does not keep your work. "</strong>
                    "Everything works, but copy what you need before you close the tab. Private windows and full \
                     storage are the usual "
                    "causes. "<span class="hint">{format!("({reason})")}</span>
                </p>
            </section>
        })
    };
    view! { {draw} }
}
