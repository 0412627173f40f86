//! A question at the end of a step.

use leptos::prelude::*;

/// A question to try, with its answer folded.
#[component]
pub fn Try(
    /// What to try.
    question: &'static str,
    /// What is then seen.
    answer: &'static str,
) -> impl IntoView {
    view! {
        <div class="try">
            <p>
                <strong>"Try: "</strong>
                {question}
            </p>
            <details>
                <summary>"Answer"</summary>
                <p>{answer}</p>
            </details>
        </div>
    }
}
