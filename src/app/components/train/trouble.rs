//! What went wrong with training: one sentence, likely causes, folded details.

use crate::app::training::Training;
use crate::engine::protocol::Failure;
use leptos::prelude::*;

/// The panel; absent when all is well.
#[component]
pub fn Trouble() -> impl IntoView {
    let training = expect_context::<Training>();
    // What failed may have been asked further down the page.
    Effect::new(move |_| {
        if training.trouble.with(Option::is_some) {
            request_animation_frame(|| {
                if let Some(panel) = document().get_element_by_id("train-trouble") {
                    panel.scroll_into_view();
                }
            });
        }
    });
    move || training.trouble.get().map(|failure| panel(training, failure))
}

fn panel(training: Training, failure: Failure) -> impl IntoView {
    let Failure { kind, message, hints, details } = failure;
    let causes = hints.into_iter().map(|hint| view! { <li>{hint}</li> }).collect_view();
    view! {
        <section id="train-trouble" class="card trouble" role="alert" data-kind=format!("{kind:?}")>
            <h2>
                <span aria-hidden="true">"⚠ "</span>
                {message}
            </h2>
            <ul>{causes}</ul>
            <p class="buttons">
                <button type="button" data-action="close" on:click=move |_| training.trouble.set(None)>
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
