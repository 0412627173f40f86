//! Translations before training and now, side by side with the corpus's own.

use crate::app::training::Training;
use crate::engine::protocol::Sample;
use leptos::prelude::*;

/// The samples; absent until there are some.
#[component]
pub fn Samples() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.samples.with(|samples| !samples.is_empty()));
    let rows = move || training.samples.get().into_iter().map(drawn).collect_view();
    view! {
        <Show when=move || there.get()>
            <h3>"Samples"</h3>
            <p class="hint">"Machine translations, the likeliest byte each time. They show how training goes, not how good the model is."</p>
            <div id="train-samples">{rows}</div>
        </Show>
    }
}

fn drawn(sample: Sample) -> impl IntoView {
    let side = if sample.held_out { "set aside" } else { "trained on" };
    let (step, after) = match sample.after {
        Some((step, text)) => (format!("After {step} steps"), shown(text)),
        None => ("Now".to_owned(), "not yet".to_owned()),
    };
    view! {
        <dl class="facts sample">
            <dt>"Source"</dt>
            <dd lang="akk-Latn">{sample.source} " " <span class="hint">{format!("({side})")}</span></dd>
            <dt>"Corpus"</dt>
            <dd>{sample.target}</dd>
            <dt>"Before"</dt>
            <dd>{shown(sample.before)}</dd>
            <dt>{step}</dt>
            <dd data-after="true">{after}</dd>
        </dl>
    }
}

/// A translation as it is shown, be it empty.
pub fn shown(text: String) -> String {
    if text.trim().is_empty() { "(nothing)".to_owned() } else { text }
}
