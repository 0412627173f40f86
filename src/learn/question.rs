//! Question at the end of a step.

use leptos::prelude::*;

/// Question to try, with its answer folded.
#[component]
pub fn Try(question: &'static str, answer: &'static str) -> impl IntoView {
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
