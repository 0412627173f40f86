//! The translation of the text beside its restoration: asking, the answer passage by passage, names, and taking it along.

mod alternatives;
mod ask;
mod edit;
mod names;
mod passage;
mod settings;
mod take;
mod words;

use super::failure::TranslationTrouble;
use crate::app::translation::Translating;
use crate::app::translation::state::TranslatorState;
use crate::app::translator_choice::SHIPPED;
use leptos::prelude::*;

/// The card.
#[component]
pub fn Translate() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let anything = Memo::new(move |_| translating.shown.with(|shown| !shown.passages.is_empty()));
    view! {
        <section id="translate-card" class="card" aria-labelledby="translate-title">
            <div class="card-head">
                <h2 id="translate-title">"Translation"</h2>
                <span class="hint">"Machine translation: a proposal to check, never a reading of the tablet"</span>
            </div>
            <ask::Ask />
            <TranslationTrouble />
            <Absent />
            <Outdated />
            <Small />
            <passage::Passages />
            <Show when=move || anything.get()>
                <words::Legend />
                <names::Names />
                <take::TakeAlong />
            </Show>
            <p id="translation-said" class="unseen" role="status" aria-live="polite">
                {translating.said}
            </p>
        </section>
    }
}

/// Says that there is no translator, and where one is to be had.
#[component]
fn Absent() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let absent = Memo::new(move |_| translating.translator.get() == TranslatorState::Absent);
    view! {
        <Show when=move || absent.get()>
            <div id="translator-absent" class="band warning" role="status">
                <p>
                    <strong>"There is no translator here. "</strong>
                    {move || format!("Nothing was found at {}. ", translating.choice.model())}
                    "You can fetch or bring one on the "<a href="#view=models">"Models page"</a>
                    ". Restoring works without it, and your text is untouched."
                </p>
            </div>
        </Show>
    }
}

/// Says how far the translator that comes with the page is to be trusted.
#[component]
fn Small() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let hidden =
        move || translating.choice.model() != SHIPPED || translating.shown.with(|shown| shown.passages.is_empty());
    view! {
        <p id="translator-small" class="hint" hidden=hidden>
            "Tuppum’s own translator is small. Formulas of Neo-Assyrian letters, omens and payments come out best; of most other lines it gets a word or two, and invents the rest fluently. A larger ByT5 can be brought on the "
            <a href="#view=models">"Models page"</a>
            "."
        </p>
    }
}

/// Says how much of the translation was made for an earlier text.
#[component]
fn Outdated() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let counts = Memo::new(move |_| translating.shown.with(|shown| (shown.outdated(), shown.passages.len())));
    let draw = move || {
        let sentence = match counts.get() {
            (0, _) => return None,
            (some, all) if some == all => {
                "This translation was made for an earlier text. It is kept, and fits again when the text does."
                    .to_owned()
            }
            (some, _) => format!(
                "{} made for an earlier wording of the text: kept, marked, and valid again when the text is as it was.",
                crate::app::format::plural(some, "passage was", "passages were")
            ),
        };
        Some(view! {
            <div id="translation-outdated" class="band warning">
                <p>
                    <strong>"⚠ Outdated. "</strong>
                    {sentence}
                    " Press Translate for what the text says now."
                </p>
                <button id="translation-put-away" type="button" on:click=move |_| translating.put_away()>
                    "Put away"
                </button>
            </div>
        })
    };
    view! { {draw} }
}
