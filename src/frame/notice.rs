//! Confirmations and small failures, one at a time, at the foot of the window.

use crate::kit::timing::Debounce;
use leptos::prelude::*;

/// A sentence that confirms something or reports a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// `true` if something failed.
    pub failed: bool,
}

impl Notice {
    /// Creates a confirmation.
    pub fn done(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: false }
    }

    /// Creates a failure.
    pub fn failure(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: true }
    }
}

/// Milliseconds for which a confirmation stays. A failure stays until it is closed.
const CONFIRMATION_MS: u32 = 7_000;

/// The latest confirmation or small failure.
#[component]
pub fn NoticeLine(
    /// The latest notice, which the line clears when it goes.
    notice: RwSignal<Option<Notice>>,
) -> impl IntoView {
    let timer = Debounce::new();
    Effect::new(move |_| {
        let passes = notice.with(|notice| notice.as_ref().is_some_and(|notice| !notice.failed));
        timer.cancel();
        if passes {
            timer.start(CONFIRMATION_MS, move || notice.set(None));
        }
    });
    let draw = move || {
        let shown = notice.get()?;
        let icon = if shown.failed { "✕ Failed. " } else { "✓ " };
        Some(view! {
            <p>
                <span class="icon">{icon}</span>
                {shown.text}
            </p>
            <button type="button" class="quiet" on:click=move |_| notice.set(None)>
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
pub fn StorageRefusal(
    /// Reason for which the browser does not store the work, if it refuses.
    refusal: RwSignal<Option<String>>,
) -> impl IntoView {
    let draw = move || {
        let reason = refusal.get()?;
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
